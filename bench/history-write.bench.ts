// What recording every price costs ingest: bursts of quotes, from bytes on a socket until another thread can
// read them, with the history thread and without. All threads share the cores.

import { systemClock } from '../src/clock.ts';
import { QUOTE_OPEN } from '../src/domain/catalogue.ts';
import { Random } from '../src/domain/random.ts';
import { assert } from '../src/errors.ts';
import { FEED_BATCH_MAX, HISTORY_RING_RECORDS } from '../src/limits.ts';
import { createStore } from '../src/store/layout.ts';
import { createTapeRing, TapeRingReader } from '../src/store/tape-ring.ts';
import { SlateWriter } from '../src/store/writer/writer.ts';
import { benchFolder } from './bench-folder.ts';
import { type Ingest, openIngest, Upstream, until, watch } from './feed/ingest.ts';
import { QuoteWatch } from './feed/wires.ts';
import { type Figure, median } from './figures.ts';
import { benchKeys, fillSlate } from './store-slate.ts';

/** How far in the past the stamps start: they advance faster than the clock, and must not overtake it. */
const STAMPED_BEHIND_MS = 60_000;

export function define(): void {}

/** Changes of the slate go to a history, are only taken out of the ring, or are not recorded (null). */
const USES = ['kept', 'emptied', null] as const;

/** How many bursts are measured for each use, after the warm-up, in which the engine still compiles. */
const BURSTS = 40;
const BURSTS_WARM_UP = 15;

export async function costs(size: 'smoke' | 'full'): Promise<Figure[]> {
  return [publishCost(size), ...(await burstCosts(size))];
}

const PUBLISH_ROUNDS = 60;
/** The first rounds are not counted: the engine still compiles. */
const PUBLISH_WARM_UP = 10;
const PUBLISH_FIXTURES = 500;
const PUBLISH_KEYS = 35;

/**
 * What the ring alone costs: the same quotes put and published with a ring and without, on this thread. There
 * is no feed, and the ring is emptied without being read.
 */
function publishCost(size: 'smoke' | 'full'): Figure {
  const quotes = size === 'smoke' ? 256 : 20_000;
  const sides = [publisher(quotes, true), publisher(quotes, false)];
  const cpuNs: [number[], number[]] = [[], []];
  for (let round = 0; round < (size === 'smoke' ? 2 : PUBLISH_ROUNDS); round++) {
    for (const index of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const before = process.threadCpuUsage();
      sides[index]!();
      const { user, system } = process.threadCpuUsage(before);
      if (size === 'smoke' || round >= PUBLISH_WARM_UP) cpuNs[index].push((user + system) * 1_000);
    }
  }
  const [value, baseline] = cpuNs.map(median);
  const name = `history: processor time of putting and publishing ${quotes} quotes`;
  return { name, value: value!, baseline: baseline!, unit: 'ns', aim: null };
}

/** @returns a function that puts `quotes` quotes, in the largest batches of the feed */
function publisher(quotes: number, hasRing: boolean): () => void {
  const writer = new SlateWriter(createStore(1));
  const memory = createTapeRing(HISTORY_RING_RECORDS, 1);
  const ring = new TapeRingReader(memory);
  const tape = hasRing ? writer.recordTo(memory, systemClock) : null;
  const keys = benchKeys(PUBLISH_KEYS);
  fillSlate(writer, { fixtureCount: PUBLISH_FIXTURES, keys, random: new Random(1) });
  writer.setSnapshotComplete();
  ring.want();
  tape?.feedState(false, 1);
  let atMs = 1;
  const empty = (): number => {
    const count = ring.waitingCount();
    ring.release(ring.written());
    return count;
  };
  do
    tape?.step(++atMs); // the whole slate comes first, a part with each step
  while (empty() > 0);
  let next = 0;
  return () => {
    for (let count = 0; count < quotes; ) {
      atMs++;
      for (const end = Math.min(quotes, count + FEED_BATCH_MAX); count < end; count++, next++) {
        const key = keys[Math.floor(next / PUBLISH_FIXTURES) % PUBLISH_KEYS]!;
        const slot = writer.slotOf(1 + (next % PUBLISH_FIXTURES));
        writer.quotes.putQuote(slot, key, 15_000 + (next % 9_973), 16_000, 0, QUOTE_OPEN, atMs);
      }
      writer.publish(atMs);
    }
    assert(empty() === (hasRing ? quotes : 0), 'the ring has every quote');
  };
}

