// Results over HTTP: the feed's results of finished matches, their order, filters and note. They survive
// restarts with another feed, and are deleted after thirty days.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { until } from '../support/condition.ts';
import { eventMessage, HELLO_AT, type MadeUpEvent, writeRecording } from '../support/recording-file.ts';
import { type RunningService, runService } from '../support/running-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface ServedResult {
  readonly event_id: string;
  readonly home_team: string;
  readonly finished_at: string;
}
interface ServedList {
  readonly count: number;
  readonly results: ServedResult[];
  readonly note: string | null;
}

const EVENTS: readonly MadeUpEvent[] = [
  {
    key: 'a',
    home: 'São Paulo',
    away: 'Grêmio',
    league: 'Brasileirão',
    scheduledAt: '2026-03-08T19:00:00.000Z',
  },
  {
    key: 'b',
    home: 'Arsenal',
    away: 'Chelsea',
    league: 'Premier League',
    scheduledAt: '2026-03-09T15:00:00.000Z',
  },
  {
    key: 'c',
    home: 'Chelsea Women',
    away: 'Leeds',
    league: 'FA WSL',
    scheduledAt: '2026-03-09T23:30:00.000Z',
  },
  { key: 'd', home: 'Lyon', away: 'Lille', league: 'Ligue 1', scheduledAt: '2026-03-10T08:00:00.000Z' },
  { key: 'e', home: '100%_FC', away: 'Nice', league: 'Ligue 1', scheduledAt: '2026-03-10T20:00:00.000Z' },
];
const AT = '2026-03-08T00:00:00.000Z';
const RESULTS = [
  { event: 'a', score: [2, 1], red_cards: [0, 1], finished_at: '2026-03-08T20:55:00.000Z' },
  { event: 'c', score: [0, 0], red_cards: [0, 0], finished_at: '2026-03-10T01:20:00.000Z' },
  { event: 'b', score: [3, 3], finished_at: '2026-03-09T16:50:00.000Z' },
].map((result) => ({ type: 'result', at: result.finished_at, ...result }));
/** No source sends a result of this match: the clock ends it, with its last score. */
const PLAYED = {
  type: 'state',
  at: '2026-03-10T09:45:00.000Z',
  event: 'd',
  status: 'live',
  clock: "2H 90'",
  score: [1, 4],
};

const folder = temporaryFolder();
const dataDir = folder.path;
const recording = join(dataDir, 'made-up.ndjson');
const silence = join(dataDir, 'silence.ndjson');
let first: Record<string, ServedList>;

const QUESTIONS = {
  all: '/v1/results',
  team: '/v1/results?team=CHELSEA',
  accents: '/v1/results?team=gremio&league=brasileirao',
  day: '/v1/results?date=2026-03-09',
  otherDay: '/v1/results?date=2026-03-11',
  league: '/v1/results?league=ligue',
  limit: '/v1/results?limit=2',
} as const;

beforeAll(async () => {
  const messages = [...EVENTS.map((event) => eventMessage(event, AT)), ...RESULTS, PLAYED];
  messages.sort((left, right) => String(left.at).localeCompare(String(right.at)));
  writeRecording(recording, messages);
  writeRecording(silence, []);
  await using service = await start(recording, HELLO_AT);
  // Results are written after the feed's messages have been applied, so wait for them.
  await until('every result is archived', async () => {
    return (await service.get<ServedList>('/v1/results')).count === RESULTS.length + 1;
  });
  first = await askAll(service);
  const pending = await service.get<ServedList>('/v1/results?team=nice');
  expect(pending).toEqual({ count: 0, results: [], note: expect.stringContaining('100%_FC vs Nice') });
  const { results } = first.all!;
  for (const result of results) {
    expect(await service.get<unknown>(`/v1/results/${result.event_id}`)).toEqual(result);
  }
});
afterAll(() => folder[Symbol.dispose]());

