// A service with several sources at once: one joined slate, what happens to it when a source is lost and
// returns, the command that shows what was joined, and a recording of the slate.

import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { IsportsStandIn } from '../feed/isports/stand-in.ts';
import { OddsApiStandIn } from '../feed/the-odds-api/stand-in.ts';
import { eventWire, heartbeatWire, helloWire, quoteWire, stateWire, type WireMessage } from '../feed/wire.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { runCommand } from '../support/command-line.ts';
import { until } from '../support/condition.ts';
import { oddsApiMatch } from '../support/odds-api-match.ts';
import { runService } from '../support/running-service.ts';
import { ServerProcess } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { PROGRAM_PATH } from '../support/test-program.ts';
import { everyAnswer } from './every-answer.ts';

interface Quote {
  readonly bookmaker: string;
  readonly market_type: string;
  readonly line: number | null;
  readonly prices: Record<string, number>;
  readonly status: string;
}
interface Ready {
  readonly sources: readonly { readonly name: string; readonly state: string }[];
}

/**
 * The match of The Odds API with home and away exchanged and a kickoff five minutes later; another match; and
 * handicaps of Crown.
 */
function fillIsports(standIn: IsportsStandIn, kickoffMs: number): void {
  const kickoff = Math.floor(kickoffMs / 1_000) + 300;
  standIn.addMatch('7', { home: 'Fulham FC', away: 'Brentford FC', kickoff });
  standIn.addMatch('8', { home: 'Arsenal', away: 'Chelsea', kickoff });
  for (const id of ['7', '8']) standIn.addPlace(id, 'handicap', [0.75, 0.9, 0.94], { init: [1, 1.04, 0.8] });
}

async function commandOutput(
  words: readonly string[],
  dataDir: string,
): Promise<{ code: number; text: string }> {
  const { code, lines } = await runCommand(words, { DATA_DIR: dataDir });
  return { code, text: lines.join('\n') };
}

