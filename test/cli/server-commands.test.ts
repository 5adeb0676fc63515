// The commands that call a server, as a user types them, against one server with two dozen known prices.
// Commands that run until they are ended run in a process of their own, with a terminal for the live screen.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOUR_MS } from '../../src/clock.ts';
import { eventWire, quoteWire, type WireMessage } from '../feed/wire.ts';
import { createKeys } from '../support/callers.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { runCommand } from '../support/command-line.ts';
import { until } from '../support/condition.ts';
import { CuttableProxy } from '../support/cuttable-proxy.ts';
import { type RunningService, runService } from '../support/running-service.ts';
import { nowText, ScriptedFeed } from '../support/scripted-feed.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { PROGRAM_PATH } from '../support/test-program.ts';

const ROOT = join(import.meta.dir, '../..');

function match(key: string, home: string, away: string): WireMessage {
  const named = (name: string) => ({ key: name.toLowerCase(), name });
  const at = nowText();
  return eventWire(0, key, { at, home: named(home), away: named(away), scheduled_at: nowText(HOUR_MS) });
}

function quote(key: string, fields: WireMessage): WireMessage {
  return quoteWire(0, key, { at: nowText(), ...fields });
}

const WINNER = { market_type: '1x2', line: null };
function slate(): WireMessage[] {
  return [
    match('e1', 'Arsenal', 'Chelsea'),
    // Crown's home price is 10% above the fair price.
    quote('e1', { ...WINNER, bookmaker: 'pinnacle', prices: [2, 3.6, 4.4] }),
    quote('e1', { ...WINNER, bookmaker: 'crown', prices: [2.2, 3.5, 4.1] }),
    quote('e1', { line: -0.75, bookmaker: 'pinnacle', prices: [2.05, 1.85] }),
    quote('e1', { line: -0.75, bookmaker: 'sbobet', prices: [2.12, 1.8] }),
    quote('e1', { market_type: 'totals', line: 2.5, bookmaker: 'pinnacle', prices: [1.95, 1.95] }),
    match('e2', 'Racing Club', 'Estudiantes'),
    match('e3', 'Nacional', 'Racing Montevideo'),
  ];
}

let feed: ScriptedFeed;
let service: RunningService;
let folder: TemporaryFolder;
let key: string;

beforeAll(async () => {
  folder = temporaryFolder();
  feed = new ScriptedFeed({ slate });
  service = await runService({ FEED: feed.url });
  key = (await createKeys(service.dataDir, 'enterprise', 1))[0]!;
});

afterAll(async () => {
  await service[Symbol.asyncDispose]();
  feed.stop();
  folder[Symbol.dispose]();
});

interface Ended {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

function environment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    ...childEnvironment(),
    TERM: 'xterm',
    OVERROUND_URL: service.url,
    OVERROUND_API_KEY: key,
    ...more,
  };
}

