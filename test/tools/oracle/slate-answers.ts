// The expected answers of the tools about the whole slate, computed only from the recording's plain objects.

import { Sentence } from './expected.ts';
import { favoriteOf } from './fixture-answers.ts';
import { visible } from './lines.ts';
import { BOOK_NAMES, BOOKS, classOf, type Format } from './odds.ts';
import { byStrength, type Excluded, type SignalQuestion, type Signals, signalsOf } from './signals.ts';
import {
  headerOf,
  isoOf,
  matchOf,
  type OracleFixture,
  type OracleSlate,
  resultOf,
  summaryOf,
} from './slate.ts';

const SCORED_MAX = 100;
const DAY_MS = 86_400_000;

interface ScanQuestion extends SignalQuestion {
  readonly status?: string;
  readonly league?: string;
  readonly only_signal: boolean;
  readonly limit: number;
  readonly format: Format;
}

interface Scored {
  readonly fixture: OracleFixture;
  readonly signals: Signals;
}

export function scan(slate: OracleSlate, seesSharp: boolean, asked: ScanQuestion) {
  const all = slate.fixtures.filter(
    (fixture) => asked.status === undefined || fixture.status === asked.status,
  );
  // The fixtures are already sorted by kickoff, and sorting is stable.
  const order = ['live', 'scheduled', 'finished'];
  const inTurn = all.toSorted((left, right) => order.indexOf(left.status) - order.indexOf(right.status));
  const scored = inTurn.slice(0, SCORED_MAX).map((fixture): Scored => {
    const seen = visible(fixture.model.quotes.values(), seesSharp);
    return { fixture, signals: signalsOf(seen, { slate, fixture, format: asked.format, asked }) };
  });
  const ranked = scored.toSorted(bySignal);
  const signalled = ranked.filter(hasSignal);
  const candidates = asked.only_signal ? signalled : ranked;
  const shown = candidates.slice(0, asked.limit);
  const excluded = excludedOf(
    scored.map(({ signals }) => signals),
    'any',
  );
  return {
    date: isoOf(slate.nowMs).slice(0, 10),
    count: all.length,
    with_signal: signalled.length,
    reference: 'sharp',
    returned: shown.length,
    truncated: candidates.length > shown.length,
    not_scored: all.length - scored.length,
    excluded,
    note: noteOf(excluded),
    summary: new Sentence(`${scored.length} of ${all.length}`),
    entries: shown.map(({ fixture, signals }) => ({
      ...matchOf(fixture),
      as_of: isoOf(slate.nowMs),
      stale: false,
      book_count: signals.books,
      value_count: signals.value.length,
      best_value: signals.value[0]?.shown ?? null,
      arb_count: signals.arbitrage.length,
      best_arb: signals.arbitrage[0]?.shown ?? null,
      signal: new Sentence(),
      favorite: favoriteOf({ slate, fixture, seesSharp }),
      hits: null,
    })),
  };
}

function hasSignal({ signals }: Scored): boolean {
  return signals.value.length + signals.arbitrage.length > 0;
}

/**
 * Entries in the order of a scan: first those with a signal (arbitrage by margin, then value by edge), then
 * the rest in their original order.
 */
function bySignal(left: Scored, right: Scored): number {
  return (
    Number(hasSignal(right)) - Number(hasSignal(left)) ||
    byStrength(left.signals.arbitrage[0]?.strength ?? 0, right.signals.arbitrage[0]?.strength ?? 0) ||
    byStrength(left.signals.value[0]?.strength ?? 0, right.signals.value[0]?.strength ?? 0)
  );
}

interface HitsQuestion {
  readonly slate: OracleSlate;
  readonly fixture: OracleFixture;
  readonly seesSharp: boolean;
  readonly query: string;
  readonly format: Format;
  readonly asked: SignalQuestion;
}

export function findValue(question: HitsQuestion) {
  const signals = hitsOf(question);
  const { value, sharpLines, sharpLeftOut, droppedValue } = signals;
  const isOver = question.fixture.status === 'finished';
  const excluded = excludedOf([signals], 'value');
  const dropped = droppedValue > 0 ? [`${droppedValue} implausibly`] : [];
  const over = isOver ? ['finished'] : [];
  const leftOut = sharpLeftOut > 0 ? [`${sharpLeftOut} line`] : [];
  const isNoted = sharpLines === 0 || sharpLeftOut > 0;
  return {
    ...headerOf(question.slate, question.query, question.fixture),
    value_bets: value.map((hit) => hit.shown),
    reference: 'sharp',
    fair_source: value[0]?.reference ?? signals.references[0] ?? null,
    excluded,
    note: noteOf(excluded, isNoted, ...leftOut, ...dropped, ...over),
  };
}

