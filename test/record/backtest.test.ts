// Backtests of recordings: signals, their closing line value and their yield, checked by hand-made cases and
// by properties.

import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backtest as playBack, recordedBatches } from '../../src/record/backtest.ts';
import { recordRows } from '../../src/record/record-rows.ts';
import type { GradedSignal } from '../../src/record/recorded-signal.ts';
import { writeSimulatedRecording } from '../../src/start/feed/feed-simulate.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'overround-backtest-'));
afterAll(() => rmSync(FOLDER, { recursive: true }));

const SETTINGS = {
  windows: { liveMs: 60_000, prematchMs: 300_000 },
  kinds: ['value'],
  minEdgePct: 2,
  maxEdgePct: 10,
  groupBy: null,
} as const;

function backtest(path: string, settings: Parameters<typeof playBack>[1]) {
  return playBack(recordedBatches(path), settings);
}

type Wire = Readonly<Record<string, unknown>>;

function recordingOf(name: string, messages: readonly Wire[]): string {
  const path = join(FOLDER, name);
  const [hello, ...others] = messages;
  const lines = [hello, ...others.map((wire, index) => ({ ...wire, seq: index + 1 }))];
  writeFileSync(path, `${lines.map((wire) => JSON.stringify(wire)).join('\n')}\n`);
  return path;
}

const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 12, minute)).toISOString();
const HELLO = { type: 'hello', protocol: 1, source: 'test', at: at(0) };
const quote = (minute: number, bookmaker: string, prices: readonly number[]) => ({
  ...{
    type: 'quote',
    event: 'm',
    at: at(minute),
    bookmaker,
    market_type: 'totals',
    period: 'full_time',
    line: 2.5,
  },
  ...{ prices, status: 'open' },
});
const MATCH = {
  ...{ type: 'event', event: 'm', at: at(0), sport: 'football', scheduled_at: at(60) },
  league: { key: 'l', name: 'England Premier League' },
  home: { key: 'h', name: 'Arsenal' },
  away: { key: 'a', name: 'Chelsea' },
};
const state = (minute: number, status: string, score: readonly number[]) => ({
  ...{ type: 'state', event: 'm', at: at(minute), status, clock: null, score, cards: [0, 0] },
});