describe('a service with several sources', () => {
  test('serves one slate of both sources, and suspends the quotes of a lost source until it returns', async () => {
    using oddsApi = new OddsApiStandIn(() => Date.now());
    using isports = new IsportsStandIn(() => Date.now());
    const kickoffMs = Math.ceil(Date.now() / 60_000) * 60_000 + 2 * 3_600_000;
    oddsApi.creditsLeft = 20_000;
    oddsApi.fixtures = [oddsApiMatch(kickoffMs)];
    fillIsports(isports, kickoffMs);
    await using service = await runService({
      FEED: 'the-odds-api,isports',
      THE_ODDS_API_URL: oddsApi.url,
      THE_ODDS_API_KEY: OddsApiStandIn.KEY,
      THE_ODDS_API_SPORTS: 'soccer_epl',
      THE_ODDS_API_EVERY_S: '1',
      ISPORTS_URL: isports.url,
      ISPORTS_API_KEY: IsportsStandIn.KEY,
      ISPORTS_SPORTS: 'football:English Premier League',
      LIVE_FRESHNESS_S: '12',
      PREMATCH_FRESHNESS_S: '15',
    });
    const { data: events } = await service.get<{
      data: { id: string; home_team: { name: string }; scheduled_at: string }[];
    }>('/v1/events');
    expect(events.map((event) => event.home_team.name).sort()).toEqual(['Arsenal', 'Brentford']);
    const { id, scheduled_at } = events.find((event) => event.home_team.name === 'Brentford')!;
    expect(Date.parse(scheduled_at)).toBe(kickoffMs);
    const quotes = async () => {
      const answer = await service.get<{ odds: Quote[]; stale: boolean }>(`/v1/events/${id}/odds`);
      const odds = answer.odds.map(({ bookmaker, line, prices, status }) => ({
        bookmaker,
        line,
        prices,
        status,
      }));
      return { odds: odds.sort((a, b) => (a.bookmaker < b.bookmaker ? -1 : 1)), stale: answer.stale };
    };
    // iSports lists Fulham -0.75 at home. On this slate that is Brentford +0.75, with the prices exchanged.
    const crown = { bookmaker: 'crown', line: 0.75, prices: { home: 1.94, away: 1.9 }, status: 'open' };
    const pinnacle = {
      bookmaker: 'pinnacle',
      line: null,
      prices: { home: 2.1, draw: 3.7, away: 3.3 },
      status: 'open',
    };
    expect(await quotes()).toEqual({ odds: [crown, pinnacle], stale: false });
    const ready = await service.get<Ready>('/ready');
    expect(ready.sources.map(({ name, state }) => [name, state])).toEqual([
      ['the-odds-api', 'ok'],
      ['isports', 'ok'],
    ]);

    // The opening price of iSports belongs to the line at which the market opened, so the opening of the line
    // that is quoted now is its first price.
    const other = events.find((event) => event.home_team.name === 'Arsenal')!.id;
    const { odds } = await service.get<{ odds: Quote[] }>(`/v1/events/${other}/odds`);
    expect(odds).toMatchObject([{ bookmaker: 'crown', line: -0.75, prices: { home: 1.9, away: 1.94 } }]);
    const opened = await service.get(`/v1/events/${other}/opening`);
    expect(opened).toMatchObject({ source: 'first_seen', opening: [{ line: -0.75, prices: { home: 1.9 } }] });
    expect(await service.post('/v1/mcp/get_opening_line', { query: other })).toMatchObject({
      source: 'upstream',
      lines: [{ line: -1, opening: { home: 2.04, away: 1.8 }, current_line: -0.75 }],
    });

    const asked = await commandOutput(['feed', 'match'], service.dataDir);
    expect(asked).toMatchObject({ code: 0 });
    expect(asked.text).toContain(`Joined: 1\n  ${id}`);
    expect(asked.text).toContain('Fulham FC v Brentford FC');
    expect(asked.text).toContain('home and away exchanged');
    expect(asked.text).toContain('in the-odds-api: no fixture there has similar names at that time');
    const { text: json } = await commandOutput(['feed', 'match', '--json'], service.dataDir);
    expect(JSON.parse(json)).toMatchObject({
      sources: ['the-odds-api', 'isports'],
      joined: [{ id, fixtures: [{ swapped: false }, { swapped: true }] }],
      apart: [{ fixture: { home: 'Arsenal' }, in: 'the-odds-api', why: 'nothing_then', nearest: [] }],
    });

    oddsApi.fault = () => new Response('gone', { status: 500 });
    await until('the lost source is suspended', async () => (await quotes()).odds[1]!.status === 'suspended');
    expect(await quotes()).toEqual({ odds: [crown, { ...pinnacle, status: 'suspended' }], stale: false });
    const failing = await service.get<Ready>('/ready');
    expect(failing.sources.map(({ state }) => state)).toEqual(['failing', 'ok']);
    expect(await service.get('/health')).toMatchObject({ status: 'degraded', matches: 2 });
    oddsApi.fault = () => null;
    await until('it is back', async () => (await quotes()).odds[1]!.status === 'open');
    expect(await quotes()).toEqual({ odds: [crown, pinnacle], stale: false });
  });

  test('does not start if a bookmaker could come from both sources, or if the file of joins is wrong', async () => {
    await expect(runService({ FEED: 'replay:a.ndjson,simulator' })).rejects.toThrow('a.ndjson');
    await expect(runService({ FEED: 'ws://127.0.0.1:1,simulator' })).rejects.toThrow(
      'Bookmaker "crown" may come from websocket and simulator: give it "feed": "websocket"',
    );
    using folder = temporaryFolder();
    const FEED_MATCH = join(folder.path, 'match.json');
    const FEED = 'isports,the-odds-api';
    const keys = { ISPORTS_API_KEY: 'a', THE_ODDS_API_KEY: 'b' };
    await Bun.write(FEED_MATCH, '{"join": [{"isports": "1", "the-odds-ap": "2"}]}');
    await expect(runService({ FEED, FEED_MATCH, ...keys })).rejects.toThrow(
      'join[0] names "the-odds-ap", which does not run; the nearest that does is "the-odds-api"',
    );
  });
});

