// Plays the beginning of a real series of shared/data for one rule of each kind, and compares the alerts with
// what a plain program finds in the same answers. series.test.ts runs it in a process of its own, because it
// needs the roster of US bookmakers. Prints what differs, by kind.

import { readFileSync } from 'node:fs';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { AlertWhen } from '../../src/contract/alerts/alert-rules.ts';
import { bookmakersOf, installRoster } from '../../src/domain/roster.ts';
import type { PastAlert } from '../../src/start/alerts/past-alerts.ts';
import type { Listed, Outcome } from '../history/plain-series.ts';

const [series = '', answersText = '0'] = process.argv.slice(2);
const rosterText = await Bun.file(new URL('../../rosters/the-odds-api-us.json', import.meta.url)).text();
const roster = bookmakersOf(JSON.parse(rosterText));
installRoster({ origin: 'the-odds-api-us', bookmakers: roster });
// Imported once the roster is installed, because the catalogue reads it only once.
const { playAlerts } = await import('../../src/start/alerts/past-alerts.ts');
const { decimalOf } = await import('../history/plain-series.ts');
const { middlesOf } = await import('./plain-middles.ts');

type SteamCase = readonly [string, string, number | null, number, number, number, number, ...unknown[]];
export interface Quote {
  readonly event: string;
  readonly bookmaker: string;
  readonly market: string;
  readonly line: number | null;
  readonly prices: readonly number[];
}
interface Moment {
  readonly atMs: number;
  readonly listed: readonly Listed[];
  /** Matches that are listed and have begun. */
  readonly begun: readonly string[];
  /** The quotes of matches that have not begun, by place: event, bookmaker, market and line. */
  readonly quotes: ReadonlyMap<string, Quote>;
}

const ownerOf = new Map(roster.map(({ key, group }) => [key, group ?? key]));
const MARKETS: Record<string, string> = { h2h: '1x2', spreads: 'asian_handicap', totals: 'totals' };
const OUTCOMES: Record<string, readonly string[]> = { totals: ['over', 'under'] };
const WITHIN_MS = 1_800_000;

const truth = JSON.parse(
  gunzipSync(readFileSync(`${series}/truth/truth-wnba-shared.json.gz`)).toString(),
) as { readonly events: Record<string, { readonly kickoff: number }>; readonly steam: readonly SteamCase[] };
const moments = zstdDecompressSync(readFileSync(`${series}/wnba-2026.ndjson.zst`))
  .toString()
  .split('\n', Number(answersText))
  .filter((text) => text !== '')
  .map(momentOf);

/** One answer of the series, with the quotes of matches that have not begun. */
function momentOf(text: string): Moment {
  const { timestamp, data } = JSON.parse(text) as { timestamp: string; data: Listed[] };
  const atMs = Date.parse(timestamp);
  const listed = data.filter(({ id }) => truth.events[id]!.kickoff * 1_000 > atMs);
  const quotes = listed.flatMap((event) =>
    event.bookmakers.flatMap(({ key, markets }) =>
      markets.flatMap((market) => quoteOf(event, key, market.key, market.outcomes)),
    ),
  );
  const begun = data.filter((event) => !listed.includes(event)).map(({ id }) => id);
  return { atMs, listed, begun, quotes: new Map(quotes.map((quote) => [placeOf(quote), quote])) };
}

function quoteOf(event: Listed, bookmaker: string, key: string, outcomes: readonly Outcome[]): Quote[] {
  const market = MARKETS[key];
  const isKnown = roster.some((book) => book.key === bookmaker);
  if (market === undefined || !isKnown) return [];
  const names = key === 'totals' ? ['Over', 'Under'] : [event.home_team, event.away_team];
  const found = names.map((name) => outcomes.find((outcome) => outcome.name === name));
  if (found.some((outcome) => outcome === undefined)) return [];
  const line = key === 'h2h' ? null : found[0]!.point!;
  return [{ event: event.id, bookmaker, market, line, prices: found.map((one) => decimalOf(one!.price)) }];
}

function placeOf({ event, bookmaker, market, line }: Quote): string {
  return [event, bookmaker, market, line].join(' ');
}