/**
 * Sends the same bursts to three ingests in turn: with the history, with a ring that is only emptied, and
 * without either. The latency includes competition for two cores between ingest, history thread, sender and
 * reader. The processor time of the ingest thread does not.
 */
async function burstCosts(size: 'smoke' | 'full'): Promise<Figure[]> {
  const quotes = size === 'smoke' ? 256 : 20_000;
  const folder = benchFolder();
  const sides: Burster[] = [];
  for (const use of USES) sides.push(await burster(folder, quotes, use));
  const wallNs = USES.map((): number[] => []);
  const cpuNs = USES.map((): number[] => []);
  const [warmUp, rounds] = size === 'smoke' ? [0, 2] : [BURSTS_WARM_UP, BURSTS_WARM_UP + BURSTS];
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < sides.length; turn++) {
      const index = (round + turn) % sides.length;
      const { burst, ingest } = sides[index]!;
      const cpuBeforeMs = await ingest.cpuMs();
      const startMs = performance.now();
      await burst();
      const tookMs = performance.now() - startMs;
      const usedMs = (await ingest.cpuMs()) - cpuBeforeMs;
      await until(() => (ingest.tape?.waitingCount() ?? 0) === 0); // leaves the cores to the next side
      if (round < warmUp) continue;
      wallNs[index]!.push(tookMs * 1e6);
      cpuNs[index]!.push(usedMs * 1e6);
    }
  }
  for (const { ingest } of sides) ingest[Symbol.dispose]();
  const [kept, emptied, without] = wallNs.map(median);
  const [keptCpu, , withoutCpu] = cpuNs.map(median);
  const aim = { of: 'ratio', atMost: 1.05 } as const;
  return [
    {
      name: `history: write: a burst of ${quotes} quotes, bytes to readable`,
      ...{ value: kept!, baseline: without!, unit: 'ns', aim },
    },
    {
      name: 'history: write: the same burst when the ring is only emptied',
      ...{ value: emptied!, baseline: without!, unit: 'ns', aim: null },
    },
    {
      name: `history: processor time of the ingest thread, ${quotes} quotes`,
      ...{ value: keptCpu!, baseline: withoutCpu!, unit: 'ns', aim },
    },
  ];
}

interface Burster {
  readonly ingest: Ingest;
  /** Sends one burst and waits until its last quote can be read. */
  readonly burst: () => Promise<void>;
}

async function burster(folder: string, quotes: number, use: (typeof USES)[number]): Promise<Burster> {
  const baseMs = Date.now() - STAMPED_BEHIND_MS;
  const upstream = new Upstream();
  const feed = await upstream.listen('json', baseMs);
  const ingest = await openIngest({ feed, folder, tape: use });
  const readable = new QuoteWatch(ingest.reader, baseMs);
  let first = 0;
  const burst = async (): Promise<void> => {
    await upstream.ask({ type: 'burst', first, count: quotes }, 'begun');
    first += quotes;
    watch(readable, first, () => {});
  };
  const { tape } = ingest;
  await until(() => tape === null || (tape.written() > 0 && tape.waitingCount() === 0)); // the slate is on the tape
  const before = tape?.written() ?? 0;
  await burst();
  await until(() => tape === null || tape.written() - before >= quotes); // every quote is on the tape
  return { ingest, burst };
}
