// Converts an answer of /scores into scores in play and results. Pure.

import type { SportKey } from '../../domain/catalogue.ts';
import { PollFailure } from '../poll/failure.ts';
import { hasSameTeams, type PolledFixture } from '../poll/picture.ts';
import { FINISHED_KEPT_MS, type ReadContext } from '../poll/source.ts';
import { wireTimeMs } from '../wire-time.ts';
import { fixtureOf, type OddsApiFixture } from './fixture.ts';
import { isScoreEvent, type ScoreEvent } from './messages.ts';

/**
 * A match lasts about this long from its kickoff. It counts as ended then, unless an answer shows it earlier.
 */
const MATCH_MS: Readonly<Record<SportKey, number>> = { football: 115 * 60_000, basketball: 150 * 60_000 };

/** The updates of one answer of /scores for a sport. */
export function readScores(sportKey: string, body: unknown, context: ReadContext): PolledFixture[] {
  if (!Array.isArray(body)) throw new PollFailure('wrong_shape');
  const { picture, nowMs, count } = context;
  const updates: PolledFixture[] = [];
  for (const value of body as readonly unknown[]) {
    const fixture = isScoreEvent(value) && value.sport_key === sportKey ? fixtureOf(value) : null;
    if (!isScoreEvent(value) || fixture === null) {
      count('bad_fixture');
      continue;
    }
    const held = picture.get(value.id);
    const score = value.scores === null ? null : scoreOf(value);
    if (score === undefined) count('bad_score');
    // If the teams are not those of the odds, the score belongs to another match and is ignored.
    const isOther = held !== undefined && !hasSameTeams(held.fixture, fixture);
    if (score === null || score === undefined || isOther || held?.result != null) continue;
    const hasStarted = fixture.scheduledAtMs <= nowMs;
    if (value.completed) {
      const finishedAtMs = finishedAtOf(value, fixture, nowMs);
      if (held === undefined && nowMs - finishedAtMs > FINISHED_KEPT_MS) continue;
      updates.push({
        event: value.id,
        fixture,
        state: { status: 'finished', clock: null, score, cards: null },
        quotes: new Map(),
        result: { score, redCards: null, finishedAtMs },
      });
    } else if (held !== undefined && hasStarted) {
      updates.push({ event: value.id, state: { status: 'live', clock: null, score, cards: null } });
    }
  }
  return updates;
}

/** Home and away, undefined when the answer does not have a whole number for each team. */
function scoreOf({ scores, home_team, away_team }: ScoreEvent): readonly [number, number] | undefined {
  const home = scores?.find(({ name }) => name === home_team)?.score;
  const away = scores?.find(({ name }) => name === away_team)?.score;
  if (home === undefined || away === undefined || scores?.length !== 2) return undefined;
  return /^\d{1,3}$/.test(home) && /^\d{1,3}$/.test(away) ? [Number(home), Number(away)] : undefined;
}

/**
 * When a completed match ended, Unix ms, as exactly as can be known: `last_update` may be hours after the
 * end.
 */
function finishedAtOf({ last_update }: ScoreEvent, fixture: OddsApiFixture, nowMs: number): number {
  const updatedMs = wireTimeMs(last_update);
  const latestMs = Number.isNaN(updatedMs) ? nowMs : Math.min(updatedMs, nowMs);
  return Math.min(latestMs, fixture.scheduledAtMs + MATCH_MS[fixture.sport]);
}
