// Lists by day: in which zone a day is counted, local times, days of 23 or 25 hours, matches still live from
// yesterday, limits and ranges.

import { describe, expect, test } from 'bun:test';
import { ServiceError, ValidationError } from '../../../src/errors.ts';
import { failureOf } from '../../support/failure.ts';
import { football, quote, state } from '../made-up-slate.ts';
import { type AskTool, toolsOver } from '../scanning-slate.ts';
import { type Answer, type Wire, WireSlate } from '../wire-slate.ts';

interface Listed {
  readonly home_team: string;
  readonly summary: string;
  readonly scheduled_at: string | null;
  readonly scheduled_at_local?: string | null;
}

/**
 * Fixtures that kick off at these times and have numbers as names; the feed sent its last message at `now`.
 */
function kickingOff(times: readonly (string | null)[], now: string, more: readonly Wire[] = []): AskTool {
  const slate = new WireSlate();
  const events = times.map((time, index) => {
    const event = football(`f${index}`, `Team ${index}`, `Other ${index}`, time ?? '');
    const { scheduled_at: _scheduledAt, ...rest } = event;
    return time === null ? rest : event;
  });
  slate.feed(
    [...events, ...more].map((wire) => ({ ...wire, at: now })),
    Date.parse(now),
  );
  return toolsOver(slate);
}

function teamsOf(answer: Answer): string[] {
  return (answer.matches as Listed[]).map((match) => match.home_team);
}

describe('list_today_matches', () => {
  const NOW = '2026-03-01T23:30:00Z';
  const nowMs = Date.parse(NOW);
  const times = [
    '2026-02-28T23:59:59Z',
    '2026-03-01T00:00:00Z',
    '2026-03-01T14:59:59Z',
    '2026-03-01T15:00:00Z',
    '2026-03-01T23:59:59Z',
    '2026-03-02T00:00:00Z',
    '2026-03-02T14:59:59Z',
    '2026-03-02T15:00:00Z',
    null,
  ];

  test('today is the UTC day, exact at both ends; a time zone moves the ends', async () => {
    const ask = kickingOff(times, NOW);
    const utc = await ask('list_today_matches', {}, nowMs);
    expect([utc.date, utc.count]).toEqual(['2026-03-01', 4]);
    expect(teamsOf(utc)).toEqual(['Team 1', 'Team 2', 'Team 3', 'Team 4']);
    const tokyo = await ask('list_today_matches', { timezone: 'Asia/Tokyo' }, nowMs);
    expect(tokyo.date).toBe('2026-03-02');
    expect(teamsOf(tokyo)).toEqual(['Team 3', 'Team 4', 'Team 5', 'Team 6']);
    const honolulu = await ask('list_today_matches', { timezone: 'Pacific/Honolulu' }, nowMs);
    expect(honolulu.date).toBe('2026-03-01');
    expect(teamsOf(honolulu)).toEqual(['Team 2', 'Team 3', 'Team 4', 'Team 5']);
  });

  test('kickoff times are local in summaries, but UTC in scheduled_at', async () => {
    const ask = kickingOff(['2026-03-01T23:45:00Z'], NOW);
    const [utc] = (await ask('list_today_matches', {}, nowMs)).matches as Listed[];
    expect(utc!.summary).toEndWith('kicks off 2026-03-01 23:45 UTC.');
    const [local] = (await ask('list_today_matches', { timezone: 'Asia/Kolkata' }, nowMs))
      .matches as Listed[];
    expect(local!.summary).toEndWith('kicks off 2026-03-02 05:15 (Asia/Kolkata).');
    expect(local!.scheduled_at).toBe('2026-03-01T23:45:00.000Z');
  });

  test('a match still live from yesterday is listed; a match that ended yesterday is not', async () => {
    const now = '2026-03-02T00:20:00Z';
    const ask = kickingOff(['2026-03-01T22:45:00Z', '2026-03-01T19:00:00Z', '2026-03-02T20:00:00Z'], now, [
      state('f0', 'live', [2, 2], '2h 80'),
      ...quote('f0', 'crown', '1x2', null, [2, 3, 4]),
    ]);
    const today = await ask('list_today_matches', {}, Date.parse(now));
    expect(teamsOf(today)).toEqual(['Team 0', 'Team 2']);
    const live = await ask('list_today_matches', { status: 'live' }, Date.parse(now));
    expect((live.matches as Listed[])[0]).toMatchObject({
      status: 'live',
      score: { home: 2, away: 2 },
      clock: '2h 80',
      confidence: null,
      summary: 'Team 0 vs Other 0, football league: live 2-2 (2h 80).',
    });
    const strict = await ask('list_events', { date: '2026-03-02' }, Date.parse(now));
    expect(teamsOf(strict)).toEqual(['Team 2']);
  });

  test('a scheduled match has no score and no clock, even if the feed sent them', async () => {
    const ask = kickingOff(['2026-03-01T23:45:00Z'], NOW, [state('f0', 'scheduled', [0, 0], 'pre')]);
    const [match] = (await ask('list_today_matches', {}, nowMs)).matches as Listed[];
    expect(match).toMatchObject({ status: 'scheduled', score: null, clock: null });
  });

  test('limit is 1 to 200, by default 50', async () => {
    const ask = kickingOff(
      Array.from({ length: 230 }, () => '2026-03-01T23:40:00Z'),
      NOW,
    );
    for (const [input, count] of [
      [{}, 50],
      [{ limit: 1 }, 1],
      [{ limit: 200 }, 200],
    ] as const) {
      const answer = await ask('list_today_matches', input, nowMs);
      expect([answer.count, teamsOf(answer).length]).toEqual([count, count]);
    }
    for (const limit of [0, 201, -1, 2.5, '50']) {
      expect(await failureOf(ask('list_today_matches', { limit }, nowMs))).toBeInstanceOf(ValidationError);
      expect(await failureOf(ask('list_events', { date: '2026-03-01', limit }, nowMs))).toBeInstanceOf(
        ValidationError,
      );
    }
  });
});