function start(words: readonly string[], more?: Readonly<Record<string, string>>) {
  return Bun.spawn([process.execPath, PROGRAM_PATH, ...words], {
    cwd: ROOT,
    env: environment(more),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
}

/** Runs a command in this process. */
async function overround(words: readonly string[], more?: Readonly<Record<string, string>>): Promise<Ended> {
  const { code, output, errors } = await runCommand(words, environment(more));
  const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
  return { code, output: textOf(output), errors: textOf(errors) };
}

/** Runs a command in a process of its own, to its end. */
async function ended(words: readonly string[], more?: Readonly<Record<string, string>>): Promise<Ended> {
  const child = start(words, more);
  const [output, errors, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, output, errors };
}

describe('query', () => {
  test('a handicap belongs to the team that the words name, home or away', async () => {
    const [home, away, signed] = await Promise.all([
      overround(['query', 'arsenal -0.75', '--json']),
      overround(['query', 'chelsea +0.75', '--json']),
      overround(['query', 'chelsea', '-0.75', '--json']),
    ]);
    expect([home.errors, away.errors]).toEqual(['', '']);
    const comparison = JSON.parse(home.output).comparison;
    expect(comparison).toMatchObject({ market_type: 'asian_handicap', line: -0.75, book_count: 2 });
    expect(JSON.parse(away.output).comparison).toMatchObject({
      line: -0.75,
      best_prices: comparison.best_prices.map(({ price }: { price: number }) => ({ price })),
    });
    // Chelsea -0.75 is the same line as Arsenal +0.75, which nobody offers.
    expect(JSON.parse(signed.output).comparison).toMatchObject({ line: 0.75, book_count: 0 });
  });

  test('query shows books, the best price of each side and fair odds as text', async () => {
    const { code, output } = await overround(['query', 'arsenal chelsea over 2.5', '--format', 'american']);
    expect(code).toBe(0);
    expect(output).toContain('Arsenal vs Chelsea');
    expect(output).toMatch(/pinnacle +2\.5 +-105\* +-105\*/);
    expect(output).toMatch(/fair, of pinnacle \(decimal\) +2\.5 +2 +2$/m);
  });

  test.each([
    [
      ['query', 'racing'],
      3,
      /several match\. Write both team names, or one of these ids:\n {2}evt_\w+ {2}(Racing Club|Nacional) vs/,
    ],
    [['query', 'chel'], 3, /none on the slate is a certain match/],
    [['query', 'อาร์เซนอล'], 3, /Write both team names in Latin letters/],
    [['query', 'arsenal 2.5'], 2, /a handicap or a total\. Write \+2\.5/],
    [
      ['query', 'arsenal chelsea', '-0.75'],
      3,
      /Cannot use the handicap -0\.75: it could be that of either team\. Write --line -0\.75 for Arsenal -0\.75, or --line 0\.75 for Chelsea/,
    ],
    [['odds', 'arsenal', '--format', 'amercan'], 2, /the nearest is american/],
    [['odds', 'evt_00000000'], 2, /./],
    [['value', 'arsenal', '--limit', '3'], 2, /one fixture is named/],
    [['watch', '--league', 'lg_00000000'], 2, /./],
    [['watch', 'arsenal btts'], 2, /both teams to score/],
    [['watch', 'arsenal 2.5'], 2, /a handicap or a total/],
    [['watch', 'arsenal over 9.5'], 4, /no book offers that now/],
    [['mirror'], 2, /--to <file> is missing/],
  ] as const)('the words %j are refused or answered with a question', async (words, status, message) => {
    const { code, output, errors } = await overround(words);
    expect([code, output]).toEqual([status, '']);
    expect(errors).toMatch(message);
  });
});

describe('events and today', () => {
  test('events lists fixtures under their league, with local kickoff, status and the best open price of each outcome', async () => {
    const zone = 'Pacific/Kiritimati';
    const { code, output, errors } = await ended(['events', 'arsenal'], { TZ: zone });
    expect([code, errors]).toEqual([0, '']);
    const { scheduled_at } = await eventOf('Arsenal');
    const local = Temporal.Instant.from(scheduled_at).toZonedDateTimeISO(zone).toPlainDateTime().toString();
    const row = output.split('\n').find((line) => line.includes('Arsenal vs Chelsea'))!;
    expect(row).toMatch(/ scheduled +Arsenal vs Chelsea +2\.2 +3\.6 +4\.4 +evt_\w+$/);
    expect(row.startsWith(local.slice(5, 16).replace('T', ' '))).toBe(true);
    expect(output).toMatch(/^1 fixture\. Kickoffs are in Pacific\/Kiritimati$/m);
  });

  test('every fixture of the server is listed: alone, by its names, by its day, and with --json', async () => {
    const whole = JSON.parse((await overround(['events', '--json'])).output);
    expect(whole).toMatchObject({ count: 3, total: 3, truncated: false });
    for (const { id, home_team, scheduled_at } of whole.fixtures) {
      for (const timezone of ['UTC', 'Asia/Tokyo', 'America/Los_Angeles']) {
        const day = Temporal.Instant.from(scheduled_at).toZonedDateTimeISO(timezone).toPlainDate().toString();
        const words = [home_team.name.toLowerCase(), '--date', day, '--timezone', timezone, '--json'];
        const { fixtures } = JSON.parse((await overround(['events', ...words])).output);
        expect(fixtures.map((one: { id: string }) => one.id)).toEqual([id]);
      }
    }
  });

  test('events takes a day and a limit; a day without fixtures is no error; unknown words and an invalid day have exit codes of their own', async () => {
    const [today, limited, empty, unknown, wrong, two] = await Promise.all([
      overround(['today', '--json']),
      overround(['events', '--limit', '1']),
      overround(['events', 'arsenal', '2031-01-01']),
      overround(['events', 'zzyzx']),
      overround(['events', '--date', '2026-02-30']),
      overround(['events', 'today', '--date', 'tomorrow']),
    ]);
    // All three fixtures kick off in an hour. Shortly before midnight that is tomorrow, so none is today.
    expect(JSON.parse(today.output).fixtures.length % 3).toBe(0);
    expect(limited.output).toContain('3 fixtures, the first 1 are shown (--limit 3 shows all)');
    const zone = new Intl.DateTimeFormat('en').resolvedOptions().timeZone;
    expect([empty.code, empty.output]).toEqual([
      0,
      expect.stringContaining(`No fixtures on 2031-01-01 (${zone}); 1 on other days`),
    ]);
    for (const days of [['sonntag'], ['--date', 'this weekend'], ['28', 'Nov'], ['--date', 'sun']]) {
      const { code, output } = await overround(['events', ...days, '--json']);
      const { date, date_to } = JSON.parse(output);
      expect([days, code, date_to === null]).toEqual([days, 0, !days.includes('this weekend')]);
      expect(new Date(date).toISOString().slice(0, 10)).toBe(date);
    }
    expect([unknown.code, wrong.code, two.code]).toEqual([3, 2, 2]);
    expect(wrong.errors).toContain('allowed is a date such as 2026-03-01');
    expect(two.errors).toContain('are two days');
  });
});

describe('odds, value and arbs', () => {
  test('odds selects the market, period and line that the words name, and refuses what does not exist', async () => {
    const { output } = await overround(['odds', 'arsenal over 2.5', '--json']);
    const { event, odds } = JSON.parse(output) as { event: { id: string }; odds: Record<string, unknown>[] };
    expect(odds.length).toBeGreaterThan(0);
    for (const quote of odds) expect(quote).toMatchObject({ market_type: 'totals', line: 2.5 });
    const whole = JSON.parse((await overround(['odds', event.id, '--json'])).output) as { odds: unknown[] };
    expect(whole.odds.length).toBeGreaterThan(odds.length);
    const refused = await overround(['odds', 'arsenal corners']);
    expect([refused.code, refused.errors]).toEqual([2, expect.stringContaining('corners')]);
  });

  test('odds marks the best open price of each outcome', async () => {
    const { output } = await overround(['odds', 'arsenal', 'chelsea', '--market', '1x2']);
    expect(output).toMatch(/^market +line +outcome +crown +pinnacle$/m);
    expect(output).toMatch(/^1x2 +home +2\.2\* +2 *$/m);
    expect(output).toMatch(/^ +away +4\.1 +4\.4\*$/m);
  });

  test('value finds the price above fair on the slate and for the fixture; arbs finds prices that cost less than they return', async () => {
    const [all, one, arbs] = await Promise.all([
      overround(['value', '--min-edge', '2']),
      overround(['value', 'arsenal', '--json']),
      overround(['arbs']),
    ]);
    expect(all.output).toMatch(/^ *\d\.\d\d% +2\.2 +2\.\d+ +home +crown +Arsenal vs Chelsea .* 1x2 /m);
    expect(JSON.parse(one.output).value_bets[0]).toMatchObject({
      bookmaker: 'crown',
      outcome: 'home',
      price: 2.2,
    });
    expect(arbs.output).toMatch(
      /^ *4\.21% +home 2\.2 crown, draw 3\.6 pinnacle, away 4\.4 pinnacle +Arsenal vs Chelsea /m,
    );
  });
});

test('no server, a server of another kind and a dead key each have an exit status, and advice', async () => {
  using other = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('<html>') });
  const keyPath = join(folder.path, 'key');
  await Bun.write(keyPath, 'isk_dead\n');
  const [none, wrong, dead, twice] = await Promise.all([
    overround(['arbs'], { OVERROUND_URL: 'http://127.0.0.1:1' }),
    overround(['arbs'], { OVERROUND_URL: `http://127.0.0.1:${other.port}` }),
    overround(['arbs'], { OVERROUND_API_KEY: '', OVERROUND_API_KEY_FILE: keyPath }),
    overround(['arbs'], { OVERROUND_API_KEY_FILE: keyPath }),
  ]);
  expect([none.code, wrong.code, dead.code, twice.code]).toEqual([4, 1, 5, 1]);
  expect(none.errors).toContain('set OVERROUND_URL to another one');
  expect(wrong.errors).toContain('it is not JSON');
  expect(dead.errors).toContain('Set OVERROUND_API_KEY to a live key');
  expect(twice.errors).toContain('OVERROUND_API_KEY_FILE');
});

