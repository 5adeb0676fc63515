// Streams of middles, low hold, moves and steam, scored by a real worker: each signal opens with what the
// tools report, and closes when it is over. The sharp bookmaker's prices reach only callers who may see them.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { StreamSignal } from '../../../src/contract/stream/stream-signals.ts';
import type { Principal } from '../../../src/domain/tiers.ts';
import { ServiceError } from '../../../src/errors.ts';
import { oddsView } from '../../../src/query/odds/odds-view.ts';
import { ScoringPool } from '../../../src/scoring/pool.ts';
import { LiveSignals } from '../../../src/stream/signals/live-signals.ts';
import type { SignalWords } from '../../../src/stream/signals/signal-view.ts';
import { football, quoteOf, T0 } from '../../tools/made-up-slate.ts';
import { FREE, PAID, type Wire, WireSlate } from '../../tools/wire-slate.ts';

const HALF_HOUR_MS = 1_800_000;
const slate = new WireSlate();
let pool: ScoringPool;

function totals(bookmaker: string, line: number, prices: readonly number[], atMs: number): Wire {
  return { ...quoteOf('a', bookmaker, 'totals', line, prices), at: new Date(atMs).toISOString() };
}

beforeAll(() => {
  pool = ScoringPool.start({ storeBuffer: slate.buffer, threads: 1 });
  slate.feed(
    [
      football('a', 'Reading', 'Stoke'),
      quoteOf('a', 'crown', '1x2', null, [2.5, 3.3, 3]),
      ...['crown', 'hkjc', 'sbobet', 'pinnacle'].map((book) => totals(book, 2.5, [1.95, 1.95], T0)),
      totals('crown', 3.5, [3.4, 1.3], T0),
    ],
    T0,
  );
});
afterAll(() => pool.stop());

function followed(words: SignalWords, principal: Principal) {
  const { queries, reader } = slate;
  const parts = { reader, slate: queries.slate, signals: queries.signals, scorer: pool };
  const live = new LiveSignals(parts, { maxEdge: 0.1, maxMargin: 0.5 });
  const odds = oddsView(queries, {}, { principal, nowMs: T0 });
  return live.follow(live.view(words, odds, principal)!);
}

const changesOf = (signals: readonly StreamSignal[]) => signals.map(({ change, id }) => `${change} ${id}`);

describe('signals of a stream', () => {
  test('steam and moves open with the move, and close when the price has returned', async () => {
    const signals = ['steam', 'move'] as const;
    const paid = followed({ signals, steam_pct: 2, move_pct: 2, move_of: 'price' }, PAID);
    const free = followed({ signals, steam_pct: 2, move_pct: 2, move_of: 'price' }, FREE);
    for (const follower of [paid, free]) await follower.step(T0, false);
    expect(paid.current(T0)).toEqual([]);
    const laterMs = T0 + HALF_HOUR_MS;
    slate.feed(
      ['crown', 'hkjc', 'pinnacle'].map((book) => totals(book, 2.5, [1.85, 1.96], laterMs)),
      laterMs,
    );
    const opened = await paid.step(laterMs, false);
    const id = opened[0]!.event_id;
    expect(changesOf(opened).sort()).toEqual([
      ...['crown', 'hkjc', 'pinnacle'].map(
        (book) => `opened move:${id}:totals:full_time:2.5:over:price:${book}`,
      ),
      `opened steam:${id}:totals:full_time:2.5:over:shortening`,
    ]);
    expect(opened.find(({ kind }) => kind === 'steam')!.steam).toMatchObject({ owners: 3, within_s: 1_800 });
    expect(changesOf(await free.step(laterMs, false)).sort()).toEqual(
      ['crown', 'hkjc'].map((book) => `opened move:${id}:totals:full_time:2.5:over:price:${book}`),
    );
    const backMs = laterMs + 10_000;
    slate.feed([totals('hkjc', 2.5, [1.95, 1.95], backMs)], backMs);
    expect(changesOf(await paid.step(backMs, false)).sort()).toEqual([
      `closed move:${id}:totals:full_time:2.5:over:price:hkjc`,
      `closed steam:${id}:totals:full_time:2.5:over:shortening`,
    ]);
  });

  test('middles and low hold in a stream are the same as those of find_middles', async () => {
    const atMs = T0 + HALF_HOUR_MS + 20_000;
    const follower = followed({ signals: ['middle', 'low_hold'], min_ev_pct: -10, max_hold_pct: 5 }, PAID);
    await follower.step(atMs, false);
    const fixture = slate.queries.slate.peek(atMs)[0]!;
    const { criteria } = follower.view;
    const asked = { criteria: { ...criteria, minMargin: 0 }, format: 'decimal', minEvPct: -10 } as const;
    const found = slate.queries.kinds.middlesOf(fixture, { ...asked, maxHoldPct: 5 });
    const current = follower.current(atMs);
    expect(found.middles.length * found.lowHolds.length).toBeGreaterThan(0);
    expect(current.flatMap(({ middle }) => middle ?? [])).toEqual(expect.arrayContaining([...found.middles]));
    expect(current.flatMap(({ low_hold }) => low_hold ?? [])).toEqual(
      expect.arrayContaining([...found.lowHolds]),
    );
    expect(current).toHaveLength(found.middles.length + found.lowHolds.length);
  });

  test('a threshold of a kind of signal that is not followed is refused', () => {
    expect(() => followed({ signals: ['value'], owners: 3 }, PAID)).toThrow(ServiceError);
    expect(() => followed({ signals: ['middle'], within_s: 600 }, PAID)).toThrow('within_s');
  });
});