describe('a recording by hand', () => {
  const path = recordingOf('by-hand.ndjson', [
    HELLO,
    MATCH,
    quote(1, 'pinnacle', [1.95, 1.95]),
    // The fair price is 2.0, so 2.08 is 4 % above it. The signal ends when this price ends.
    quote(2, 'crown', [2.08, 1.8]),
    quote(5, 'crown', [2.1, 1.8]),
    quote(20, 'crown', [1.88, 1.9]),
    // At the close the fair price of over is 1.9.
    quote(50, 'pinnacle', [1.85, 2.0556]),
    state(61, 'live', [0, 0]),
    quote(62, 'pinnacle', [1.2, 4]),
    { type: 'result', event: 'm', at: at(170), score: [2, 1], red_cards: [0, 0], finished_at: at(170) },
    { type: 'remove', event: 'm', at: at(175) },
  ]);

  test('a signal opens once, is graded against the closing price of its line, and is settled by the result', async () => {
    const { data, signals } = await backtest(path, SETTINGS);
    expect(signals).toMatchObject([
      {
        ...{ kind: 'value', bookmaker: 'crown', outcome: 'over', price: 2.08, fair_price: 2, edge_pct: 4 },
        ...{ opened_at: at(2), closed_at: at(20), in_play: false, reference: 'sharp', result: 'win' },
      },
    ]);
    const fair = 1 / 1.85 / (1 / 1.85 + 1 / 2.0556);
    expect(signals[0]!.clv_pct).toBeCloseTo((fair * 2.08 - 1) * 100, 6);
    expect(signals[0]!.unit_return).toBeCloseTo(1.08, 12);
    expect(data).toMatchObject([
      { ...{ key: 'all', signals: 1, mean_edge_pct: 4, settled: 1, yield_pct: 108, median_life_s: 1_080 } },
    ]);
  });

  test('the gaps of a backtest are the times between connections, and from a loss to the next snapshot', async () => {
    const slate = [
      { ...MATCH, seq: 2 },
      { ...quote(12, 'pinnacle', [1.95, 1.95]), seq: 3 },
    ];
    const lines = [
      HELLO,
      { ...MATCH, seq: 1 },
      { ...quote(2, 'pinnacle', [1.95, 1.95]), seq: 2 },
      { ...quote(4, 'pinnacle', [1.96, 1.94]), seq: 5 },
      { type: 'snapshot_begin', seq: 6, at: at(8) },
      ...[...slate.map((wire) => ({ ...wire, seq: wire.seq + 5, at: at(8) }))],
      { type: 'snapshot_end', seq: 9, at: at(8) },
      { ...HELLO, at: at(20), epoch: 'later' },
      { type: 'snapshot_begin', seq: 1, at: at(20) },
      ...slate.map((wire) => ({ ...wire, at: at(20) })),
      { type: 'snapshot_end', seq: 4, at: at(20) },
    ];
    const file = join(FOLDER, 'gaps.ndjson');
    writeFileSync(file, `${lines.map((wire) => JSON.stringify(wire)).join('\n')}\n`);
    const { gaps } = await backtest(file, SETTINGS);
    const minutes = gaps.map(({ fromMs, toMs }) => [fromMs, toMs].map((ms) => new Date(ms!).getUTCMinutes()));
    expect(minutes).toEqual([
      [2, 8],
      [8, 20],
    ]);
    expect((await backtest(path, SETTINGS)).gaps).toEqual([]);
  });

  test('messages that a server would refuse are counted by reason', async () => {
    const file = recordingOf('refused.ndjson', [
      ...[
        HELLO,
        MATCH,
        quote(1, 'nobody', [1.95, 1.95]),
        quote(2, 'nobody', [1.9, 2]),
        quote(3, 'crown', [2.08]),
      ],
    ]);
    writeFileSync(file, `${await Bun.file(file).text()}no JSON\n{}\n`);
    const { refused } = await backtest(file, SETTINGS);
    expect(new Map(refused.map(({ reason, count }) => [reason, count]))).toEqual(
      new Map([
        ['unknown_book', 2],
        ['bad_outcomes', 1],
        ['not_an_object', 1],
        ['unknown_type', 1],
      ]),
    );
    expect((await backtest(path, SETTINGS)).refused).toEqual([]);
  });

  test('a first half is settled by the score at half time', async () => {
    const half = (wire: Wire): Wire => (wire.type === 'quote' ? { ...wire, period: 'half_time' } : wire);
    const clock = (wire: Wire, text: string): Wire => ({ ...wire, clock: text });
    const halves = recordingOf('half-time.ndjson', [
      ...[HELLO, MATCH, half(quote(1, 'pinnacle', [1.95, 1.95])), half(quote(2, 'crown', [2.08, 1.8]))],
      ...[clock(state(61, 'live', [0, 0]), '1h 1'), clock(state(107, 'live', [1, 0]), 'ht')],
      clock(state(120, 'live', [3, 0]), '2h 50'),
      { type: 'result', event: 'm', at: at(170), score: [3, 0], red_cards: [0, 0], finished_at: at(170) },
      { type: 'remove', event: 'm', at: at(175) },
    ]);
    expect((await backtest(halves, SETTINGS)).signals).toMatchObject([
      { period: 'half_time', outcome: 'over', line: 2.5, result: 'loss', unit_return: -1 },
    ]);
  });

  test('an edge outside the bounds opens no signal', async () => {
    expect((await backtest(path, { ...SETTINGS, minEdgePct: 4.5 })).signals).toMatchObject([{ price: 2.1 }]);
    expect((await backtest(path, { ...SETTINGS, maxEdgePct: 3 })).signals).toEqual([]);
  });
});