/** The series as a recording: each match when it is first listed, each price when it changes. */
async function* batches() {
  let seq = 0;
  let held = new Map<string, Quote>();
  const known = new Set<string>();
  const first = new Date(moments[0]!.atMs).toISOString();
  yield { atMs: moments[0]!.atMs, messages: [{ type: 'hello', protocol: 1, source: 's', at: first, seq }] };
  const live = new Set<string>();
  for (const { atMs, listed, begun, quotes } of moments) {
    const messages: object[] = [];
    const send = (message: object) =>
      messages.push({ ...message, at: new Date(atMs).toISOString(), seq: ++seq });
    for (const { id, home_team: home, away_team: away } of listed) {
      if (known.has(id)) continue;
      known.add(id);
      const league = { key: 'wnba', name: 'WNBA' };
      const sides = { home: { key: home, name: home }, away: { key: away, name: away } };
      const scheduled_at = new Date(truth.events[id]!.kickoff * 1_000).toISOString();
      send({ type: 'event', event: id, sport: 'basketball', league, ...sides, scheduled_at });
    }
    const sendQuote = ({ market, ...quote }: Quote, status: string) =>
      send({ type: 'quote', ...quote, market_type: market, period: 'full_time', status });
    for (const [place, quote] of held) if (!quotes.has(place)) sendQuote(quote, 'suspended');
    for (const [place, quote] of quotes) {
      if (String(held.get(place)?.prices) !== String(quote.prices)) sendQuote(quote, 'open');
    }
    for (const event of begun) {
      if (live.has(event) || !known.has(event)) continue;
      live.add(event);
      send({ type: 'state', event, status: 'live', score: [0, 0] });
    }
    held = new Map(quotes);
    yield { atMs, messages };
  }
}

/** The best price of each outcome of a line. */
function bestOf({ quotes }: Moment): Map<string, number[]> {
  const best = new Map<string, number[]>();
  for (const { event, market, line, prices } of quotes.values()) {
    const key = [event, market, line].join(' ');
    const former = best.get(key) ?? [0, 0];
    best.set(
      key,
      prices.map((price, index) => Math.max(price, former[index]!)),
    );
  }
  return best;
}

const returnOf = (prices: readonly number[]) => 1 / prices.reduce((sum, price) => sum + 1 / price, 0) - 1;
/** Prices are rounded to ten-thousandths, so a ratio that is exactly at a bound may be this far below it. */
const EPSILON = 2e-5;
const REFERENCE = 'draftkings';
const MIDDLE_PCT = 0;

/** Fair probabilities by the power method: the power at which the inverse prices add up to one. */
function fairOf(prices: readonly number[]): number[] {
  const sumOf = (power: number) => prices.reduce((sum, price) => sum + price ** -power, 0);
  let [low, high] = [0.5, 2];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (sumOf(middle) > 1) low = middle;
    else high = middle;
  }
  return prices.map((price) => price ** -low);
}

/** The quote that was shown at a place half an hour before, whether or not it is still listed. */
function shownBefore(index: number, place: string): Quote | undefined {
  const beforeMs = moments[index]!.atMs - WITHIN_MS;
  return moments.findLast(({ atMs }) => atMs <= beforeMs)?.quotes.get(place);
}

/**
 * Finds the places at which a signal is open in an answer. A place names its match, market and line, and what
 * else distinguishes signals of its kind.
 */
type Plain = (moment: Moment, index: number) => readonly string[];

const lines =
  (least: number): Plain =>
  (moment) =>
    [...bestOf(moment)].flatMap(([key, prices]) => (returnOf(prices) >= least - EPSILON ? [key] : []));

const PLAIN: Readonly<Record<string, readonly [AlertWhen, Plain]>> = {
  price: [
    { kind: 'price', market: '1x2', outcome: 'away', price: 2.5 },
    (moment) =>
      [...bestOf(moment)].flatMap(([key, prices]) =>
        key.includes(' 1x2 ') && prices[1]! >= 2.5 ? [`${key} away`] : [],
      ),
  ],
  arbitrage: [{ kind: 'arbitrage', min_margin_pct: 0.5 }, lines(0.005)],
  value: [
    { kind: 'value', min_edge_pct: 4, reference: REFERENCE },
    (moment) => {
      const best = bestOf(moment);
      return [...moment.quotes.values()].flatMap(({ event, bookmaker, market, line, prices }) => {
        const key = [event, market, line].join(' ');
        if (bookmaker !== REFERENCE) return [];
        const fair = fairOf(prices);
        return best
          .get(key)!
          .flatMap((price, index) =>
            price * fair[index]! - 1 >= 0.04 - EPSILON ? [`${key} ${outcomeOf(market, index)}`] : [],
          );
      });
    },
  ],
  match: [{ kind: 'match', news: ['live'] }, ({ begun }) => begun],
  low_hold: [{ kind: 'low_hold', max_hold_pct: 0.5 }, lines(-0.005)],
  middle: [
    { kind: 'middle', min_ev_pct: MIDDLE_PCT },
    ({ quotes }) => middlesOf(quotes.values(), ownerOf, MIDDLE_PCT / 100 - EPSILON),
  ],
  move: [
    { kind: 'move', of: 'price', pct: 5, within_s: 1_800 },
    ({ quotes }, index) =>
      [...quotes].flatMap(([place, { event, bookmaker, market, line, prices }]) => {
        const before = shownBefore(index, place);
        return prices.flatMap((price, outcome) =>
          before !== undefined && Math.abs(price / before.prices[outcome]! - 1) >= 0.05 - EPSILON
            ? [[event, market, line, outcomeOf(market, outcome), bookmaker].join(' ')]
            : [],
        );
      }),
  ],
};