describe('the list', () => {
  test('the list has results from the feed and matches that ended by time, most recent first', () => {
    expect(first.all!.results).toEqual([
      expect.objectContaining({ home_team: 'Lyon', score: { home: 1, away: 4 }, red_cards: null }),
      {
        event_id: expect.stringMatching(/^evt_/),
        sport: 'football',
        league: 'FA WSL',
        home_team: 'Chelsea Women',
        away_team: 'Leeds',
        scheduled_at: '2026-03-09T23:30:00.000Z',
        score: { home: 0, away: 0 },
        red_cards: { home: 0, away: 0 },
        finished_at: '2026-03-10T01:20:00.000Z',
      },
      expect.objectContaining({ home_team: 'Arsenal', score: { home: 3, away: 3 }, red_cards: null }),
      expect.objectContaining({ home_team: 'São Paulo', red_cards: { home: 0, away: 1 } }),
    ] as ServedResult[]);
    expect(first.all!.note).toBeNull();
    expect(first.all!.count).toBe(4);
  });

  test('the list is filtered by part of a name without case and accents and by UTC kickoff day, and cut to the limit', () => {
    expect(homes('team')).toEqual(['Chelsea Women', 'Arsenal']);
    expect(homes('accents')).toEqual(['São Paulo']);
    expect(homes('day')).toEqual(['Chelsea Women', 'Arsenal']);
    expect(homes('otherDay')).toEqual([]);
    expect(homes('league')).toEqual(['Lyon']);
    expect(homes('limit')).toEqual(['Lyon', 'Chelsea Women']);
  });
});

describe('after a restart with a feed that has none of these matches', () => {
  let service: RunningService;
  beforeAll(async () => {
    // This is exactly thirty days after Arsenal's match finished. Only São Paulo's match finished earlier.
    service = await start(silence, '2026-04-08T16:50:00.000Z');
  });
  afterAll(() => service[Symbol.asyncDispose]());

  test('every answer is the same as before the restart, but without the match that finished more than thirty days ago', async () => {
    expect((await service.get<{ data: unknown[] }>('/v1/events')).data).toEqual([]);
    const latest = first.all!.results[0]!;
    const oldest = first.all!.results.at(-1)!;
    const answers = await askAll(service);
    for (const [question, { results }] of Object.entries(first)) {
      const kept = results.filter(({ event_id }) => event_id !== oldest.event_id);
      expect([question, answers[question]!.results]).toEqual([question, kept]);
      expect([question, answers[question]!.count]).toEqual([question, kept.length]);
    }
    expect(await service.get<unknown>(`/v1/results/${latest.event_id}`)).toEqual(latest);
    await service.get(`/v1/results/${oldest.event_id}`, 404);
    expect(homesOf(await service.get('/v1/results'))).toEqual(['Lyon', 'Chelsea Women', 'Arsenal']);
    expect(homesOf(await service.get('/v1/results?date=2026-03-08'))).toEqual([]);
  });

  test('no character in a filter is a wildcard', async () => {
    for (const text of ['%', '_', '*', 'A%l', "'", '\\']) {
      const { results } = await service.get<ServedList>(`/v1/results?team=${encodeURIComponent(text)}`);
      expect([text, results]).toEqual([text, []]);
    }
  });

  test('space around a name is ignored, and a name of only spaces is refused', async () => {
    expect(homesOf(await service.get('/v1/results?team=%20arsenal%20'))).toEqual(['Arsenal']);
    for (const field of ['team', 'league']) {
      for (const text of [' ', '\t', '\u0301']) {
        const path = `/v1/results?${field}=${encodeURIComponent(text)}`;
        const { error } = await service.get<{ error: { message: string } }>(path, 400);
        expect([path, error.message]).toEqual([path, `Cannot use ${field}: it is blank`]);
      }
    }
  });
});

async function start(path: string, now: string): Promise<RunningService> {
  return await runService({ DATA_DIR: dataDir, FEED: `replay:${path}`, FEED_NOW: now });
}

async function askAll(service: RunningService): Promise<Record<string, ServedList>> {
  const answers: Record<string, ServedList> = {};
  for (const [name, path] of Object.entries(QUESTIONS)) answers[name] = await service.get<ServedList>(path);
  return answers;
}

function homes(question: keyof typeof QUESTIONS): string[] {
  return homesOf(first[question]!);
}

function homesOf({ results }: ServedList): string[] {
  return results.map((result) => result.home_team);
}