describe('list_events', () => {
  const NOW = '2026-03-20T12:00:00Z';
  const nowMs = Date.parse(NOW);

  test('a day has the hours that it really has: 23 in spring, 25 in autumn', async () => {
    // Clocks go forward on 2026-03-29 at 01:00 UTC in Madrid, back on 2026-10-25 at 01:00 UTC.
    const spring = kickingOff(
      ['2026-03-28T22:59:59Z', '2026-03-28T23:00:00Z', '2026-03-29T21:59:59Z', '2026-03-29T22:00:00Z'],
      NOW,
    );
    const day = await spring('list_events', { date: '2026-03-29', timezone: 'Europe/Madrid' }, nowMs);
    expect(teamsOf(day)).toEqual(['Team 1', 'Team 2']);
    expect((day.matches as Listed[]).map((match) => match.scheduled_at_local)).toEqual([
      '2026-03-29T00:00:00+01:00',
      '2026-03-29T23:59:59+02:00',
    ]);
    const autumn = kickingOff(
      [
        '2026-10-24T21:59:59Z',
        '2026-10-24T22:00:00Z',
        '2026-10-25T00:30:00Z',
        '2026-10-25T01:30:00Z',
        '2026-10-25T22:59:59Z',
        '2026-10-25T23:00:00Z',
      ],
      NOW,
    );
    const longDay = await autumn('list_events', { date: '2026-10-25', timezone: 'Europe/Madrid' }, nowMs);
    expect(teamsOf(longDay)).toEqual(['Team 1', 'Team 2', 'Team 3', 'Team 4']);
    // The local time 02:30 occurs twice.
    expect((longDay.matches as Listed[]).slice(1, 3).map((match) => match.scheduled_at_local)).toEqual([
      '2026-10-25T02:30:00+02:00',
      '2026-10-25T02:30:00+01:00',
    ]);
  });

  test('a day on which clocks skip midnight begins with its first hour', async () => {
    // In Santiago clocks go forward from 2026-09-06 00:00 to 01:00, which is 04:00 UTC.
    const ask = kickingOff(['2026-09-06T03:59:59Z', '2026-09-06T04:00:00Z'], NOW);
    const day = await ask('list_events', { date: '2026-09-06', timezone: 'America/Santiago' }, nowMs);
    expect(teamsOf(day)).toEqual(['Team 1']);
  });

  test('a range includes both ends, is at most 31 days long, and is not backwards', async () => {
    const ask = kickingOff(['2026-03-01T00:00:00Z', '2026-03-31T23:59:59Z', '2026-04-01T00:00:00Z'], NOW);
    const month = await ask('list_events', { date: '2026-03-01', date_to: '2026-03-31' }, nowMs);
    expect(month).toMatchObject({ date: '2026-03-01', date_to: '2026-03-31', timezone: null, count: 2 });
    const one = await ask('list_events', { date: '2026-03-31', date_to: '2026-03-31' }, nowMs);
    expect(teamsOf(one)).toEqual(['Team 1']);
    const longest = await ask('list_events', { date: '2026-03-01', date_to: '2026-04-01' }, nowMs);
    expect(longest).toMatchObject({ count: 3 });
    for (const [date, date_to] of [
      ['2026-03-01', '2026-04-02'],
      ['2026-03-02', '2026-03-01'],
      ['2026-01-01', '2027-01-01'],
    ]) {
      const failure = await failureOf(ask('list_events', { date, date_to }, nowMs));
      expect((failure as ServiceError).code).toBe('invalid_request');
      expect((failure as ServiceError).fix).toContain('31 days');
    }
    for (const date of ['2026-02-29', '2026-3-1', '31 February', 'arsenal today', '']) {
      expect(await failureOf(ask('list_events', { date }, nowMs))).toBeInstanceOf(ServiceError);
    }
  });

  test('list_events filters by sport, status and league, by name or id; has local times only with a zone', async () => {
    const ask = kickingOff(['2026-03-20T11:30:00Z', '2026-03-20T20:00:00Z'], NOW, [
      state('f0', 'live', [0, 0], '1h 30'),
    ]);
    const day = { date: '2026-03-20' };
    expect(teamsOf(await ask('list_events', { ...day, status: 'live' }, nowMs))).toEqual(['Team 0']);
    expect(teamsOf(await ask('list_events', { ...day, sport: 'basketball' }, nowMs))).toEqual([]);
    expect(teamsOf(await ask('list_events', { ...day, league: 'football league' }, nowMs))).toHaveLength(2);
    const [match] = (await ask('list_events', day, nowMs)).matches as Listed[];
    expect(match!.scheduled_at_local).toBeNull();
  });
});

describe('match_info', () => {
  test('match_info has the local kickoff if a zone is given, and repeats the zone; an unknown zone is repeated without a local kickoff', async () => {
    const now = '2026-03-20T12:00:00Z';
    const ask = kickingOff(['2026-03-29T01:30:00Z'], now);
    for (const [timezone, local] of [
      ['Europe/Madrid', '2026-03-29T03:30:00+02:00'],
      ['UTC', '2026-03-29T01:30:00+00:00'],
      ['America/New_York', '2026-03-28T21:30:00-04:00'],
      ['Mars/Olympus', null],
      ['+02:00', null],
    ] as const) {
      const answer = await ask('match_info', { query: 'Team 0', timezone }, Date.parse(now));
      expect([answer.timezone, answer.scheduled_at_local]).toEqual([timezone, local]);
    }
    const plain = await ask('match_info', { query: 'Team 0' }, Date.parse(now));
    expect([plain.timezone, plain.scheduled_at_local]).toEqual([null, null]);
  });
});