/** Sends messages again and again, each time at a higher price, until it is disposed of. */
function movingPrice(from: number, messagesAt: (price: number) => readonly WireMessage[]): Disposable {
  let price = from;
  const moving = setInterval(() => {
    price += 0.01;
    for (const message of messagesAt(price)) feed.send(message);
  }, 50);
  return { [Symbol.dispose]: () => clearInterval(moving) };
}

describe('watch', () => {
  test('watch prints a line for each price that moves if standard output is not a terminal', async () => {
    const child = start(['watch', 'arsenal', '--json']);
    const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    using _moving = movingPrice(2.2, (price) => [
      quote('e1', { ...WINNER, bookmaker: 'crown', prices: [price, 3.5, 4.1] }),
    ]);
    const { value } = await lines.read();
    const line = JSON.parse(value!.split('\n')[0]!);
    expect(line).toMatchObject({ home_team: 'Arsenal', bookmaker: 'crown', former_prices: { draw: 3.5 } });
    expect(line.prices.home).toBeGreaterThan(line.former_prices.home);
    child.kill('SIGINT');
    expect(await child.exited).toBe(0);
  });

  test.each([
    ['arsenal moneyline', { market_type: '1x2', line: null }],
    ['arsenal ml', { market_type: '1x2', line: null }],
    ['arsenal chelsea over 2,5', { market_type: 'totals', line: 2.5 }],
    ['chelsea +0,75', { market_type: 'asian_handicap', line: -0.75 }],
  ] as const)('watch follows only the market and the line that words name: %s', async (words, expected) => {
    const child = start(['watch', words, '--json']);
    const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    using _moving = movingPrice(3, (price) => {
      const books = { bookmaker: 'macau', prices: [price, price] };
      return [
        quote('e1', { ...WINNER, ...books, prices: [price, 3.5, 4.1] }),
        quote('e1', { market_type: 'totals', line: 2.5, ...books }),
        quote('e1', { market_type: 'totals', line: 3.5, ...books }),
        quote('e1', { line: -0.75, ...books }),
      ];
    });
    let text = '';
    while (text.split('\n').length < 4) {
      const { done, value } = await lines.read();
      if (done) throw new Error(await child.stderr.text());
      text += value;
    }
    for (const line of text.split('\n').slice(0, 3)) expect(JSON.parse(line)).toMatchObject(expected);
    child.kill('SIGINT');
    expect(await child.exited).toBe(0);
  });

  test('watch ends when nobody reads its lines any more', async () => {
    const child = start(['watch', 'arsenal']);
    using _moving = movingPrice(3, (price) => [
      quote('e1', { ...WINNER, bookmaker: 'macau', prices: [price, 3.5, 4.1] }),
    ]);
    const lines = child.stdout.getReader();
    await lines.read();
    await lines.cancel();
    expect(await child.exited).toBe(0);
  });

  test.each([
    ['q', {}],
    ['SIGTERM', { NO_COLOR: '1' }],
  ] as const)(
    'watch draws a screen, follows its size, and leaves the terminal as it was: %s',
    async (end, more) => {
      let screen = '';
      const child = Bun.spawn([process.execPath, PROGRAM_PATH, 'watch', '--status', 'scheduled'], {
        cwd: ROOT,
        env: environment(more),
        terminal: { cols: 100, rows: 8, data: (_, bytes) => (screen += Buffer.from(bytes).toString()) },
      });
      await until('a fixture is drawn', () => screen.includes('Arsenal vs Chelsea'));
      expect(screen.startsWith('\x1b[?1049h\x1b[?25l')).toBe(true);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the test searches for colour codes
      expect(/\x1b\[[123]\d?m/.test(screen)).toBe(end === 'q');
      screen = '';
      child.terminal!.resize(40, 6);
      await until('it is drawn again', () => screen.includes('q quit') || screen.includes('1-3 of'));
      const frame = screen.slice(screen.lastIndexOf('\x1b[H'));
      const rows = Bun.stripANSI(frame)
        .split('\n')
        .map((row) => row.replaceAll('\r', ''));
      expect(rows).toHaveLength(6);
      for (const row of rows) expect(Bun.stringWidth(row)).toBeLessThanOrEqual(40);
      if (end === 'q') child.terminal!.write('q');
      else child.kill(end);
      expect(await child.exited).toBe(0);
      await until('the terminal is left', () => screen.endsWith('\x1b[?25h\x1b[?1049l'));
    },
  );
});

describe('mirror', () => {
  test('mirror resumes at the end of its file, even after a kill, and the server’s slate can be rebuilt from the file', async () => {
    const path = join(folder.path, 'killed.ndjson');
    const first = start(['mirror', '--to', path]);
    await until('the file has a snapshot', () => isFilled(path));
    first.kill('SIGKILL');
    await first.exited;
    await move(2.01);
    const second = await ended(['mirror', '--to', path, '--once', '--json']);
    expect(second).toMatchObject({ code: 0, errors: expect.stringContaining('Resumes') });
    expect(JSON.parse(second.output)).toMatchObject({ resumed: true, lines_written: 1 });
    expect(slateIn(path)).toEqual(await slateOfServer());
    expect(snapshotsIn(path)).toBe(1);
  });

  test('mirror reconnects when the connection breaks, and resumes from its cursor', async () => {
    await using proxy = await CuttableProxy.to(service.url);
    const path = join(folder.path, 'cut.ndjson');
    const child = start(['mirror', '--to', path], { OVERROUND_URL: proxy.url });
    const errors = child.stderr.text();
    await until('the file has a snapshot', () => isFilled(path));
    proxy.cut();
    await move(2.02);
    proxy.restore();
    const expected = JSON.stringify(await slateOfServer());
    await until('the file has what moved meanwhile', () => JSON.stringify(slateIn(path)) === expected);
    child.kill('SIGTERM');
    expect(await child.exited).toBe(0);
    expect(await errors).toMatch(/retrying in (?:0\.[5-9]|1\.0) s/);
    // The command resumed from its cursor, so the slate was sent only once.
    expect(snapshotsIn(path)).toBe(1);
  });
});

test('a command waits for a rate limit that ends in a second, but not for one that ends in an hour', async () => {
  let asked = 0;
  const refusal = (seconds: number) =>
    Response.json(
      { error: { message: 'Cannot go on: too many', fix: null, retry_after_seconds: seconds } },
      { status: 429 },
    );
  using other = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      if (request.url.endsWith('/scan_slate'))
        return ++asked === 1
          ? refusal(1)
          : Response.json({ not_scored: 0, summary: 'None', note: null, entries: [] });
      return refusal(3_600);
    },
  });
  const OVERROUND_URL = `http://127.0.0.1:${other.port}`;
  const [soon, late] = await Promise.all([
    overround(['arbs'], { OVERROUND_URL }),
    overround(['arbs', 'arsenal'], { OVERROUND_URL }),
  ]);
  expect(soon).toEqual({
    code: 0,
    output: 'None\n',
    errors: 'Cannot go on: too many; retrying in 1 s\n',
  });
  expect(late).toEqual({ code: 4, output: '', errors: 'Cannot go on: too many\n' });
});

