// A match in the form that all answers of The Odds API share: sport, teams, start. Pure.

import type { SportKey } from '../../domain/catalogue.ts';
import type { FixtureFields } from '../poll/drafts.ts';
import { wireTimeMs } from '../wire-time.ts';
import type { ScoreEvent } from './messages.ts';

export type OddsApiFixture = FixtureFields & { readonly scheduledAtMs: number };

export function fixtureOf(
  event:
    | ScoreEvent
    | ({ readonly sport_key: string } & Omit<ScoreEvent, 'completed' | 'scores' | 'last_update'>),
): OddsApiFixture | null {
  const sport = sportKeyOf(event.sport_key);
  const scheduledAtMs = wireTimeMs(event.commence_time);
  if (sport === null || Number.isNaN(scheduledAtMs) || event.home_team === event.away_team) return null;
  return {
    sport,
    league: { key: event.sport_key, name: event.sport_title },
    home: { key: event.home_team, name: event.home_team },
    away: { key: event.away_team, name: event.away_team },
    scheduledAtMs,
  };
}

/** The sport of an upstream sport key, null for one that the service does not have. */
export function sportKeyOf(sportKey: string): SportKey | null {
  if (sportKey.startsWith('soccer_')) return 'football';
  return sportKey.startsWith('basketball_') ? 'basketball' : null;
}
