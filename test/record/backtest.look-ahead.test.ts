// Nothing from the future may influence a signal: if a recording or a history is cut at any instant, the
// signals before that instant are the same, byte for byte.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { LocalFolder } from '../../src/history/files/local-folder.ts';
import { addToTape } from '../../src/history/imports/add-to-tape.ts';
import { ImportRecorder } from '../../src/history/imports/tape-recorder.ts';
import { NO_PRICES, type PricesE4 } from '../../src/history/tick.ts';
import { backtest, recordedBatches } from '../../src/record/backtest.ts';
import type { PastBatch } from '../../src/record/past-play.ts';
import { writeSimulatedRecording } from '../../src/start/feed/feed-simulate.ts';
import { pastOfTape } from '../../src/start/history/past-of-tape.ts';
import { simulatedSeason } from './simulated-season.ts';

const ROOT = mkdtempSync(join(tmpdir(), 'overround-look-ahead-'));
afterAll(() => rmSync(ROOT, { recursive: true }));
const RUNS = { numRuns: 6 };

/** The signals that opened before an instant, in the state that they had at that instant. */
async function openedBefore(
  batches: AsyncIterable<PastBatch>,
  atMs: number,
  reference: string,
): Promise<string[]> {
  const { signals } = await backtest(batches, {
    windows: { liveMs: 60_000, prematchMs: 300_000 },
    kinds: ['value', 'arbitrage'],
    ...{ reference, minEdgePct: 1, maxEdgePct: 10, groupBy: null },
  });
  return signals
    .filter(({ opened_at }) => Date.parse(opened_at) < atMs)
    .map(({ clv_pct: _clv, result: _result, unit_return: _return, closed_at: _closed, ...opening }) =>
      JSON.stringify(opening),
    );
}

async function* all<Item>(items: readonly Item[]) {
  yield* items;
}

describe('the signals before an instant are the same if the past is cut at that instant', () => {
  let batches: readonly PastBatch[];

  beforeAll(async () => {
    const path = join(ROOT, 'recording.ndjson');
    await writeSimulatedRecording({
      ...{ path, seed: 8, minutes: 40, footballFixtures: 3, basketballFixtures: 1 },
      begin: '2026-03-07T14:45:00Z',
    });
    batches = await Array.fromAsync(recordedBatches(path));
  });

  for (const reference of ['sharp', 'consensus']) {
    test(`if a recording is cut, the signals before the cut are the same: against ${reference}`, async () => {
      const [firstMs, lastMs] = [batches[0]!.atMs, batches.at(-1)!.atMs];
      const whole = await openedBefore(all(batches), lastMs, reference);
      expect(whole.length).toBeGreaterThan(20);
      await fc.assert(
        fc.asyncProperty(cutArbitrary(whole, firstMs, lastMs), async (cutMs) => {
          const before = whole.filter((signal) => openedMs(signal) < cutMs);
          const cut = all(batches.filter(({ atMs }) => atMs <= cutMs));
          expect(await openedBefore(cut, cutMs, reference)).toEqual(before);
        }),
        RUNS,
      );
    });
  }

  test('if a history is cut, the signals before the cut are the same', async () => {
    const folder = new LocalFolder(join(ROOT, 'tape'));
    const { fromMs, toMs } = await writeTape(folder);
    const past = (endMs: number) => {
      const range = { fromMs: Number.NEGATIVE_INFINITY, toMs: endMs };
      return pastOfTape({ config: { dataDir: ROOT, databaseUrl: null }, folder, range });
    };
    const whole = await openedBefore((await past(toMs)).batches, toMs, 'sharp');
    expect(whole.length).toBeGreaterThan(100);
    await fc.assert(
      fc.asyncProperty(cutArbitrary(whole, fromMs, toMs), async (cutMs) => {
        const before = whole.filter((signal) => openedMs(signal) < cutMs);
        expect(await openedBefore((await past(cutMs)).batches, cutMs, 'sharp')).toEqual(before);
      }),
      RUNS,
    );
  });
});

/** Any instant, or one right after the opening of a signal, which then has no later batch to read. */
function cutArbitrary(signals: readonly string[], fromMs: number, toMs: number): fc.Arbitrary<number> {
  const openings = signals.map((signal) => openedMs(signal) + 1);
  return fc.oneof(fc.integer({ min: fromMs, max: toMs }), fc.constantFrom(...openings));
}

function openedMs(signal: string): number {
  return Date.parse((JSON.parse(signal) as { opened_at: string }).opened_at);
}

/** Writes the prices of a simulated season to a tape, as an import does. */
async function writeTape(folder: LocalFolder) {
  const { batches } = simulatedSeason(9, 25);
  const recorder = new ImportRecorder();
  for (const { atMs, messages } of batches) {
    for (const message of messages) put(recorder, message as Wire, atMs);
  }
  await addToTape(folder, recorder.finish());
  return { fromMs: batches[1]!.atMs, toMs: batches.at(-1)!.atMs };
}

type Named = { readonly key: string; readonly name: string };
interface Wire {
  readonly type: string;
  readonly event: string;
  readonly league: Named;
  readonly home: Named;
  readonly away: Named;
  readonly scheduled_at: string;
  readonly bookmaker: string;
  readonly market_type: '1x2' | 'asian_handicap' | 'totals';
  readonly period: 'full_time' | 'half_time';
  readonly line: number | null;
  readonly prices: readonly number[];
  readonly status: 'open' | 'suspended';
}

function put(recorder: ImportRecorder, wire: Wire, atMs: number): void {
  const { event: key, league, home, away, bookmaker, market_type: marketType, period, line } = wire;
  if (wire.type === 'event') {
    const kickoffMs = Date.parse(wire.scheduled_at);
    recorder.fixture({ key, sport: 0, league, home, away, kickoffMs }, atMs);
  }
  const tickLine = { bookmaker, marketType, period, line };
  if (wire.type === 'close') recorder.withdraw(key, tickLine, atMs);
  if (wire.type !== 'quote') return;
  const names = {
    '1x2': ['home', 'draw', 'away'],
    asian_handicap: ['home', 'away'],
    totals: ['over', 'under'],
  };
  const prices = names[marketType].map((name, index) => [name, Math.round(wire.prices[index]! * 10_000)]);
  const pricesE4: PricesE4 = { ...NO_PRICES, ...(Object.fromEntries(prices) as Partial<PricesE4>) };
  recorder.put(key, { ...tickLine, status: wire.status, pricesE4, atMs }, atMs);
}
