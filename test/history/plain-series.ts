// Reads a series of answers of The Odds API in a plain way: what was listed when. It uses no part of the
// importer or the tape.

import { readFileSync } from 'node:fs';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';

export interface Answer {
  readonly atS: number;
  /** Decimal prices as text, by event and then by `book|market|line`. */
  readonly events: ReadonlyMap<string, ReadonlyMap<string, string>>;
}
export interface Odds {
  readonly odds: readonly { readonly line: number | null; readonly prices: Record<string, number> }[];
}
interface Priced {
  readonly prices: Record<string, number> | null;
}
export interface History {
  readonly series: readonly {
    readonly bookmaker: string;
    readonly market_type: string;
    readonly line: number | null;
    readonly ticks: readonly Priced[];
  }[];
}
export interface Closing {
  readonly closing: readonly (Priced & {
    readonly bookmaker: string;
    readonly market_type: string;
    readonly line: number | null;
  })[];
}
export interface Truth {
  readonly summary: { readonly gone_before_kickoff: readonly string[] };
  readonly queries: readonly [string, string, string, number, [number | null, number[]] | null][];
  readonly events: Record<
    string,
    {
      readonly kickoff: number;
      readonly rows: Record<
        string,
        { readonly close?: [number, number | null, number[]] | null; readonly there_at_close?: boolean }
      >;
    }
  >;
}

const GONE_MAX_S = 600;

export function readTruth(path: string): Truth {
  return JSON.parse(gunzipSync(readFileSync(path)).toString()) as Truth;
}

/** Converts an American price to decimal, with four decimals. */
export function decimalOf(american: number): number {
  return Math.round((1 + (american > 0 ? american / 100 : 100 / -american)) * 10_000) / 10_000;
}

export function lineText(line: number | null, prices: readonly number[]): string {
  return `${line ?? ''}: ${prices.join(' ')}`;
}

export function pricesText(priced: Priced | undefined): string {
  return Object.values(priced?.prices ?? {}).join(' ');
}

export interface Outcome {
  readonly name: string;
  readonly price: number;
  readonly point?: number;
}
/** A match in an answer. */
export interface Listed {
  readonly id: string;
  readonly home_team: string;
  readonly away_team: string;
  readonly sport_key: string;
  readonly bookmakers: readonly {
    readonly key: string;
    readonly markets: readonly { readonly key: string; readonly outcomes: readonly Outcome[] }[];
  }[];
}

export function readAnswers(path: string): Answer[] {
  const text = zstdDecompressSync(readFileSync(path)).toString();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { timestamp, data } = JSON.parse(line) as { timestamp: string; data: Listed[] };
      return {
        atS: Date.parse(timestamp) / 1_000,
        events: new Map(data.map((event) => [event.id, listedOf(event)])),
      };
    });
}

function listedOf(event: Listed): Map<string, string> {
  const listed = new Map<string, string>();
  for (const { key: book, markets } of event.bookmakers) {
    for (const { key, outcomes } of markets) {
      const price = (name: string): number | undefined => outcomes.find((one) => one.name === name)?.price;
      const point = (name: string): number | undefined => outcomes.find((one) => one.name === name)?.point;
      const home = price(event.home_team);
      const away = price(event.away_team);
      const isFootball = event.sport_key.startsWith('soccer');
      let market: string | null = null;
      let prices: (number | undefined)[] = [];
      let line: number | undefined;
      if (key === 'h2h' && (!isFootball || price('Draw') !== undefined)) {
        market = '1x2';
        prices = isFootball ? [home, price('Draw'), away] : [home, away];
      } else if (key === 'spreads') {
        [market, prices, line] = ['asian_handicap', [home, away], point(event.home_team)];
      } else if (key === 'totals') {
        [market, prices, line] = ['totals', [price('Over'), price('Under')], point('Over')];
      }
      if (market === null) continue;
      const decimals = prices.map((one) => decimalOf(one!));
      const sum = decimals.reduce((total, one) => total + 1 / one, 0);
      if (sum < 1 || sum > 1.6) continue;
      listed.set(`${book}|${market}|${line ?? ''}`, decimals.join(' '));
    }
  }
  return listed;
}

/** A random instant, and what one bookmaker's market showed in the latest answer up to that instant. */
export function randomQuery(answers: readonly Answer[], random: { index(count: number): number }) {
  const index = random.index(answers.length);
  const { atS, events } = answers[index]!;
  const listed = [...events];
  const [event, lines] = listed[random.index(listed.length)]!;
  const keys = [...lines.keys()];
  const [book = 'betmgm', market = '1x2'] =
    keys.length === 0 ? [] : keys[random.index(keys.length)]!.split('|');
  const nextS = answers[index + 1]?.atS ?? atS + 1;
  const later = random.index(4) === 0 ? random.index(Math.min(answers.length - index, 41)) : 0;
  const from = answers[index + later]!;
  const untilS = later === 0 ? nextS : (answers[index + later + 1]?.atS ?? from.atS + 1);
  const queryS = from.atS + random.index(untilS - from.atS);
  const own = [...(from.events.get(event) ?? [])].filter(([key]) => key.startsWith(`${book}|${market}|`));
  const wanted = own
    .map(([key, prices]) => ({ line: key.split('|')[2]!, prices }))
    .sort((left, right) => Number(left.line) - Number(right.line))
    .map(({ line, prices }) => `${line}: ${prices}`)
    .join('; ');
  return { event, book, market, atS: queryS, wanted };
}

type Listings = readonly { readonly atS: number; readonly prices: string | null }[];

/** For each answer, what it showed about one line of the event; null if it did not list the line. */
export function linesOf(answers: readonly Answer[], event: string): Map<string, Listings> {
  const listings = answers.map(({ atS, events }) => ({ atS, lines: events.get(event) }));
  const keys = new Set(listings.flatMap(({ lines }) => [...(lines?.keys() ?? [])]));
  return new Map(
    [...keys].map((key) => [
      key,
      listings.map(({ atS, lines }) => ({ atS, prices: lines?.get(key) ?? null })),
    ]),
  );
}

/**
 * The first price of each line and its closing price: the last one before the kickoff. A line that had been
 * missing from the answers for more than ten minutes at the kickoff has no closing price.
 */
export function boundsOf(lines: ReadonlyMap<string, Listings>, kickoffS: number) {
  const bounds = new Map<string, { readonly open: string; readonly close: string | null }>();
  for (const [key, listings] of lines) {
    const open = listings.find(({ prices }) => prices !== null)!.prices!;
    const before = listings.filter(({ atS }) => atS < kickoffS);
    const lastIndex = before.findLastIndex(({ prices }) => prices !== null);
    const gone = before[lastIndex + 1];
    const isGone = gone !== undefined && kickoffS - gone.atS > GONE_MAX_S;
    bounds.set(key, { open, close: lastIndex < 0 || isGone ? null : before[lastIndex]!.prices });
  }
  return bounds;
}