export function findArbitrage(question: HitsQuestion) {
  const signals = hitsOf(question);
  const excluded = excludedOf([signals], 'arbitrage');
  return {
    ...headerOf(question.slate, question.query, question.fixture),
    opportunities: signals.arbitrage.map((hit) => hit.shown),
    excluded,
    note: noteOf(excluded),
  };
}

/**
 * The counts of what a search left out.
 * @param kind the kind of signal that it searches; hits of the other kind are not counted
 */
function excludedOf(scored: readonly Signals[], kind: 'value' | 'arbitrage' | 'any'): Excluded {
  const total: Excluded = {};
  for (const { excluded, droppedValue, droppedArbitrage } of scored) {
    const implausible = (kind === 'arbitrage' ? 0 : droppedValue) + (kind === 'value' ? 0 : droppedArbitrage);
    const noSharp = kind === 'arbitrage' ? 0 : excluded.no_sharp!;
    for (const [reason, count] of Object.entries({ ...excluded, implausible, no_sharp: noSharp })) {
      total[reason] = (total[reason] ?? 0) + count;
    }
  }
  return total;
}

const SAID: Readonly<Record<string, string>> = {
  stale: 'stale',
  implausible: 'implausibl',
  suspended: 'suspended',
  period_over: 'period',
  not_started_late: 'kickoff',
  finished: 'finished',
  single_book: "owner's",
  no_sharp: 'sharp',
};

/** The sentence of a note: every count above 0 is named in words. */
function noteOf(excluded: Excluded, isNeeded = false, ...words: string[]): Sentence | null {
  const said = Object.entries(excluded).flatMap(([reason, count]) => (count > 0 ? [SAID[reason]!] : []));
  return said.length > 0 || isNeeded ? new Sentence(...said, ...words) : null;
}

function hitsOf({ slate, fixture, seesSharp, format, asked }: HitsQuestion): Signals {
  return signalsOf(visible(fixture.model.quotes.values(), seesSharp), { slate, fixture, format, asked });
}

export function listToday(slate: OracleSlate, asked: { status?: string; limit: number }) {
  const date = isoOf(slate.nowMs).slice(0, 10);
  const matches = slate.fixtures
    .filter((fixture) => fixture.status === 'live' || isoOf(fixture.kickoffMs).startsWith(date))
    .filter((fixture) => asked.status === undefined || fixture.status === asked.status)
    .slice(0, asked.limit)
    .map(summaryOf);
  return { date, count: matches.length, matches, by_league: null };
}

interface EventsQuestion {
  readonly date: string;
  readonly date_to?: string;
  readonly limit: number;
}

/** Days are counted in UTC. */
export function listEvents(slate: OracleSlate, asked: EventsQuestion) {
  const from = Date.parse(asked.date);
  const to = Date.parse(asked.date_to ?? asked.date) + DAY_MS;
  const found = slate.fixtures.filter(({ kickoffMs }) => kickoffMs >= from && kickoffMs < to);
  const matches = found.slice(0, asked.limit);
  return {
    date: asked.date,
    date_to: asked.date_to ?? null,
    timezone: null,
    count: matches.length,
    truncated: found.length > matches.length,
    matches: matches.map(summaryOf),
    by_league: null,
  };
}

export function listResults(slate: OracleSlate, asked: { team?: string; date?: string; limit: number }) {
  const team = asked.team?.toLowerCase() ?? '';
  const results = slate.results
    .filter(({ fixture: { model } }) =>
      [model.home, model.away].some((name) => name.toLowerCase().includes(team)),
    )
    .filter(({ fixture }) => asked.date === undefined || isoOf(fixture.kickoffMs).startsWith(asked.date))
    .slice(0, asked.limit)
    .map(resultOf);
  return { count: results.length, results };
}

export function listBookmakers(seesSharp: boolean) {
  const bookmakers = BOOKS.map((key) => ({
    key,
    name: BOOK_NAMES[key],
    class: classOf(key),
    covered: seesSharp || classOf(key) !== 'sharp',
  }));
  const covered = bookmakers.filter((bookmaker) => bookmaker.covered);
  return { count: bookmakers.length, bookmakers, note: new Sentence(countWord(covered.length)) };
}

function countWord(count: number): string {
  return count === 7 ? 'seven' : count === 6 ? 'six' : String(count);
}
