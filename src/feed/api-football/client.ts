// API-Football v3 as a pull source: its requests, their intervals within the day's quota, and its errors,
// which come with status 200.

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../clock.ts';
import type { BookmakerMap } from '../poll/bookmaker-map.ts';
import type { Quota } from '../poll/budget.ts';
import { PollFailure, requireReadable } from '../poll/failure.ts';
import { askJson, retryAfterMs } from '../poll/http-client.ts';
import type { ReadonlyPicture } from '../poll/picture.ts';
import type { PlannedRequest, PolledSource, ReadContext } from '../poll/source.ts';
import type { SportChoice } from '../poll/sport-choice.ts';
import { isEnvelope } from './messages.ts';
import { OddsPages } from './odds-pages.ts';
import { readFixtures } from './parse-fixtures.ts';
import { LIVE_BOOKMAKER, readLiveOdds, readOdds } from './parse-odds.ts';

export interface ApiFootballOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly sports: SportChoice;
  /**
   * Our bookmakers by the upstream's ids. The id `live` stands for the live odds, which name no bookmaker.
   */
  readonly bookmakers: BookmakerMap;
  readonly nowMs: () => number;
}

const FIXTURES_MS = 3 * HOUR_MS;
/**
 * How often prices before a match are requested. An answer that repeats prices confirms them, so the interval
 * is below the freshness window of five minutes. If the quota does not allow this, all intervals are
 * stretched. If there are more pages than a day's usual quota pays for, pages without a match that starts
 * soon are requested less often.
 */
const ODDS_MS = 4 * MINUTE_MS;
const PAGES_FRESH_MAX = 12;
const SOON_MS = 3 * HOUR_MS;
const LATER_ODDS_MS = 30 * MINUTE_MS;
const LIVE_MS = 15 * SECOND_MS;
const LIVE_ODDS_MS = 5 * SECOND_MS;
const ENDED_MS = 60 * SECOND_MS;
/** The most ids that the parameter `ids` accepts. */
const IDS_MAX = 20;
/**
 * This long after its scheduled start, a match is also requested by its id, because it may be over and then
 * is no longer in the live answers.
 */
const MAY_BE_OVER_MS = 105 * 60_000;

/** Free, and reports the day's quota. */
const STATUS: PlannedRequest = { key: 'status', cost: 0, everyMs: HOUR_MS, part: 'extra', confirms: false };

export function apiFootball(options: ApiFootballOptions): PolledSource {
  const { baseUrl, apiKey, sports, bookmakers, nowMs } = options;
  const liveBookmaker = bookmakers.get(LIVE_BOOKMAKER) ?? null;
  const pages = new OddsPages();
  const known = new Set<string>(); // dates whose fixtures are known; answers with odds name no teams
  const seasons = new Map<string, number>(); // by league; /odds requires the season beside a league
  let endedIds: readonly string[] = [];

  return {
    name: 'api-football',
    probe: STATUS,
    plan: (picture, atMs) => {
      const inPlay = inPlayOf(picture, atMs);
      endedIds = inPlay.flatMap(({ event, mayBeOver }) => (mayBeOver ? [event] : [])).slice(0, IDS_MAX);
      const dates = [dateOf(atMs), dateOf(atMs + DAY_MS)];
      const wanted = dates.filter((date) => known.has(date));
      return planOf({
        dates,
        odds: oddsRequests(pages, wanted, { picture, atMs, sports }),
        ...{ isInPlay: inPlay.length > 0, hasEnded: endedIds.length > 0 },
        hasLiveOdds: liveBookmaker !== null,
      });
    },
    ask: async (request, signal) => {
      const url = `${baseUrl}${pathOf(request, { endedIds, seasons })}`;
      const asked = { url, headers: { 'x-apisports-key': apiKey }, signal };
      const { body, headers, serverAtMs } = await askJson(asked, refusalOf);
      return { body, quota: quotaOf(headers, nowMs()), gapMs: gapOf(headers), serverAtMs };
    },
    read: ({ key }, body, readContext) => {
      const { response, paging } = responseOf(body);
      const [kind, date = '', league = ''] = key.split(':');
      if (kind === 'status') return [];
      if (!Array.isArray(response)) throw new PollFailure('wrong_shape');
      const items = response as readonly unknown[];
      const { context, unreadableCount } = counting(readContext);
      if (kind === 'odds') {
        const updates = readOdds(items, { bookmakers, context });
        requireReadable(items.length, unreadableCount());
        if (paging !== undefined) pages.learnCount(date, league, paging.total);
        return [...updates, ...pages.read(key, updates, context)];
      }
      const updates =
        kind === 'odds-live'
          ? readLiveOdds(items, { bookmaker: liveBookmaker ?? '', context })
          : readFixtures(items, { choice: sports, liveBookmaker, seasons, context });
      requireReadable(items.length, unreadableCount());
      if (kind === 'fixtures') {
        known.add(date);
        forgetBefore(dateOf(context.nowMs - DAY_MS), pages, known);
      }
      return updates;
    },
    forget: () => {
      for (const learned of [pages, known, seasons]) learned.clear();
    },
  };
}

