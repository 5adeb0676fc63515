// An instant with very many changes is replayed in several batches; each batch except the last reports that
// more follow, also if nothing is left for the last one. The beginning of the tape is found without reading a
// file. A replay begins with the newest score.

import { expect, test } from 'bun:test';
import { DAY_MS, MINUTE_MS } from '../../../src/clock.ts';
import { encodeId } from '../../../src/domain/ids.ts';
import { dayPrefix } from '../../../src/history/files/folder.ts';
import { LocalFolder } from '../../../src/history/files/local-folder.ts';
import { TickFileWriter } from '../../../src/history/files/parquet-file.ts';
import type { TapeReader } from '../../../src/history/past/tape-reader.ts';
import { type TapeBatch, tapeBatches } from '../../../src/history/replay/tape-replay.ts';
import { compareTickLines, dayOf, NO_PRICES, type Tick } from '../../../src/history/tick.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { tapeIn } from '../tape-folder.ts';
import { KEYS, TapeWorld } from '../tape-world.ts';

const START_MS = Date.UTC(2026, 5, 19);
const CHANGED_MS = START_MS + 60_000;
const FIXTURES = 40;
const LINES = 60;
const BATCH_MESSAGES_MAX = 1_100;

function tickOf(fixture: number, line: number, standing: boolean): Tick {
  const receivedAtMs = standing ? START_MS : CHANGED_MS;
  return {
    ...{ eventId: encodeId('event', 3e6 + fixture), sport: 'football', league: 'League' },
    ...{ home: `Home ${fixture}`, away: `Away ${fixture}`, kickoffMs: START_MS + DAY_MS, bookmaker: 'crown' },
    ...{ marketType: 'totals', period: 'full_time', line: 1 + line / 4, status: 'open' },
    pricesE4: { ...NO_PRICES, over: standing ? 19_000 : 19_500, under: 19_000 },
    ...{ atMs: receivedAtMs, receivedAtMs, inPlay: false, scoreHome: null, scoreAway: null, standing },
  };
}

/** Every line, either as it stood at the beginning or as it changed. */
function linesOf(standing: boolean): Tick[] {
  return Array.from({ length: FIXTURES * LINES }, (_, index) =>
    tickOf(Math.floor(index / LINES), index % LINES, standing),
  );
}

/** Writes the rows into a file of the first day. */
async function writeFile(folder: LocalFolder, name: string, rows: readonly Tick[]): Promise<void> {
  const writer = new TickFileWriter();
  writer.addGroup(rows.toSorted(compareTickLines));
  await folder.write(`${dayPrefix(dayOf(START_MS))}${name}.parquet`, writer.finish(new Map()));
}

async function tapeOf(path: string): Promise<TapeReader> {
  const folder = new LocalFolder(path);
  await writeFile(folder, `${START_MS}-a`, [...linesOf(true), ...linesOf(false)]);
  return tapeIn(folder);
}

test('an instant with many changes comes in batches, and each batch except the last reports that more follow', async () => {
  using folder = temporaryFolder();
  const range = { fromMs: START_MS, toMs: START_MS + DAY_MS };
  const tape = await tapeOf(folder.path);
  const batches: TapeBatch[] = [];
  for await (const batch of tapeBatches({ tape, range, stamps: 'published', results: new Map() }))
    batches.push(batch);
  expect(Math.max(...batches.map(({ messages }) => messages.length))).toBeLessThanOrEqual(BATCH_MESSAGES_MAX);
  for (const atMs of [START_MS, CHANGED_MS]) {
    const parts = batches.filter((batch) => batch.atMs === atMs && batch.messages[0]?.type !== 'hello');
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.map(({ continues }) => continues === true)).toEqual(
      parts.map((_, index) => index < parts.length - 1),
    );
    const quotes = parts.flatMap(({ messages }) => messages).filter(({ type }) => type === 'quote');
    expect(quotes.length).toBe(FIXTURES * LINES);
  }
});

test('after a cut slate comes a batch that ends the instant, also if nothing is left for it', async () => {
  using temporary = temporaryFolder();
  const folder = new LocalFolder(temporary.path);
  await writeFile(folder, 'import-0123456789ab', linesOf(true));
  // The server begins to record with other prices of just so many fixtures that a batch is full.
  const changed = Math.ceil(1_024 / LINES);
  const own = [...linesOf(false).slice(0, changed * LINES), ...linesOf(true).slice(changed * LINES)];
  await writeFile(
    folder,
    `${CHANGED_MS}-a`,
    own.map((tick) => ({ ...tick, standing: true })),
  );
  const range = { fromMs: START_MS, toMs: START_MS + DAY_MS };
  const options = { tape: tapeIn(folder), range, stamps: 'published', results: new Map() } as const;
  const sizes: [number, boolean][] = [];
  for await (const { atMs, messages, continues } of tapeBatches(options))
    if (atMs === CHANGED_MS) sizes.push([messages.length, continues === true]);
  expect(sizes).toEqual([
    [changed * LINES, true],
    [0, false],
  ]);
});

test('the beginning of the tape is known from the names of its files', async () => {
  using folder = temporaryFolder();
  const tape = await tapeOf(folder.path);
  expect(await tape.beginMs(dayOf(START_MS))).toBe(START_MS);
  expect(await tape.beginMs(dayOf(START_MS + DAY_MS))).toBeNull();
});

test('a replay begins with the score that the feed reported last, also if the line that changed last is gone', async () => {
  await using world = new TapeWorld();
  await world.startWith(1);
  world.setLive(1, true, { goals: 0 });
  world.putQuote(1, KEYS[0]!, 20_000);
  world.publish();
  world.setLive(1, true, { goals: 1 });
  world.putQuote(1, KEYS[2]!, 21_000);
  world.publish();
  world.closeQuote(1, KEYS[2]!);
  world.publish();
  world.settle(MINUTE_MS);
  await world.tape.step();
  const range = { fromMs: world.nowMs - 1, toMs: world.nowMs };
  const scores = await world.reading(async (tape) => {
    const sent: unknown[] = [];
    for await (const { messages } of tapeBatches({ tape, range, stamps: 'source', results: new Map() }))
      for (const message of messages) if (message.type === 'state') sent.push(message.score);
    return sent;
  });
  expect(scores).toEqual([[1, 0]]);
});