describe('a simulated afternoon', () => {
  const path = join(FOLDER, 'simulated.ndjson');
  const whole = (async () => {
    await writeSimulatedRecording({
      ...{ path, seed: 5, minutes: 60, footballFixtures: 4, basketballFixtures: 1 },
      begin: '2026-03-07T14:45:00Z',
    });
    return (await Bun.file(path).text()).split('\n').filter(Boolean);
  })();

  test('the same recording gives the same bytes', async () => {
    await whole;
    const twice = [await backtest(path, SETTINGS), await backtest(path, SETTINGS)];
    expect(twice[0]!.signals.length).toBeGreaterThan(20);
    expect(JSON.stringify(twice[0])).toBe(JSON.stringify(twice[1]));
  });

  test('every signal names its reference, and a bookmaker’s own prices are not the reference for it', async () => {
    await whole;
    const { signals } = await backtest(path, { ...SETTINGS, reference: 'consensus' });
    expect(signals.length).toBeGreaterThan(0);
    for (const { reference } of signals) expect(reference).toBe('consensus');
    const own = await backtest(path, { ...SETTINGS, reference: 'crown', bookmakers: ['crown'] });
    expect(own.signals).toEqual([]);
  });
});

describe('rows of the record', () => {
  const base: GradedSignal = {
    ...{ id: 'x', kind: 'value', event_id: 'evt_1', league: 'L', sport: 0, market_type: '1x2', line: null },
    ...{ period: 'full_time', outcome: 'home', bookmaker: 'crown', price: 2, fair_price: 1.9, edge_pct: 5 },
    ...{ reference: 'sharp', ev_pct: 5, in_play: false, from_score: { home: 0, away: 0 } },
    ...{ opened_at: at(0), closed_at: at(1), clv_pct: 2, result: 'win', unit_return: 1 },
  };

  test('several signals of one match widen the interval, because the bootstrap draws whole matches', () => {
    const picks = Array.from({ length: 40 }, (_, index) => ({
      ...base,
      unit_return: index % 2 === 0 ? 1 : -1,
    }));
    const apart = picks.map((pick, index) => ({ ...pick, event_id: `evt_${index}` }));
    const together = picks.map((pick, index) => ({ ...pick, event_id: `evt_${index % 2}` }));
    const widthOf = (signals: readonly GradedSignal[]) => {
      const [row] = recordRows(signals, null);
      return row!.yield_high_pct! - row!.yield_low_pct!;
    };
    expect(widthOf(together)).toBeGreaterThan(widthOf(apart) * 2);
    expect(recordRows(apart, null)).toEqual(recordRows(apart, null));
  });

  test('an unknown figure is null and never counts as zero', () => {
    const [row] = recordRows(
      [{ ...base, clv_pct: null, result: null, unit_return: null, closed_at: null }],
      null,
    );
    expect(row).toEqual({
      ...{ key: 'all', signals: 1, mean_edge_pct: 5, closed_with_clv: 0, mean_clv_pct: null },
      ...{ beat_close_pct: null, settled: 0, yield_pct: null, yield_low_pct: null, yield_high_pct: null },
      median_life_s: null,
    });
  });

  test('rows of the record are grouped by steps of the edge, by day or by bookmaker', () => {
    const signals = [base, { ...base, edge_pct: 12 }, { ...base, edge_pct: 1.5, bookmaker: 'sbobet' }];
    expect(recordRows(signals, 'edge').map(({ key }) => key)).toEqual(['01-02', '05-10', '10+']);
    expect(recordRows(signals, 'bookmaker').map(({ key, signals: n }) => [key, n])).toEqual([
      ['crown', 2],
      ['sbobet', 1],
    ]);
    expect(recordRows(signals, 'day').map(({ key }) => key)).toEqual(['2026-03-01']);
  });
});