function forgetBefore(firstDate: string, pages: OddsPages, known: Set<string>): void {
  pages.forgetBefore(firstDate);
  for (const date of known) if (date < firstDate) known.delete(date);
}

/**
 * The requests for the odds of some dates: one for each page of a date or, if only some leagues are wanted,
 * of each of these leagues.
 */
function oddsRequests(
  pages: OddsPages,
  dates: readonly string[],
  { picture, atMs, sports }: { picture: ReadonlyPicture; atMs: number; sports: SportChoice },
): readonly PlannedRequest[] {
  const groups = dates.flatMap((date) =>
    (sports.wantsAll('football') ? [''] : leaguesOf(picture, date)).map((league) => ({ date, league })),
  );
  const pageCount = groups.reduce((sum, { date, league }) => sum + pages.pageCount(date, league), 0);
  const everyMs = (events: ReadonlySet<string>): number =>
    pageCount <= PAGES_FRESH_MAX || events.size === 0 || startsSoon(events, picture, atMs)
      ? ODDS_MS
      : LATER_ODDS_MS;
  return groups.flatMap(({ date, league }) => pages.requests(date, league, everyMs));
}

/** A parse context that also counts the fixtures of its answer that could not be read. */
function counting(given: ReadContext): {
  readonly context: ReadContext;
  readonly unreadableCount: () => number;
} {
  let unreadable = 0;
  const count: ReadContext['count'] = (what) => {
    if (what === 'bad_fixture') unreadable++;
    given.count(what);
  };
  return { context: { ...given, count }, unreadableCount: () => unreadable };
}

/** The requests for the fixtures of each date, for odds, and for what is in play. */
function planOf({ dates, odds, isInPlay, hasLiveOdds, hasEnded }: PlanParts): PlannedRequest[] {
  const state = { part: 'extra', confirms: false, cost: 1 } as const;
  return [
    ...dates.map(
      (date, index): PlannedRequest => ({
        ...state,
        key: `fixtures:${date}`,
        everyMs: index === 0 ? FIXTURES_MS : 4 * FIXTURES_MS,
        part: 'full',
      }),
    ),
    ...odds,
    ...(isInPlay ? [{ ...state, key: 'live', everyMs: LIVE_MS }] : []),
    ...(isInPlay && hasLiveOdds
      ? [{ ...state, key: 'odds-live', everyMs: LIVE_ODDS_MS, confirms: true }]
      : []),
    ...(hasEnded ? [{ ...state, key: 'ended', everyMs: ENDED_MS }] : []),
  ];
}

interface PlanParts {
  /** Today first. */
  readonly dates: readonly string[];
  readonly odds: readonly PlannedRequest[];
  readonly isInPlay: boolean;
  readonly hasLiveOdds: boolean;
  readonly hasEnded: boolean;
}

/**
 * The ids of the leagues with a match that is on this date and has not started. `picture` contains only
 * leagues that the operator wants.
 */
