// Lists of fixtures: selection by words and day, and a table by league.

import type { Event } from '../contract/event.ts';
import type { OddsQuote } from '../contract/odds.ts';
import type { OddsChanges, OddsDeltaState } from '../contract/stream/odds-changes.ts';
import type { DateRange } from '../domain/days/day-text.ts';
import { priceText, titleOfEvent } from './fixture-text.ts';
import { decimalOf, priceOf } from './price-grid.ts';
import { type Cell, type Column, type Display, plainText, styled, tableLines } from './text.ts';

/** A fixture with its state and the best open 1x2 price of each outcome, if there is one. */
export interface ListedFixture {
  readonly event: Event;
  readonly state: OddsDeltaState;
  readonly best: Readonly<Record<string, BestPrice>>;
}

interface BestPrice {
  readonly price: number;
  readonly format: OddsQuote['format'];
  readonly bookmaker: string;
}

const COLUMNS: readonly Column[] = [
  { title: 'kickoff' },
  { title: 'status' },
  { title: 'score' },
  { title: 'fixture', isFlexible: true },
  { title: '1', align: 'right' },
  { title: 'X', align: 'right' },
  { title: '2', align: 'right' },
  { title: 'id' },
];
const OUTCOMES = ['home', 'draw', 'away'];

/**
 * The fixtures of a complete view of 1x2 prices. Leagues are ordered by their first kickoff, fixtures by
 * kickoff.
 */
export function fixturesOf({ fixtures }: Pick<OddsChanges, 'fixtures'>): ListedFixture[] {
  const listed = fixtures.flatMap(({ event, state, odds }) =>
    event === null || state === null ? [] : [{ event, state, best: bestOf(odds) }],
  );
  listed.sort((one, other) => compareTexts(sortText(one), sortText(other)));
  return [...Map.groupBy(listed, ({ event }) => event.league.id).values()].flat();
}

/** Whether a fixture's kickoff is on the days that a text names, in a time zone. */
export function isOn({ event }: ListedFixture, days: DateRange, timezone: string): boolean {
  if (event.scheduled_at === null) return false;
  const day = localText(event.scheduled_at, timezone).slice(0, days.dateText.length);
  return day >= days.dateText && day <= days.lastDateText;
}

/**
 * Fixtures with a name (team, league or sport) that contains the words as typed, ignoring spaces: "la liga"
 * finds "LaLiga". If no fixture has one, fixtures where each word is the beginning of a word in any name:
 * "arsenal chel".
 */
export function withWords(fixtures: readonly ListedFixture[], words: readonly string[]): ListedFixture[] {
  const phrase = words.map(folded).join('').replaceAll(' ', '');
  const whole = fixtures.filter((fixture) =>
    namesOf(fixture).some((name) => name.replaceAll(' ', '').includes(phrase)),
  );
  if (whole.length > 0) return whole;
  return fixtures.filter((fixture) => {
    const text = ` ${namesOf(fixture).join(' ')}`;
    return words.every((word) => text.includes(` ${folded(word)}`));
  });
}

/** The table: a heading per league, then a row per fixture. */
export function fixtureTable(
  fixtures: readonly ListedFixture[],
  timezone: string,
  display: Display,
): string[] {
  const [head, ...rows] = tableLines(
    COLUMNS,
    fixtures.map((fixture) => cellsOf(fixture, timezone)),
    display,
  );
  const lines = [head!];
  let leagueId: string | null = null;
  for (const [index, { event }] of fixtures.entries()) {
    if (event.league.id !== leagueId) {
      lines.push('', styled(plainText(`${event.league.name} (${event.sport})`), 'bold', display));
      leagueId = event.league.id;
    }
    lines.push(rows[index]!);
  }
  return lines;
}

function cellsOf({ event, state, best }: ListedFixture, timezone: string): Cell[] {
  const { status, score, clock } = state;
  const kickoff = event.scheduled_at === null ? 'not known' : localText(event.scheduled_at, timezone);
  return [
    { text: kickoff.slice(5, 16).replace('T', ' ') },
    {
      text: status === 'live' && clock !== null ? `live ${clock}` : status,
      style: status === 'live' ? 'green' : undefined,
    },
    { text: score === null || status === 'scheduled' ? '' : `${score.home}-${score.away}` },
    { text: titleOfEvent(event) },
    ...OUTCOMES.map((outcome): Cell => {
      const found = best[outcome];
      return { text: found === undefined ? '' : priceText(found.price, found.format) };
    }),
    { text: event.id, style: 'dim' },
  ];
}

/** For each outcome, the open full-time price that pays most. */
function bestOf(quotes: readonly OddsQuote[]): Record<string, BestPrice> {
  const best: Record<string, BestPrice> = {};
  const highest: Record<string, number> = {};
  for (const quote of quotes) {
    if (quote.status !== 'open') continue;
    for (const outcome of Object.keys(quote.prices)) {
      const decimal = decimalOf(quote, outcome);
      if (decimal <= (highest[outcome] ?? 1)) continue;
      highest[outcome] = decimal;
      best[outcome] = { price: priceOf(quote, outcome), format: quote.format, bookmaker: quote.bookmaker };
    }
  }
  return best;
}

function namesOf({ event: { home_team, away_team, league, sport } }: ListedFixture): string[] {
  return [home_team.name, away_team.name, league.name, sport].map(folded);
}

function sortText({ event }: ListedFixture): string {
  return `${event.scheduled_at ?? '9999'} ${event.league.name} ${event.id}`;
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** For example 2026-03-01T19:45:00+01:00. */
function localText(instant: string, timezone: string): string {
  const local = Temporal.Instant.from(instant).toZonedDateTimeISO(timezone);
  return local.toString({ timeZoneName: 'never', smallestUnit: 'second' });
}

function folded(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
}
