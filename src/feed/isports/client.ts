// iSports as a pull source: its requests, their intervals, and how its answers are combined. Full answers are
// requested once a minute, and the short windows of changes every two seconds in between.

import type { SportKey } from '../../domain/catalogue.ts';
import type { BookmakerMap } from '../poll/bookmaker-map.ts';
import { PollFailure, requireReadable } from '../poll/failure.ts';
import { askJson } from '../poll/http-client.ts';
import type { PolledFixture } from '../poll/picture.ts';
import type { AnswerCount, PlannedRequest, PolledSource, ReadContext } from '../poll/source.ts';
import type { SportChoice } from '../poll/sport-choice.ts';
import { Board } from './board.ts';
import { changedInfo, infoOf } from './match-info.ts';
import { COLUMNS, isEnvelope, isMatch, isMatchChange, isModification } from './messages.ts';
import { type OddsRow, rowOf } from './rows.ts';

export interface IsportsOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly sports: SportChoice;
  /** Our bookmakers by football's company ids. */
  readonly bookmakers: BookmakerMap;
}

const CHANGES_MS = 2_000;
const FULL_MS = 60_000;
const SCHEDULE_MS = 30 * 60_000;
const MODIFY_MS = 5 * 60_000;

/** Paths below /sport/, in the order of a first round: the matches before their prices. */
const REQUESTS: readonly (PlannedRequest & { readonly sport: SportKey })[] = [
  full('football', 'football/livescores'),
  { ...full('football', 'football/schedule/basic'), everyMs: SCHEDULE_MS },
  full('football', 'football/odds/main'),
  full('football', 'football/odds/all'),
  changes('football', 'football/odds/main/changes', 20_000),
  changes('football', 'football/odds/all/changes', 20_000),
  changes('football', 'football/livescores/changes', 20_000),
  { ...full('football', 'football/schedule/modify'), everyMs: MODIFY_MS, part: 'extra' },
  full('basketball', 'basketball/livescores'),
  full('basketball', 'basketball/odds/fulltime'),
  full('basketball', 'basketball/odds/half'),
  changes('basketball', 'basketball/odds/fulltime/changes', 30_000),
  changes('basketball', 'basketball/livescores/changes', 15_000),
];

function full(sport: SportKey, key: string): PlannedRequest & { readonly sport: SportKey } {
  return { sport, key, cost: 0, everyMs: FULL_MS, part: 'full', confirms: key.includes('/odds/') };
}

function changes(
  sport: SportKey,
  key: string,
  windowMs: number,
): PlannedRequest & { readonly sport: SportKey } {
  return {
    sport,
    key,
    cost: 0,
    everyMs: CHANGES_MS,
    part: 'changes',
    windowMs,
    confirms: key.includes('/odds/'),
  };
}

export function isports({ baseUrl, apiKey, sports, bookmakers }: IsportsOptions): PolledSource {
  const board = new Board();
  const plan = REQUESTS.filter(({ sport }) => sports.has(sport));
  return {
    name: 'isports',
    probe: null,
    plan: () => plan,
    ask: async (request, signal) => {
      const url = `${baseUrl}/sport/${request.key}?${new URLSearchParams({ api_key: apiKey })}`;
      const { body, serverAtMs } = await askJson({ url, headers: {}, signal }, () => null);
      return { body, quota: null, gapMs: 0, serverAtMs };
    },
    read: (request, body, context) => {
      const data = dataOf(body);
      const sport: SportKey = request.key.startsWith('football') ? 'football' : 'basketball';
      const events = request.key.includes('/odds/')
        ? readOdds(request, data, { board, sport, bookmakers, context })
        : readMatches(request.key, data, { board, sport, sports, context });
      return updatesOf(events, board, context);
    },
    forget: () => board.clear(),
  };
}

/** The data of an envelope. Refusals come with status 200 too. */
function dataOf(body: unknown): unknown {
  if (!isEnvelope(body)) throw new PollFailure('wrong_shape');
  // Code 2 means a bad key, or a product that was not bought. In the second case other requests may succeed.
  if (body.code === 2) throw new PollFailure('bad_key', { kind: 'final' });
  if (body.code !== 0) throw new PollFailure('server_error');
  return body.data;
}