function leaguesOf(picture: ReadonlyPicture, date: string): readonly string[] {
  const leagues = new Set<string>();
  for (const { fixture, state } of picture.values()) {
    const isThen = fixture.scheduledAtMs !== null && dateOf(fixture.scheduledAtMs) === date;
    if (isThen && state?.status === 'scheduled') leagues.add(fixture.league.key);
  }
  return [...leagues].sort();
}

function startsSoon(events: ReadonlySet<string>, picture: ReadonlyPicture, nowMs: number): boolean {
  return [...events].some(
    (event) => (picture.get(event)?.fixture.scheduledAtMs ?? Infinity) - nowMs <= SOON_MS,
  );
}

function inPlayOf(picture: ReadonlyPicture, nowMs: number): { event: string; mayBeOver: boolean }[] {
  const found: { event: string; mayBeOver: boolean }[] = [];
  for (const [event, { fixture, state, result }] of picture) {
    const kickoffMs = fixture.scheduledAtMs ?? nowMs;
    if (result !== null || state?.status === 'finished' || kickoffMs > nowMs) continue;
    found.push({ event, mayBeOver: nowMs - kickoffMs >= MAY_BE_OVER_MS });
  }
  return found;
}

function pathOf(
  { key }: PlannedRequest,
  {
    endedIds,
    seasons,
  }: { readonly endedIds: readonly string[]; readonly seasons: ReadonlyMap<string, number> },
): string {
  const [kind, date = '', league = '', page = ''] = key.split(':');
  switch (kind) {
    case 'fixtures':
      return `/fixtures?${new URLSearchParams({ date, timezone: 'UTC' })}`;
    case 'odds':
      return `/odds?${new URLSearchParams({
        date,
        timezone: 'UTC',
        ...(league === '' ? {} : { league, season: String(seasons.get(league)) }),
        ...(page === '1' ? {} : { page }),
      })}`;
    case 'live':
      return '/fixtures?live=all';
    case 'odds-live':
      return '/odds/live';
    case 'ended':
      return `/fixtures?ids=${endedIds.join('-')}`;
    default:
      return '/status';
  }
}

function responseOf(body: unknown): { response: unknown; paging?: { total: number } } {
  if (!isEnvelope(body)) throw new PollFailure('wrong_shape');
  const failure = failureOf(body.errors, null);
  if (failure !== null) throw failure;
  return body;
}

/** Errors usually come with status 200, but their words mean the same with any other status. */
function refusalOf(_status: number, body: unknown, headers: Headers): PollFailure | null {
  return isEnvelope(body) ? failureOf(body.errors, retryAfterMs(headers)) : null;
}

/** @param retryMs from Retry-After, null without that header @returns null when there are no errors */
function failureOf(errors: readonly unknown[] | object, retryMs: number | null): PollFailure | null {
  const words = Array.isArray(errors) ? [] : Object.keys(errors);
  if (words.length === 0) return null;
  if (words.includes('token')) return new PollFailure('bad_key', { kind: 'final', scope: 'source' });
  if (words.includes('requests')) return new PollFailure('quota_spent', { kind: 'quota', scope: 'source' });
  if (words.includes('rateLimit')) {
    return new PollFailure('throttled', { scope: 'source', retryAfterMs: Math.max(MINUTE_MS, retryMs ?? 0) });
  }
  if (words.includes('plan')) return new PollFailure('not_paid', { kind: 'final' });
  return new PollFailure('bad_request', { kind: 'final' });
}

/** The day's quota. It is refilled at midnight, UTC. */
function quotaOf(headers: Headers, nowMs: number): Quota | null {
  const left = count(headers.get('x-ratelimit-requests-remaining'));
  const limit = count(headers.get('x-ratelimit-requests-limit'));
  if (left === null) return null;
  return { left, limit, periodEndMs: (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS, leastMsPerCredit: 0 };
}

/**
 * The shortest time between two requests that keeps within the limit per minute that an answer states. If the
 * answer states no limit, 10 requests a minute are assumed.
 */
function gapOf(headers: Headers): number {
  const perMinute = count(headers.get('x-ratelimit-limit')) ?? 10;
  return Math.ceil(60_000 / Math.max(1, perMinute));
}

function count(value: string | null): number | null {
  return value !== null && /^\d{1,12}$/.test(value) ? Number(value) : null;
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
