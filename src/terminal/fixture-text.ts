// Texts for fixtures, lines and prices in the output of commands.

import type { Event } from '../contract/event.ts';
import type { OddsQuote } from '../contract/odds.ts';
import type { OddsDeltaState } from '../contract/stream/odds-changes.ts';

interface Kickoff {
  readonly scheduled_at: string | null;
  readonly status: string;
  readonly score: { readonly home: number; readonly away: number } | null;
  readonly clock: string | null;
}

/**
 * When a fixture begins, or its status and score: `22 Nov 03:15`, `live 1-0 (2h 67)`, `finished 2-1`. Times
 * are UTC, as in the API.
 */
export function whenText({ scheduled_at, status, score, clock }: Kickoff): string {
  const goals = score === null ? '' : ` ${score.home}-${score.away}`;
  if (status === 'live') return `live${goals}${clock === null ? '' : ` (${clock})`}`;
  return status === 'finished' ? `finished${goals}` : kickoffText(scheduled_at);
}

/** Like `whenText`, with the time zone after a time. */
export function whenTextWithZone(fixture: Kickoff): string {
  const isTime = fixture.status === 'scheduled' && fixture.scheduled_at !== null;
  return isTime ? `${whenText(fixture)} UTC` : whenText(fixture);
}

/** Like `whenText`, for a fixture from the stream. */
export function stateText(event: Event, state: OddsDeltaState): string {
  return whenText({ scheduled_at: event.scheduled_at, ...state });
}

export function titleOf({
  home_team,
  away_team,
}: {
  readonly home_team: string;
  readonly away_team: string;
}): string {
  return `${home_team} vs ${away_team}`;
}

export function titleOfEvent({ home_team, away_team }: Event): string {
  return titleOf({ home_team: home_team.name, away_team: away_team.name });
}

/** A line of a market in words: `1x2`, `asian handicap -0.75`, `totals 2.5, half time`. */
export function marketText({
  market_type,
  period,
  line,
}: {
  readonly market_type: string;
  readonly period: string;
  readonly line: number | null;
}): string {
  const market = market_type.replace('_', ' ');
  const shown = line === null ? '' : ` ${lineText(line, market_type)}`;
  return `${market}${shown}${period === 'half_time' ? ', half time' : ''}`;
}

/** Handicaps with their sign, totals without a sign. */
export function lineText(line: number | null, marketType: string): string {
  if (line === null) return '';
  return marketType === 'asian_handicap' && line > 0 ? `+${line}` : String(line);
}

/** The text of a price: `-` for 0, which means that the price was pulled. American prices have a sign. */
export function priceText(price: number, format: OddsQuote['format']): string {
  if (price === 0) return '-';
  return format === 'american' && price > 0 ? `+${price}` : String(price);
}

/** `45 s`, `12 min`, `3 h`. */
export function ageText(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}

/** `1 line`, `2 lines`. */
export function countText(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

function kickoffText(instant: string | null): string {
  if (instant === null) return 'no kickoff';
  const at = new Date(instant);
  const day = at.toLocaleDateString('en-GB', { day: '2-digit', month: 'short', timeZone: 'UTC' });
  return `${day} ${instant.slice(11, 16)}`;
}
