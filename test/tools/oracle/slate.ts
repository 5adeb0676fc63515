// A recording in the form in which the service must show it at a stopped clock: fixtures, statuses, results
// and the header of answers.

import { readFileSync } from 'node:fs';
import { type ModelFixture, modelStatus, readModel } from '../../support/recording-model.ts';
import { Sentence } from './expected.ts';

export interface OracleFixture {
  readonly id: string;
  readonly model: ModelFixture;
  readonly status: string;
  readonly kickoffMs: number;
}

interface OracleResult {
  readonly fixture: OracleFixture;
  readonly score: readonly number[];
  readonly redCards: readonly number[] | null;
  readonly finishedMs: number;
}

export interface OracleSlate {
  readonly nowMs: number;
  /** Added to the times of the recording. */
  readonly shiftMs: number;
  /** Ordered by kickoff, then id. */
  readonly fixtures: readonly OracleFixture[];
  /** The one that finished last comes first. */
  readonly results: readonly OracleResult[];
}

/** Values that only the service knows, because it makes the ids. */
export interface NamedEvent {
  readonly id: string;
  readonly scheduled_at: string;
  readonly home_team: { readonly name: string };
  readonly away_team: { readonly name: string };
}

interface ResultLine {
  readonly type: string;
  readonly at: string;
  readonly event: string;
  readonly home: { readonly name: string };
  readonly away: { readonly name: string };
  readonly scheduled_at: string;
  readonly score: number[];
  readonly red_cards: number[] | null;
  readonly finished_at: string;
}

export function oracleSlate(path: string, nowMs: number, events: readonly NamedEvent[]): OracleSlate {
  const model = readModel(path);
  const shiftMs = nowMs - model.helloAtMs;
  const ids = new Map(events.map((event) => [keyOf(event), event.id]));
  const fixtures = [...model.fixtures.values()].map((fixture) => {
    const kickoffMs = fixture.scheduledAtMs + shiftMs;
    const names = { home_team: { name: fixture.home }, away_team: { name: fixture.away } };
    const id = ids.get(keyOf({ id: '', scheduled_at: isoOf(kickoffMs), ...names }));
    if (id === undefined) throw new Error(`the service lacks ${fixture.home} vs ${fixture.away}`);
    return { id, model: fixture, status: modelStatus(fixture, model.helloAtMs), kickoffMs };
  });
  fixtures.sort((left, right) => left.kickoffMs - right.kickoffMs || (left.id < right.id ? -1 : 1));
  return { nowMs, shiftMs, fixtures, results: resultsOf(path, { ...model, shiftMs, fixtures }) };
}

export function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

export function labelOf({ model }: OracleFixture): string {
  return `${model.home} vs ${model.away}`;
}

function pairOf(counts: readonly number[] | null): { home: number; away: number } | null {
  return counts === null ? null : { home: counts[0]!, away: counts[1]! };
}

/** The fields of a fixture in every list of tools. */
export function matchOf({ id, model, status, kickoffMs }: OracleFixture) {
  return {
    event_id: id,
    sport: model.sport,
    league: model.league,
    home_team: model.home,
    away_team: model.away,
    scheduled_at: isoOf(kickoffMs),
    status,
    score: status === 'scheduled' ? null : pairOf(model.score),
    clock: status === 'live' ? model.clock : null,
  };
}

export function summaryOf(fixture: OracleFixture) {
  return {
    ...matchOf(fixture),
    scheduled_at_local: null,
    confidence: null,
    summary: new Sentence(labelOf(fixture)),
  };
}

/** The header of a natural-language answer to a question that names the fixture by its id. */
export function headerOf(slate: OracleSlate, query: string, fixture: OracleFixture) {
  return {
    status: 'ok',
    query,
    summary: new Sentence(labelOf(fixture)),
    match: summaryOf(fixture),
    alternatives: [],
    ask_user: null,
    as_of: isoOf(slate.nowMs), // the replay's heartbeat at the stopped clock confirms every fixture
    stale: false,
    decision: {
      safe_to_proceed: true,
      confidence: 1,
      ask_user: null,
      next_action: {
        tool: 'get_match_odds',
        args: { event_id: fixture.id },
        reason: new Sentence(labelOf(fixture)),
      },
    },
  };
}

export function resultOf({ fixture, score, redCards, finishedMs }: OracleResult) {
  const { id, model, kickoffMs } = fixture;
  return {
    event_id: id,
    sport: model.sport,
    league: model.league,
    home_team: model.home,
    away_team: model.away,
    scheduled_at: isoOf(kickoffMs),
    score: pairOf(score),
    red_cards: pairOf(redCards),
    finished_at: isoOf(finishedMs),
  };
}

function resultsOf(
  path: string,
  slate: { helloAtMs: number; shiftMs: number; fixtures: readonly OracleFixture[] },
): OracleResult[] {
  const keys = new Map<string, string>();
  const byKey = new Map(
    slate.fixtures.map((fixture) => [`${labelOf(fixture)} ${fixture.kickoffMs}`, fixture]),
  );
  const results: OracleResult[] = [];
  for (const text of readFileSync(path, 'utf8').split('\n').slice(1).filter(Boolean)) {
    const line = JSON.parse(text) as ResultLine;
    if (Date.parse(line.at) > slate.helloAtMs) break;
    if (line.type === 'event') {
      const kickoffMs = Date.parse(line.scheduled_at) + slate.shiftMs;
      keys.set(line.event, `${line.home.name} vs ${line.away.name} ${kickoffMs}`);
    }
    if (line.type !== 'result') continue;
    const fixture = byKey.get(keys.get(line.event)!)!;
    const finishedMs = Date.parse(line.finished_at) + slate.shiftMs;
    results.push({ fixture, score: line.score, redCards: line.red_cards, finishedMs });
  }
  return results.sort((left, right) => right.finishedMs - left.finishedMs);
}

function keyOf({ home_team, away_team, scheduled_at }: NamedEvent): string {
  return `${home_team.name} vs ${away_team.name} ${Date.parse(scheduled_at)}`;
}
