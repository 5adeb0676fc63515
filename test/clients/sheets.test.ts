// Runs the script for Google Sheets as Apps Script would, against a real server. Small fakes with the same
// interface replace Apps Script's services. Apps Script fetches synchronously, so the fake uses curl.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type RunningService, runService } from '../support/running-service.ts';

const SCRIPT = join(import.meta.dir, '../../clients/sheets/overround.gs');
const HAS_CURL = Bun.which('curl') !== null;
const FUNCTIONS = ['EVENTS', 'ODDS', 'BEST', 'VALUE', 'ARBITRAGE'] as const;

type Cells = readonly (readonly unknown[])[];
type Functions = Record<(typeof FUNCTIONS)[number], (...values: unknown[]) => unknown> & {
  settings: () => void;
  open: () => void;
};

let service: RunningService;
const properties = new Map<string, string>();
const cached = new Map<string, string>();
/** The user's answers to the next prompts. */
let answers: string[] = [];
const menu: string[] = [];
let fetches = 0;
let sheet: Functions;

beforeAll(async () => {
  service = await runService({ SIMULATOR_SEED: '3' });
  const names = `{ ${FUNCTIONS.map((name) => `${name}: OVERROUND_${name}`).join(', ')}, settings: overroundSettings, open: onOpen }`;
  const services = {
    PropertiesService: {
      getScriptProperties: () => ({
        getProperty: (name: string) => properties.get(name) ?? null,
        setProperty: (name: string, value: string) => properties.set(name, value),
        deleteProperty: (name: string) => properties.delete(name),
      }),
    },
    CacheService: {
      getScriptCache: () => ({
        get: (name: string) => cached.get(name) ?? null,
        put: (name: string, value: string, seconds: number) => {
          expect(name.length).toBeLessThanOrEqual(250);
          expect(value.length).toBeLessThanOrEqual(100_000);
          expect(seconds).toBeGreaterThan(0);
          cached.set(name, value);
        },
      }),
    },
    UrlFetchApp: { fetch: fetchNow },
    Utilities: {
      DigestAlgorithm: { SHA_256: 'sha256' },
      Charset: { UTF_8: 'utf8' },
      computeDigest: (algorithm: string, text: string) => createHash(algorithm).update(text).digest(),
      base64EncodeWebSafe: (bytes: Buffer) => bytes.toString('base64url'),
    },
    SpreadsheetApp: {
      getUi: () => {
        const ui = {
          prompt: () => ({ getResponseText: () => answers.shift() ?? '' }),
          createMenu: () => ui,
          addItem: (title: string, name: string) => {
            menu.push(`${title}: ${name}`);
            return ui;
          },
          addToUi: () => undefined,
        };
        return ui;
      },
    },
  };
  const source = await Bun.file(SCRIPT).text();
  sheet = new Function(...Object.keys(services), `${source}\nreturn ${names};`)(...Object.values(services));
});

afterAll(() => service[Symbol.asyncDispose]());

function fetchNow(
  url: string,
  options: { payload: string; headers: Record<string, string>; followRedirects: boolean },
) {
  fetches += 1;
  expect(options.followRedirects).toBe(false);
  const headers = Object.entries({ 'content-type': 'application/json', ...options.headers });
  const { stdout } = Bun.spawnSync(
    [
      'curl',
      '-s',
      '-m',
      '20',
      '-w',
      '\n%{http_code}',
      '-d',
      options.payload,
      ...headers.flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
      url,
    ],
    { timeout: 30_000 },
  );
  const lines = stdout.toString().split('\n');
  const status = Number(lines.pop());
  return { getResponseCode: () => status, getContentText: () => lines.join('\n') };
}

test.skipIf(!HAS_CURL)(
  'the sheet needs a server first; it stores server and key in the properties, and refuses an invalid address',
  () => {
    expect(() => sheet.VALUE()).toThrow('Set the server first');
    answers = ['odds.example.com'];
    expect(() => sheet.settings()).toThrow('Not an address');
    answers = [`${service.url}/`, service.key];
    sheet.settings();
    expect(Object.fromEntries(properties)).toEqual({
      OVERROUND_URL: `${service.url}/`,
      OVERROUND_API_KEY: service.key,
    });
    sheet.open();
    expect(menu).toEqual(['Server and key: overroundSettings', 'Refresh: overroundRefresh']);
  },
);

test.skipIf(!HAS_CURL)(
  'every function returns one price, or a table whose rows are as long as its head',
  () => {
    // Shortly before midnight there may be no match left today.
    const events = [...(sheet.EVENTS('today') as Cells), ...(sheet.EVENTS('tomorrow') as Cells).slice(1)];
    expect(events[0]).toEqual(['event', 'kickoff', 'status', 'home', 'away', 'league']);
    expect(events.length).toBeGreaterThan(10);
    const scheduled = events.find((row) => row[2] === 'scheduled')!;
    expect(scheduled[1]).toBeInstanceOf(Date);
    const odds = sheet.ODDS(scheduled[0], '1x2') as Cells;
    const prices = odds.slice(1).filter((row) => row[2] === 'full_time' && row[7] === 'open');
    const best = Math.max(...prices.map((row) => row[4] as number));
    cached.clear();
    for (const table of [events, odds, sheet.VALUE(0.1) as Cells, sheet.ARBITRAGE() as Cells]) {
      for (const row of table) expect(row).toHaveLength(table[0]!.length);
    }
    // Prices move between the two answers, so the price may differ, but by less than a tenth.
    expect(Math.abs((sheet.BEST(scheduled[0], 'home') as number) / best - 1)).toBeLessThan(0.1);
    expect((sheet.BEST(scheduled[0], 'over') as number) > 1).toBe(true);
    expect(sheet.BEST(scheduled[0], 'over', 'totals', 30)).toBe('');
  },
);

test.skipIf(!HAS_CURL)('an answer is cached for the same request and key only', () => {
  cached.clear();
  fetches = 0;
  sheet.EVENTS('tomorrow');
  sheet.EVENTS('tomorrow');
  expect(fetches).toBe(1);
  answers = ['', 'none'];
  sheet.settings();
  sheet.EVENTS('tomorrow');
  expect([fetches, properties.has('OVERROUND_API_KEY')]).toEqual([2, false]);
});

test.skipIf(!HAS_CURL)(
  'if the server refuses a call or cannot say which match is meant, the cell shows its error',
  () => {
    expect(() => sheet.BEST('zzyzx rovers', 'home')).toThrow('Which match do you mean?');
    expect(() => sheet.EVENTS('someday')).toThrow(/date/);
    expect(() => sheet.BEST('', 'home')).toThrow('Name a fixture');
    properties.set('OVERROUND_API_KEY', 'isk_dead');
    expect(() => sheet.VALUE(1)).toThrow('not a live key');
    properties.set('OVERROUND_URL', `${service.url}/docs/nowhere?`);
    expect(() => sheet.VALUE(1)).toThrow();
  },
);