function outcomeOf(market: string, index: number): string {
  return (OUTCOMES[market] ?? ['home', 'away'])[index]!;
}

async function alertsOf(when: AlertWhen): Promise<PastAlert[]> {
  const found: PastAlert[] = [];
  const rule = { when: { ...when, again_after_s: 0 }, where: {}, names: {}, plan: 'enterprise' } as const;
  await playAlerts(batches(), { rule, limits: { maxEdge: 1, maxMargin: 1 } }, (alert) => found.push(alert));
  return found.filter(({ item }) => item.change !== 'closed');
}

interface Details {
  readonly [kind: string]: Readonly<Record<string, unknown>> | undefined;
}

/** Events of the store have ids of their own, so a match is known by its teams. */
const eventOfTeams = new Map(
  moments.flatMap(({ listed }) =>
    listed.map(
      ({ id, home_team, away_team }) =>
        [`${home_team} ${away_team} ${truth.events[id]!.kickoff}`, id] as const,
    ),
  ),
);

/** The field of an alert's details that has the signal, if it is not named after the kind. */
const FIELDS: Readonly<Record<string, string>> = { arbitrage: 'opportunity', value: 'value_bet' };

function placeOfAlert({ item }: PastAlert): string {
  const { event, kind } = item;
  const kickoff = Date.parse(event!.scheduled_at!) / 1_000;
  const id = eventOfTeams.get(`${event!.home} ${event!.away} ${kickoff}`);
  const details = item.details as unknown as Details;
  if (kind === 'match') return id!;
  const line = (kind === 'price' ? item.details : details[FIELDS[kind] ?? kind]) as Record<string, unknown>;
  const { market_type, outcome, bookmaker, way } = line;
  if (kind === 'middle') {
    const legs = line.legs as readonly { readonly line: number }[];
    return [id, market_type, ...legs.map((leg) => leg.line)].join(' ');
  }
  const parts = [id, market_type, line.line];
  if (kind === 'price' || kind === 'value') parts.push(outcome);
  if (kind === 'move') parts.push(outcome, bookmaker);
  if (kind === 'steam') parts.push(outcome, way);
  return parts.join(' ');
}

/**
 * `opened`: the places that are open at an answer and were not open at the answer before. `open`: all places
 * that are open at an answer. Both as `<time> <place>`.
 */
function statesOf(plain: Plain) {
  let former = new Set(plain(moments[0]!, 0));
  const states = { opened: [] as string[], open: new Set<string>() };
  for (const [index, moment] of moments.entries()) {
    const places = new Set(plain(moment, index));
    for (const place of places) {
      states.open.add(`${moment.atMs} ${place}`);
      if (!former.has(place)) states.opened.push(`${moment.atMs} ${place}`);
    }
    former = places;
  }
  return states;
}

/**
 * Compares: each opening has its alert, and each alert is about something open. Moves and steam can also
 * begin and end between two answers, because the prices of half an hour before change. Such alerts are not
 * compared.
 * @param opened each opening, as `<time> <place>`
 * @param open each time at which a place is open, as `<time> <place>`
 */
function differences(opened: readonly string[], open: ReadonlySet<string>, alerts: readonly PastAlert[]) {
  const times = moments.map(({ atMs }) => atMs);
  const got = alerts.map((alert) => `${times.find((atMs) => atMs >= alert.atMs)} ${placeOfAlert(alert)}`);
  const between = new Set(got.filter((_, index) => !times.includes(alerts[index]!.atMs)));
  const have = new Set(got);
  return {
    count: opened.length,
    missing: opened.filter((one) => !have.has(one)),
    tooMany: [...have].filter((one) => !open.has(one) && !between.has(one)),
  };
}

const result: Record<string, unknown> = {};
for (const [kind, [when, plain]] of Object.entries(PLAIN)) {
  const { opened, open } = statesOf(plain);
  result[kind] = differences(opened, open, await alertsOf(when));
}
const lastS = moments.at(-1)!.atMs / 1_000;
const steam = { opened: [] as string[], open: new Set<string>() };
for (const [event, market, line, outcome, way, fromS, toS] of truth.steam) {
  if (fromS > lastS) continue;
  const words = [event, market, line, outcomeOf(market, outcome), way < 0 ? 'shortening' : 'drifting'];
  const place = words.join(' ');
  steam.opened.push(`${fromS * 1_000} ${place}`);
  for (const { atMs } of moments)
    if (atMs >= fromS * 1_000 && atMs <= toS * 1_000) steam.open.add(`${atMs} ${place}`);
}
result.steam = differences(steam.opened, steam.open, await alertsOf({ kind: 'steam' }));
console.log(JSON.stringify(result));