interface Reading {
  readonly board: Board;
  readonly sport: SportKey;
  readonly context: ReadContext;
}

function readOdds(
  { key, part }: PlannedRequest,
  data: unknown,
  { board, sport, bookmakers, context }: Reading & { readonly bookmakers: BookmakerMap },
): Set<string> {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) throw new PollFailure('wrong_shape');
  const rows: { event: string; row: OddsRow }[] = [];
  const { unmapped } = context;
  let total = 0;
  let unreadable = 0;
  const count = (what: AnswerCount): void => {
    if (what === 'bad_row' || what === 'column_count') unreadable++;
    context.count(what);
  };
  for (const [array, values] of Object.entries(data)) {
    if (!Array.isArray(values)) {
      total++;
      count('bad_row');
      continue;
    }
    if (COLUMNS[key]?.[array] !== undefined) total += values.length;
    for (const value of values as readonly unknown[]) {
      const row = rowOf(array, value, { endpoint: key, bookmakers, count, unmapped });
      if (row !== null) rows.push({ event: eventOf(sport, row.match), row });
    }
  }
  requireReadable(total, unreadable);
  const layer = key.replace(/\/changes$/, '');
  return part === 'changes'
    ? board.change(layer, rows, context.nowMs)
    : board.replace(layer, rows, context.nowMs);
}

function readMatches(
  key: string,
  data: unknown,
  { board, sport, sports, context }: Reading & { readonly sports: SportChoice },
): Set<string> {
  if (!Array.isArray(data)) throw new PollFailure('wrong_shape');
  const { nowMs } = context;
  const events = new Set<string>();
  let unreadable = 0;
  const count = (what: AnswerCount): void => {
    unreadable++;
    context.count(what);
  };
  for (const value of data as readonly unknown[]) {
    if (key.endsWith('/modify')) {
      const event = isModification(value) ? eventOf(sport, value.matchId) : '';
      const info = board.info(event);
      if (!isModification(value)) count('bad_fixture');
      else if (info !== undefined && value.type === 'delete') board.put(event, { ...info, status: DELETED });
      else if (info !== undefined && value.matchTime !== undefined) {
        const fixture = { ...info.fixture, scheduledAtMs: value.matchTime * 1_000 };
        board.put(event, { ...info, fixture });
      }
      if (info !== undefined) events.add(event);
    } else if (isMatch(value) && value.homeId !== value.awayId) {
      if (!sports.wants(sport, { id: value.leagueId, name: value.leagueName })) continue;
      const event = eventOf(sport, value.matchId);
      const before = board.info(event);
      // For a match that has begun, the live scores know more than the schedule, so its entry in the schedule
      // is left out.
      if (key.endsWith('/basic') && before !== undefined && before.state.status !== 'scheduled') continue;
      board.put(event, infoOf(sport, value, before, nowMs));
      events.add(event);
    } else if (key.endsWith('/changes') && isMatchChange(value)) {
      const event = eventOf(sport, value.matchId);
      const before = board.info(event);
      if (before === undefined) continue; // the match is of a league that is not wanted
      board.put(event, changedInfo(before, value, nowMs));
      events.add(event);
    } else count('bad_fixture');
  }
  requireReadable(data.length, unreadable);
  for (const event of board.outdated(nowMs)) {
    const info = board.info(event)!;
    board.put(event, { ...info, status: DELETED });
    events.add(event);
  }
  return events;
}

/** A status that the upstream never sends. It makes the match leave the slate. */
const DELETED = -99;

function updatesOf(events: ReadonlySet<string>, board: Board, { picture }: ReadContext): PolledFixture[] {
  const updates: PolledFixture[] = [];
  for (const event of events) {
    const update = board.updateOf(event, picture);
    if (update !== null) updates.push(update);
    if (board.info(event)?.status === DELETED) board.drop(event);
  }
  return updates;
}

function eventOf(sport: SportKey, matchId: string): string {
  return `${sport}-${matchId}`;
}
