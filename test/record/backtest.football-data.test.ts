// The first matches of two real seasons are imported into a history and played by the backtest. The record
// must equal a plain computation from the files.

import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { encodeId, entityNumber } from '../../src/domain/ids.ts';
import { LocalFolder } from '../../src/history/files/local-folder.ts';
import { backtest } from '../../src/record/backtest.ts';
import { importSeasons } from '../../src/start/history/import-to-tape.ts';
import { pastOfTape } from '../../src/start/history/past-of-tape.ts';
import { type PlainRules, plainForecasts, plainPicks, plainRow } from './plain-record.ts';

const SEASONS = new URL('../../../shared/data/series/football-data', import.meta.url).pathname;
/** The contract's bookmaker that replaces each bookmaker of the files. */
const BOOKS = Object.entries({
  ...{ B365: 'crown', BW: 'sbobet', BF: 'macau', WH: 'm8bet', '1XB': 'nova88', BFE: 'hkjc' },
});
const ROOT = mkdtempSync(join(tmpdir(), 'overround-seasons-'));
afterAll(() => rmSync(ROOT, { recursive: true }));
/** The matches of each league. A few of the second are enough to show that the leagues are kept apart. */
const MATCHES = { E0: 240, E1: 60 };
const PATHS = Object.keys(MATCHES).map((league) => join(ROOT, `${league}_2425.csv`));

const SETTINGS = {
  windows: { liveMs: 60_000, prematchMs: 300_000 },
  kinds: ['value'],
  minEdgePct: 2,
  maxEdgePct: 10,
  keysAreIds: true,
  beforeKickoffMs: 24 * 3_600_000,
} as const;

async function historyOf(name: string, bookmakers: readonly (readonly [string, string])[]) {
  const folder = new LocalFolder(join(ROOT, name));
  await importSeasons(folder, { paths: PATHS, bookmakers });
  const range = { fromMs: Number.NEGATIVE_INFINITY, toMs: Date.UTC(2026, 0, 1) };
  return () => pastOfTape({ config: { dataDir: ROOT, databaseUrl: null }, folder, range });
}

describe.skipIf(!existsSync(SEASONS))('two seasons (skipped without shared/data)', () => {
  const books = (async () => {
    for (const [index, count] of Object.values(MATCHES).entries()) {
      const lines = readFileSync(join(SEASONS, basename(PATHS[index]!)), 'utf8').split('\n');
      writeFileSync(PATHS[index]!, lines.slice(0, 1 + count).join('\n'));
    }
    return await historyOf('books', BOOKS);
  })();

  /**
   * The result of the last case. The forecasts are the same in each case, because no rule for picks changes
   * them.
   */
  let played: Awaited<ReturnType<typeof backtest>>;

  const CASES: readonly (readonly [PlainRules['picks'], PlainRules['reference']])[] = [
    ['each', 'pinnacle'],
    ['best', 'pinnacle'],
    ['best', 'consensus'],
  ];
  for (const [picks, reference] of CASES) {
    test(`${picks} price against ${reference}: the record equals the plain computation`, async () => {
      played = await backtest((await (await books)()).batches, {
        ...SETTINGS,
        reference: reference === 'pinnacle' ? 'sharp' : 'consensus',
        eachBookmaker: picks === 'each',
        groupBy: 'market_type',
      });
      const { data, signals } = played;
      const rules = { books: BOOKS.map(([prefix]) => prefix), picks, reference };
      const plain = PATHS.flatMap((path) => plainPicks(readFileSync(path, 'utf8'), rules));
      expect(signals.length).toBe(plain.length);
      for (const row of data) {
        const own = plain.filter(({ market }) => market === row.key);
        expect(row).toMatchObject(plainRow(own, (key) => encodeId('event', entityNumber('event', 0, key))));
      }
    });
  }

  test('the log-loss of closing prices equals the plain computation', () => {
    const prefixes = BOOKS.map(([prefix]) => prefix);
    const plain = PATHS.flatMap((path) => plainForecasts(readFileSync(path, 'utf8'), prefixes));
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const differences = plain.map(({ pinnacle, consensus }) => consensus - pinnacle);
    const variance = mean(differences.map((one) => (one - mean(differences)) ** 2));
    const row = played.forecasts.find(({ reference }) => reference === 'consensus');
    expect(row?.matches).toBe(plain.length);
    expect(row?.log_loss).toBeCloseTo(mean(plain.map(({ consensus }) => consensus)), 5);
    expect(row?.difference).toBeCloseTo(mean(differences), 5);
    expect(row?.standard_error).toBeCloseTo(Math.sqrt(variance / plain.length), 5);
  });
});
