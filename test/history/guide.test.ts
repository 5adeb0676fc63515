// The World Cup, imported with the command that docs/guide/history.md prints. The prices equal the expected
// ones, DuckDB runs the queries of the page as printed, and pandas counts the same rows in an export.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { dayPrefix } from '../../src/history/files/folder.ts';
import { LocalFolder } from '../../src/history/files/local-folder.ts';
import { encodeTickFile } from '../../src/history/files/parquet-file.ts';
import { compareTickLines, dayOf, NO_PRICES, type Tick } from '../../src/history/tick.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { PYTHON } from '../support/python.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { PROGRAM_PATH } from '../support/test-program.ts';
import { checkedSeries, SERIES } from './checked-series.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const WORLD_CUP = join(SERIES, 'worldcup-2026.ndjson.zst');
const PAGE = join(ROOT, 'docs/guide/history.md');
const DUCKDB = join(ROOT, 'node_modules/@duckdb/node-api');

interface Found {
  readonly rows?: number;
  readonly first?: readonly unknown[] | null;
  readonly error?: string;
}

async function run(
  command: string[],
  options: { cwd?: string; input?: string; env?: Record<string, string> } = {},
) {
  const child = Bun.spawn(command, {
    cwd: options.cwd ?? ROOT,
    env: { ...childEnvironment(), ...options.env },
    stdin: new Blob([options.input ?? '']),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { code: await child.exited, output, errors };
}

/** The SQL blocks of the page, in order, because one may create a view that the next one reads. */
async function queries(): Promise<string[]> {
  const text = await Bun.file(PAGE).text();
  return [...text.matchAll(/^```sql\n([\s\S]*?)^```$/gm)].map(([, query = '']) => query);
}

describe.skipIf(!existsSync(WORLD_CUP))('the guide to the history (skipped without shared/data)', () => {
  let folder: TemporaryFolder;
  const overround = (...words: string[]) =>
    run([process.execPath, PROGRAM_PATH, ...words], {
      env: { BOOKMAKERS: 'the-odds-api-us', DATA_DIR: folder.path, HISTORY_DAYS: '36500' },
    });

  beforeAll(async () => {
    folder = temporaryFolder();
    const imported = await overround('import', 'the-odds-api', WORLD_CUP);
    expect([imported.code, imported.errors]).toEqual([0, expect.stringContaining('of 77 fixtures')]);
    expect(imported.errors.match(/^Left out: .*/gm)).toEqual(['Left out: 9 no_draw']);
  }, 120_000);
  afterAll(() => folder[Symbol.dispose]());

  let shown: ReturnType<typeof overround> | null = null;
  /** The output of `overround history`. It is requested once, because nothing here changes it. */
  const history = () => {
    shown ??= overround('history');
    return shown;
  };

  test('every price, opening and close is as listed', async () => {
    const found = await checkedSeries('worldcup', join(folder.path, 'history'));
    expect(found.differing).toEqual([]);
    expect(Number(found.closings)).toBeGreaterThan(1_000);
    expect(Number(found.openings)).toBeGreaterThan(1_500);
  }, 120_000);

  test.skipIf(!existsSync(DUCKDB))(
    'every query runs as printed and finds something (skipped without DuckDB)',
    async () => {
      const printed = await queries();
      expect(printed.length).toBeGreaterThanOrEqual(12);
      const ran = await run(['node', join(ROOT, 'test/history/guide-queries.mjs')], {
        cwd: folder.path,
        input: JSON.stringify(printed),
      });
      expect([ran.code, ran.errors]).toEqual([0, '']);
      const found = JSON.parse(ran.output) as Found[];
      const empty = found.filter(
        ({ rows = 0, error }, index) =>
          error !== undefined || (rows === 0 && !printed[index]!.startsWith('create view')),
      );
      expect(empty).toEqual([]);
    },
    120_000,
  );

  test('history shows the days; an export has every tick once, in all three forms', async () => {
    const { code, errors, output } = await history();
    expect([code, errors]).toEqual([0, '']);
    const count = Number(/: (\d+) ticks in /.exec(output)?.[1]);
    expect(count).toBeGreaterThan(30_000);
    const csv = join(folder.path, 'all.csv');
    const ndjson = join(folder.path, 'all.ndjson');
    for (const path of [csv, ndjson, join(folder.path, 'all.parquet')]) {
      const exported = await overround('history', 'export', '--out', path);
      expect([exported.code, exported.errors.trim()]).toEqual([0, `Wrote ${count} ticks to ${path}`]);
    }
    const lines = (await Bun.file(csv).text()).trimEnd().split('\n');
    const rows = (await Bun.file(ndjson).text()).trimEnd().split('\n');
    expect([lines.length - 1, rows.length, new Set(rows).size]).toEqual([count, count, count]);
    if (PYTHON?.hasPandas !== true) return;
    const script = `import pandas; t = pandas.read_csv(${JSON.stringify(csv)}); print(len(t), t.event_id.nunique())`;
    const read = await run([PYTHON.path, '-c', script], { env: PYTHON.env });
    expect(read.output.trim()).toBe(`${count} 77`);
  }, 120_000);

  test('a replay is a recording that a feed can play', async () => {
    const replay = await overround(
      ...['history', 'replay', '--from', '2026-06-20T12:00:00Z', '--to', '2026-06-20T13:00:00Z'],
    );
    expect([replay.code, replay.errors]).toEqual([0, '']);
    const path = join(folder.path, 'hour.ndjson');
    await Bun.write(path, replay.output);
    const { checkRecording } = await import('../../src/feed/replay/recording.ts');
    await checkRecording(path);
    const { parseMessage } = await import('../../src/feed/parse-message.ts');
    const refused = replay.output
      .trimEnd()
      .split('\n')
      .map((line) => parseMessage(JSON.parse(line)))
      .filter((message) => typeof message === 'string' && message !== 'unknown_book');
    expect(refused).toEqual([]);
    const firstTick = /^From (\S+) /.exec((await history()).output)?.[1];
    const whole = await overround('history', 'replay', '--to', '2026-06-07T12:00:00Z');
    expect(JSON.parse(whole.output.split('\n')[0]!)).toMatchObject({ type: 'hello', at: firstTick });
  }, 60_000);
});

type Change = readonly [time: string, homeE4: number | null];

/** Changes of FanDuel's 1x2 on one day, up to a kickoff at 19:00. */
function changesOf(day: string, period: Tick['period'], changes: readonly Change[]): Tick[] {
  return changes.map(([time, home]) => {
    const atMs = Date.parse(`${day}T${time}Z`);
    return {
      ...{
        eventId: `evt_${day}`,
        sport: 'football',
        league: 'World Cup',
        home: 'Mexico',
        away: 'South Africa',
      },
      ...{
        kickoffMs: Date.parse(`${day}T19:00Z`),
        bookmaker: 'fanduel',
        marketType: '1x2',
        period,
        line: null,
      },
      status: home === null ? 'withdrawn' : 'open',
      pricesE4: home === null ? NO_PRICES : { ...NO_PRICES, home, draw: 40_000, away: 50_000 },
      ...{ atMs, receivedAtMs: atMs, inPlay: false, scoreHome: null, scoreAway: null, standing: false },
    };
  });
}

test.skipIf(!existsSync(DUCKDB))(
  'prices of the first half do not change what the queries say of whole matches (skipped without DuckDB)',
  async () => {
    const printed = await queries();
    const closes =
      'select period, home, round(last.home_price, 2) as price from closing order by kickoff, period';
    const counted = 'select period, count(*) as lines from closing group by period order by period desc';
    const answers = async (ticks: readonly Tick[]): Promise<Found[]> => {
      using place = temporaryFolder();
      const folder = new LocalFolder(join(place.path, 'history'));
      for (const [day, rows] of Map.groupBy(ticks, ({ receivedAtMs }) => dayOf(receivedAtMs))) {
        const file = encodeTickFile(rows.sort(compareTickLines), new Map());
        await folder.write(`${dayPrefix(day)}1.parquet`, file);
      }
      const ran = await run(['node', join(ROOT, 'test/history/guide-queries.mjs')], {
        cwd: place.path,
        input: JSON.stringify([...printed, closes, counted]),
      });
      expect([ran.code, ran.errors]).toEqual([0, '']);
      return JSON.parse(ran.output) as Found[];
    };
    const whole = [
      ...changesOf('2026-06-11', 'full_time', [
        ...([
          ['16:00', 20_000],
          ['16:30', 21_000],
          ['17:00', null],
          ['17:40', 22_000],
        ] as const),
      ]),
      ...changesOf('2026-06-28', 'full_time', [['12:00', 30_000]]),
    ];
    const half = changesOf('2026-06-11', 'half_time', [
      ...([
        ['16:10', 28_000],
        ['17:05', 29_000],
        ['18:00', 35_000],
      ] as const),
    ]);
    const [without, beside] = [await answers(whole), await answers([...whole, ...half])];
    const ofMatches = printed.flatMap((query, index) =>
      /'1x2'|'withdrawn'/.test(query) ? [{ query, without: without[index], beside: beside[index] }] : [],
    );
    expect(ofMatches.length).toBeGreaterThanOrEqual(8);
    for (const { query, ...found } of ofMatches) {
      expect({ query, found: found.beside }).toEqual({ query, found: found.without });
    }
    // A bet is compared with the closing price of its own day.
    const bets = ofMatches.find(({ query }) => query.includes('bets('))!;
    expect(bets.beside).toMatchObject({
      rows: 1,
      first: ['Mexico', 'fanduel', expect.anything(), 2.2, expect.anything()],
    });
    expect(without.at(-2)).toMatchObject({ rows: 2, first: ['full_time', 'Mexico', 2.2] });
    expect(beside.at(-2)).toMatchObject({ rows: 3, first: ['full_time', 'Mexico', 2.2] });
    expect(beside.at(-1)).toMatchObject({ rows: 2, first: ['half_time', '1'] });
  },
  60_000,
);