// Last, because other tests count the fixtures.
test('events of a league lists only its own fixtures, even if another league or a team contains its name', async () => {
  const league = (key: string, name: string, home: string, away: string): WireMessage => ({
    ...match(key, home, away),
    league: { key: `league-${key}`, name },
  });
  const leagues = [
    league('b1', 'Germany Bundesliga', 'Bayern Munich', 'Borussia Dortmund'),
    league('b2', 'Germany Bundesliga 2', 'Schalke 04', 'Hertha Berlin'),
    league('b3', 'Austria Bundesliga', 'Rapid Wien', 'Sturm Graz'),
    league('s1', 'Spain La Liga', 'Real Madrid', 'Sevilla'),
    league('s2', 'Spain La Liga 2', 'Malaga', 'Cadiz'),
  ];
  for (const fixture of leagues) feed.send(fixture);
  await until('they are listed', async () => {
    const { data } = await service.get<{ data: unknown[] }>('/v1/events');
    return data.length === 3 + leagues.length;
  });
  const namesOf = async (words: string): Promise<string[]> => {
    const { output } = await overround(['events', ...words.split(' '), '--json']);
    const { fixtures } = JSON.parse(output) as { fixtures: { league: { name: string } }[] };
    return fixtures.map((fixture) => fixture.league.name);
  };
  const asked = ['bundesliga', 'la liga', 'bundesliga 2', 'austria bundesliga'];
  expect(await Promise.all(asked.map(namesOf))).toEqual([
    ['Germany Bundesliga'],
    ['Spain La Liga'],
    ['Germany Bundesliga 2'],
    ['Austria Bundesliga'],
  ]);
});

