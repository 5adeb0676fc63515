// From a recording of 3 MB on disk to a complete slate: the time for which a start waits. The aim is two
// seconds.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bench, group } from 'mitata';
import { systemClock } from '../src/clock.ts';
import { BOOKMAKER_KEYS } from '../src/domain/catalogue.ts';
import { Random } from '../src/domain/random.ts';
import { assert } from '../src/errors.ts';
import { openReplay } from '../src/feed/replay/client.ts';
import { FeedQueue } from '../src/ingest/feed-queue.ts';
import { createStore } from '../src/store/layout.ts';
import { SlateReader } from '../src/store/reader.ts';
import { SlateWriter } from '../src/store/writer/writer.ts';
import { benchFolder } from './bench-folder.ts';
import { benchHandler } from './feed/bench-feed.ts';

const SEED = 20_260_301;
const HELLO_MS = Date.UTC(2022, 3, 10, 12);
const SERVED_WITHIN_MS = 2_000;
const QUOTES_PER_FIXTURE = 40;

interface Recording {
  readonly path: string;
  readonly fixtureCount: number;
}

export async function define(size: 'smoke' | 'full'): Promise<void> {
  const recording = writeRecording(
    join(benchFolder(), 'bench.ndjson'),
    size === 'smoke' ? 20_000 : 3_000_000,
  );
  const startedMs = systemClock.monotonicMs();
  await replay(recording);
  const tookMs = systemClock.monotonicMs() - startedMs;
  assert(tookMs < SERVED_WITHIN_MS, `a recording is served within ${SERVED_WITHIN_MS} ms, not ${tookMs}`);
  group(`replay: a recording of ${size === 'smoke' ? '20 kB' : '3 MB'} to a complete slate`, () => {
    bench('openReplay, FeedQueue, FeedHandler', () => replay(recording));
    bench('plain: read, split, JSON.parse, quotes in a map', async () => {
      const quotes = new Map<string, unknown>();
      for (const line of (await Bun.file(recording.path).text()).split('\n')) {
        if (line === '') continue;
        const wire = JSON.parse(line) as Record<string, unknown>;
        quotes.set(`${wire.event}|${wire.bookmaker}|${wire.line}`, wire);
      }
      assert(quotes.size > recording.fixtureCount, 'the plain map holds the quotes');
    }).baseline(true);
  });
}

/** Replays the whole recording into a new store. Resolves when the snapshot is complete. */
async function replay({ path, fixtureCount }: Recording): Promise<void> {
  const buffer = createStore(1);
  const writer = new SlateWriter(buffer);
  const reader = new SlateReader(buffer);
  const handler = benchHandler(writer, true);
  const complete = Promise.withResolvers<void>();
  const queue = new FeedQueue({
    drain: (entries, depth) => {
      handler.drain(entries, depth);
      if (reader.feed().snapshotComplete) complete.resolve();
    },
    schedule: (tick) => setImmediate(tick),
  });
  const source = await openReplay({ path, speed: 1, startMs: systemClock.wallMs() }, queue, {
    clock: systemClock,
  });
  await complete.promise;
  await source.close();
  const { gaps, quotes_older: older } = reader.counters();
  assert(writer.fixtureCount === fixtureCount && gaps === 0 && older === 0, 'all of the recording is there');
}

/** Writes fixtures, then rounds of quotes over all of them, until the file has at least `bytesMin` bytes. */
function writeRecording(path: string, bytesMin: number): Recording {
  const random = new Random(SEED);
  const fixtureCount = Math.max(2, Math.floor(bytesMin / 60_000));
  const lines: string[] = [];
  let seq = 0;
  let byteCount = 0;
  const add = (message: object) => {
    const line = JSON.stringify(message);
    byteCount += line.length + 1;
    lines.push(line);
  };
  const at = (beforeMs: number) => new Date(HELLO_MS - beforeMs).toISOString();
  add({ type: 'hello', protocol: 1, source: 'bench', at: at(0) });
  for (let index = 0; index < fixtureCount; index++) {
    const [league, home, away] = ['l', 'h', 'a'].map((kind) => ({
      key: `${kind}${index}`,
      name: `${kind} ${index}`,
    }));
    const event = { event: `e${index}`, sport: 'football', league, home, away, scheduled_at: at(-3_600_000) };
    add({ type: 'event', seq: ++seq, at: at(bytesMin), ...event });
  }
  for (let ageMs = bytesMin; byteCount < bytesMin; ageMs--) {
    const line = (random.index(QUOTES_PER_FIXTURE / 5) - 4) / 4;
    const key = {
      bookmaker: BOOKMAKER_KEYS[random.index(5)],
      market_type: 'asian_handicap',
      period: 'full_time',
      line,
    };
    const prices = [1.5 + random.index(100) / 100, 1.5 + random.index(100) / 100];
    const event = `e${random.index(fixtureCount)}`;
    add({ type: 'quote', seq: ++seq, at: at(ageMs), event, ...key, prices, status: 'open' });
  }
  writeFileSync(path, `${lines.join('\n')}\n`);
  return { path, fixtureCount };
}
