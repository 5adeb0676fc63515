// The live record of a day equals the backtest of that day, however often the server is restarted. For
// callers who do not see the sharp bookmaker, the record is the same whatever that bookmaker did.

import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '../../src/domain/random.ts';
import { recordRows } from '../../src/record/record-rows.ts';
import type { GradedSignal } from '../../src/record/recorded-signal.ts';
import { writeSimulatedRecording } from '../../src/start/feed/feed-simulate.ts';
import { backtested, emptyDatabase, type Fate, RecordWorld } from './record-world.ts';

const REAL = join(import.meta.dir, '../../../shared/data/recordings');
const FOLDER = mkdtempSync(join(tmpdir(), 'overround-live-record-'));
afterAll(() => rmSync(FOLDER, { recursive: true }));

type Wire = Readonly<Record<string, unknown>>;

const recording = (async () => {
  const path = join(FOLDER, 'day.ndjson');
  await writeSimulatedRecording({
    ...{ path, seed: 11, minutes: 130, footballFixtures: 2, basketballFixtures: 0 },
    begin: '2026-03-07T14:50:00Z',
  });
  const lines = (await Bun.file(path).text()).split('\n').filter(Boolean);
  return { path, wires: lines.map((line) => JSON.parse(line) as Wire) };
})();

async function played(path: string, fateAt?: (instant: number) => Fate, reference = 'sharp') {
  const world = new RecordWorld(emptyDatabase(), fateAt);
  return { world, signals: await world.play(path, reference) };
}

/**
 * The whole day. Its live record has the signals of both references, and its backtest those against the sharp
 * bookmaker. Several tests read it, and none changes it.
 */
const wholeDay = recording.then(({ path }) => played(path));

const nameOf = ({ id }: { readonly id: string }) => id.slice(0, id.lastIndexOf('@'));
const byId = (signals: readonly GradedSignal[]) =>
  signals.toSorted((one, other) => (one.id < other.id ? -1 : 1));
const endOf = ({ closed_at }: GradedSignal) => closed_at ?? '9999';

describe('the live record of a day', () => {
  test('the live record of a simulated day equals its backtest, signal by signal and row by row', async () => {
    const { path } = await recording;
    const { world, signals } = await wholeDay;
    for (const reference of ['sharp', 'consensus']) {
      const expected = reference === 'sharp' ? signals : await backtested(path, reference);
      const live = (await world.graded(true)).filter((signal) => signal.reference === reference);
      expect(live.length).toBeGreaterThan(50);
      expect(live.filter(({ clv_pct }) => clv_pct !== null).length).toBeGreaterThan(5);
      expect(live.filter(({ unit_return }) => unit_return !== null).length).toBeGreaterThan(20);
      expect(live.some(({ period, result }) => period === 'half_time' && result !== null)).toBe(true);
      expect(byId(live)).toEqual(byId(expected));
      for (const group of [null, 'bookmaker', 'market_type', 'edge'] as const)
        expect(recordRows(live, group)).toEqual(recordRows(expected, group));
    }
  });

  test.skipIf(!existsSync(REAL))(
    'the live record of real prices equals their backtest (skipped without shared/data)',
    async () => {
      const cases = [
        ['brazil-2022', 'sharp'],
        ['premier-league-2024-25', 'consensus'],
      ] as const;
      for (const [name, reference] of cases) {
        const { world, signals } = await played(join(REAL, `${name}.ndjson`), undefined, reference);
        const live = (await world.graded(true)).filter((signal) => signal.reference === reference);
        expect(live.length).toBeGreaterThan(50);
        expect(byId(live)).toEqual(byId(signals));
      }
    },
  );

  test('a signal that is open at a restart continues as one signal with a gap', async () => {
    const { path } = await recording;
    const whole = await (await wholeDay).world.graded(true);
    const { world } = await played(path, (instant) => (instant % 61 === 60 ? 'restarts' : 'lives'));
    const rows = await world.rows(true);
    const restarted = await world.graded(true);
    const ids = new Set(whole.map(({ id }) => id));
    expect(restarted.filter(({ id }) => !ids.has(id))).toEqual([]);
    // If only the uninterrupted run has a signal, it is part of an earlier, longer signal in the restarted
    // run.
    for (const signal of whole) {
      const covering = restarted.filter(
        (other) =>
          nameOf(other) === nameOf(signal) &&
          other.opened_at <= signal.opened_at &&
          endOf(other) >= signal.opened_at,
      );
      expect([signal.id, covering.length]).toEqual([signal.id, 1]);
    }
    expect(rows.some((row) => row.longest_gap_ms > 0)).toBe(true);
    // A grade depends only on the values with which a signal opened.
    const graded = new Map(whole.map((signal) => [signal.id, signal]));
    for (const { id, clv_pct, result, price } of restarted)
      expect({ clv_pct, result, price }).toEqual(
        (({ clv_pct, result, price }) => ({ clv_pct, result, price }))(graded.get(id)!),
      );
  });

  test('after kills, no signal has two rows for the same time', async () => {
    const { path } = await recording;
    const random = new Random(3);
    const { world } = await played(path, () => (random.unit() < 0.02 ? 'dies' : 'lives'));
    const byName = Map.groupBy(await world.graded(true), nameOf);
    for (const signals of byName.values()) {
      const sorted = signals.toSorted((one, other) => (one.opened_at < other.opened_at ? -1 : 1));
      for (const [index, signal] of sorted.entries()) {
        const next = sorted[index + 1];
        if (next !== undefined) expect(endOf(signal) <= next.opened_at).toBe(true);
      }
    }
  });
});

test('for callers without the sharp bookmaker, rows, answers and tags are the same whatever that bookmaker did', async () => {
  const { wires } = await recording;
  const random = new Random(7);
  const isSharp = (wire: Wire) => wire.bookmaker === 'pinnacle';
  /** Null stands for the unchanged recording. */
  const variants: readonly (((wire: Wire) => Wire[]) | null)[] = [
    (wire) => (isSharp(wire) ? [] : [wire]),
    null,
    (wire) => {
      if (!isSharp(wire) || wire.type !== 'quote') return [wire];
      if (random.unit() < 0.3) return [];
      const prices = (wire.prices as number[]).map((price) =>
        Number((1.01 + (price - 1) * (0.8 + random.unit() * 0.4)).toFixed(2)),
      );
      return [{ ...wire, prices }];
    },
  ];
  const seen: { readonly free: unknown; readonly paid: unknown }[] = [];
  for (const [index, variant] of variants.entries()) {
    const { world } = await (variant === null
      ? wholeDay
      : played(written(wires.flatMap(variant), `variant-${index}`)));
    const rows = (await world.rows(false)).map(({ longest_gap_ms: _gap, ...row }) => row);
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.some(({ clv_pct }) => clv_pct !== null)).toBe(true);
    seen.push({ free: { rows, answers: await world.answers(false) }, paid: await world.answers(true) });
  }
  expect(seen[1]!.free).toEqual(seen[0]!.free);
  expect(seen[2]!.free).toEqual(seen[0]!.free);
  expect(seen[1]!.paid).not.toEqual(seen[2]!.paid);
});

/** Numbers the messages from 1 and writes them as a recording. @returns its path */
function written([hello, ...others]: readonly Wire[], name: string): string {
  const path = join(FOLDER, `${name}.ndjson`);
  const lines = [hello!, ...others.map((wire, at) => ({ ...wire, seq: at + 1 }))];
  writeFileSync(path, `${lines.map((wire) => JSON.stringify(wire)).join('\n')}\n`);
  return path;
}