async function eventOf(homeName: string): Promise<{ scheduled_at: string }> {
  const { data } = await service.get<{ data: { home_team: { name: string }; scheduled_at: string }[] }>(
    '/v1/events',
  );
  return data.find(({ home_team }) => home_team.name === homeName)!;
}

function isFilled(path: string): boolean {
  return existsSync(path) && readFileSync(path, 'utf8').includes('"last":true');
}

/** How many parts of snapshots the file has. The slate of this test is one part. */
function snapshotsIn(path: string): number {
  return readFileSync(path, 'utf8').match(/"event":"snapshot"/g)?.length ?? 0;
}

/** Changes HKJC's home price; resolves when the server shows it. */
async function move(home: number): Promise<void> {
  feed.send(quote('e1', { ...WINNER, bookmaker: 'hkjc', prices: [home, 3.3, 4] }));
  await until('the server shows it', async () =>
    JSON.stringify(await slateOfServer()).includes(`{"home":${home},`),
  );
}

type Slate = Record<string, Record<string, unknown>>;
interface Change {
  readonly event_id: string;
  readonly replace: boolean;
  readonly odds: readonly {
    bookmaker: string;
    market_type: string;
    period: string;
    line: number | null;
    prices: unknown;
  }[];
}

/** The slate that results from the lines of a mirror's file. */
function slateIn(path: string): Slate {
  let slate: Slate = {};
  const lines = readFileSync(path, 'utf8').split('\n').slice(1, -1);
  for (const { data } of lines.map(
    (line) => JSON.parse(line) as { data: { part?: number; fixtures: Change[] } },
  )) {
    if (data.part === 1) slate = {};
    take(slate, data.fixtures);
  }
  return sorted(slate);
}

async function slateOfServer(): Promise<Slate> {
  const slate: Slate = {};
  take(slate, (await service.get<{ fixtures: Change[] }>('/v1/odds')).fixtures);
  return sorted(slate);
}

function take(slate: Slate, fixtures: readonly Change[]): void {
  for (const { event_id, replace, odds } of fixtures) {
    const quotes = replace ? {} : slate[event_id]!;
    for (const q of odds) quotes[[q.bookmaker, q.market_type, q.period, q.line].join()] = q.prices;
    slate[event_id] = quotes;
  }
}

function sorted(slate: Slate): Slate {
  const byName = <Value>(record: Record<string, Value>) => Object.fromEntries(Object.entries(record).sort());
  return byName(Object.fromEntries(Object.entries(slate).map(([id, quotes]) => [id, byName(quotes)])));
}