const NOW = '2026-03-01T12:00:00.000Z';

/** A recording of one bookmaker with two matches: one that only it has, and one that both recordings have. */
function recordingOf(source: number, bookmaker: string): string {
  const teams = [['Arsenal', 'Chelsea'], source === 0 ? ['Leeds United', 'Fulham'] : ['Everton', 'Burnley']];
  const events = teams.map(([home, away], index) => {
    const name = (team: string) => ({ key: `${source} ${team}`, name: source === 0 ? team : `${team} FC` });
    const league = { key: `${source}`, name: 'English Premier League' };
    return eventWire(0, `${source}-${index}`, { league, home: name(home!), away: name(away!) });
  });
  const wires: WireMessage[] = [
    helloWire({ at: NOW }),
    ...events,
    ...[0, 1].flatMap((index) => [
      quoteWire(0, `${source}-${index}`, { bookmaker, at: '2026-03-01T11:00:00.000Z' }),
      quoteWire(0, `${source}-${index}`, { bookmaker, at: '2026-03-01T11:30:00.000Z', prices: [1.9, 2.05] }),
    ]),
    stateWire(0, `${source}-0`, { score: [source, 1], clock: source === 1 ? '1h 12' : null }),
    heartbeatWire(0, { at: NOW }),
  ];
  return wires.map((wire, seq) => JSON.stringify({ ...wire, seq })).join('\n');
}

/** All answers of a server, once it has a slate. */
async function everything(server: ServerProcess): Promise<Record<string, string>> {
  const url = await server.listening();
  const [, key] = await server.logged(/key="(isk_\w+)"/);
  await until('the slate is there', async () => (await fetch(`${url}/ready`)).status === 200);
  return everyAnswer({ url, key: key! });
}

test('a recording of a server with two sources is replayed with the same bytes under one FEED_NOW', async () => {
  using folder = temporaryFolder();
  const path = (name: string) => join(folder.path, name);
  const roster = [
    { key: 'crown', name: 'Crown', class: 'asian', feed: 'replay' },
    { key: 'pinnacle', name: 'Pinnacle', class: 'sharp', feed: 'replay-2' },
  ];
  await Bun.write(path('roster.json'), JSON.stringify({ bookmakers: roster }));
  await Bun.write(path('first.ndjson'), recordingOf(0, 'crown'));
  await Bun.write(path('second.ndjson'), recordingOf(1, 'pinnacle'));
  const settings = { BOOKMAKERS: path('roster.json'), FEED_NOW: NOW };
  const feed = `replay:${path('first.ndjson')},replay:${path('second.ndjson')}`;
  await using joined = new ServerProcess({ ...settings, FEED: feed });
  const expected = await everything(joined);
  // Three matches: one that both sources have, and one of each source.
  expect(Object.keys(expected).filter((path) => path.endsWith('/odds'))).toHaveLength(3);
  const recorder = Bun.spawn([process.execPath, PROGRAM_PATH, 'record', path('joined.ndjson')], {
    env: { ...childEnvironment(), DATA_DIR: joined.dataDir, BOOKMAKERS: settings.BOOKMAKERS },
    stdout: 'ignore',
    stderr: 'pipe',
  });
  await until('the slate is recorded', async () => {
    const file = Bun.file(path('joined.ndjson'));
    return (await file.exists()) && (await file.text()).split('\n').length > 8;
  });
  recorder.kill('SIGINT');
  expect(await recorder.exited).toBe(0);
  await using replayed = new ServerProcess({ ...settings, FEED: `replay:${path('joined.ndjson')}` });
  expect(await everything(replayed)).toEqual(expected);
});
