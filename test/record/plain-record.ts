// Computes the record of value signals over season files of football-data.co.uk a second time, in the
// plainest way: with its own reading of the files, margins, settlement and resampling. It shares only the
// random numbers with the service.

import { Random } from '../../src/domain/random.ts';

interface PlainPick {
  readonly match: string;
  /** The provider's prefix: B365, BW, ... */
  readonly book: string;
  readonly market: string;
  readonly edgePct: number;
  /** Null if the reference has no closing price at that line. */
  readonly clvPct: number | null;
  readonly unitReturn: number;
}

export interface PlainRules {
  readonly books: readonly string[];
  /** `best`: only the highest price of each outcome. `each`: every bookmaker's price. */
  readonly picks: 'best' | 'each';
  readonly reference: 'pinnacle' | 'consensus';
}

interface Line {
  readonly market: string;
  readonly line: number | null;
  readonly prices: readonly number[];
}

/**
 * The picks of matches: prices of the first collection that are 2 to 10 % above the fair price. `rules.picks`
 * decides which prices are compared.
 */
export function plainPicks(csv: string, rules: PlainRules): PlainPick[] {
  return matchesOf(csv).flatMap((cells) => picksOfMatch(cells, rules));
}

type Cells = Readonly<Record<string, string>>;

function matchesOf(csv: string): Cells[] {
  const [header, ...rows] = csv
    .replace('\uFEFF', '')
    .split('\n')
    .map((row) => row.trim().split(','));
  return rows
    .filter((row) => row.length > 1)
    .map((row) => Object.fromEntries(row.map((cell, index) => [header![index]!, cell])));
}

function picksOfMatch(cells: Cells, { books, picks, reference }: PlainRules): PlainPick[] {
  const everyone = [...books, 'PS'];
  const opening = everyone.map((book) => ({ book, lines: linesOf(cells, book, '') }));
  const closing = everyone.map((book) => ({ book, lines: linesOf(cells, book, 'C') }));
  const found: PlainPick[] = [];
  const at = (side: typeof opening, wanted: Line) =>
    side.flatMap(({ book, lines }) =>
      lines
        .filter((line) => line.market === wanted.market && line.line === wanted.line)
        .map((line) => ({ book, ...line })),
    );
  const fairOf = (side: ReturnType<typeof at>, judged: string): number[] | null => {
    if (reference === 'pinnacle') {
      const [sharp] = side.filter(({ book }) => book === 'PS');
      return sharp === undefined ? null : fair(sharp);
    }
    const others = side.filter(({ book }) => book !== judged).map(fair);
    return others.length < 3 ? null : consensus(others);
  };
  for (const market of ['1x2', 'asian_handicap', 'totals']) {
    const first = opening.flatMap(({ lines }) => lines).find((line) => line.market === market);
    if (first === undefined) continue;
    const quotes = at(opening, first);
    first.prices.forEach((_, outcome) => {
      const best = Math.max(...quotes.map(({ prices }) => prices[outcome]!));
      const judged = quotes.filter(({ prices }) => picks === 'each' || prices[outcome] === best);
      for (const { book, prices } of picks === 'each' ? judged : judged.slice(0, 1)) {
        const price = prices[outcome]!;
        const before = fairOf(quotes, book)?.[outcome];
        const edge = before === undefined ? Number.NaN : price * before - 1;
        if (!(edge >= 0.02 && edge <= 0.1)) continue;
        const after = fairOf(at(closing, first), book)?.[outcome];
        found.push({
          ...{ match: keyOf(cells), book, market },
          edgePct: Number((edge * 100).toFixed(2)),
          clvPct: after === undefined ? null : (after * price - 1) * 100,
          unitReturn: returnOf(cells, first, { outcome, price }),
        });
      }
    });
  }
  return found;
}

/** The key that an import gives a match, from which its id is made. */
function keyOf({ Div, Date: date, HomeTeam, AwayTeam }: Cells): string {
  const [day, month, year] = date!.split('/');
  const team = (name: string) => name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return `${Div}-${year}-${month}-${day}-${team(HomeTeam!)}-${team(AwayTeam!)}`;
}

function linesOf(cells: Cells, book: string, mark: '' | 'C'): Line[] {
  const short = book === 'PS' ? 'P' : book;
  const handicap = cells[mark === 'C' ? 'AHCh' : 'AHh'];
  const all: Line[] = [
    {
      market: '1x2',
      line: null,
      prices: numbers(cells, [`${book}${mark}H`, `${book}${mark}D`, `${book}${mark}A`]),
    },
    { market: 'totals', line: 2.5, prices: numbers(cells, [`${short}${mark}>2.5`, `${short}${mark}<2.5`]) },
    {
      market: 'asian_handicap',
      line: Number(handicap || Number.NaN),
      prices: numbers(cells, [`${short}${mark}AHH`, `${short}${mark}AHA`]),
    },
  ];
  return all.filter(({ line, prices }) => {
    const sum = prices.reduce((total, price) => total + 1 / price, 0);
    return !Number.isNaN(line ?? 0) && prices.every((price) => price > 1) && sum >= 1 && sum <= 1.6;
  });
}

function numbers(cells: Cells, names: readonly string[]): number[] {
  return names.map((name) => Number(cells[name] || Number.NaN));
}

/**
 * Fair probabilities: for a 1x2 by the power method with bisection, for two outcomes in proportion to the
 * inverse prices.
 */
function fair({ market, prices }: Line): number[] {
  const inverses = prices.map((price) => 1 / price);
  const total = (power: number) => inverses.reduce((sum, inverse) => sum + inverse ** power, 0);
  if (market !== '1x2') return inverses.map((inverse) => inverse / total(1));
  let [low, high] = [1, 20];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (total(middle) > 1) low = middle;
    else high = middle;
  }
  return inverses.map((inverse) => inverse ** low);
}

function consensus(rows: readonly (readonly number[])[]): number[] {
  const mean = rows[0]!.map((_, outcome) => {
    const logOdds = rows.reduce((sum, row) => sum + Math.log(row[outcome]! / (1 - row[outcome]!)), 0);
    return 1 / (1 + Math.exp(-logOdds / rows.length));
  });
  const sum = mean.reduce((total, probability) => total + probability, 0);
  return mean.map((probability) => probability / sum);
}

/** The return of one unit. A quarter line is half a bet on each of the two neighbouring lines. */
function returnOf(
  cells: Cells,
  { market, line }: Line,
  { outcome, price }: { readonly outcome: number; readonly price: number },
): number {
  const [home, away] = [Number(cells.FTHG), Number(cells.FTAG)];
  if (market === '1x2') return 'HDA'[outcome] === cells.FTR ? price - 1 : -1;
  const margin = (part: number) => (market === 'totals' ? home + away - part : home - away + part);
  const halves = Number.isInteger(line! * 2) ? [line!, line!] : [line! - 0.25, line! + 0.25];
  const returns = halves.map((half) => {
    const ahead = outcome === 0 ? margin(half) : -margin(half);
    return ahead > 0 ? price - 1 : ahead < 0 ? -1 : 0;
  });
  return (returns[0]! + returns[1]!) / 2;
}

/**
 * The row of the record for some picks.
 * @param idOf returns the id of a match; matches are drawn in the order of their ids
 */
export function plainRow(picks: readonly PlainPick[], idOf: (match: string) => string) {
  const clvs = picks.flatMap(({ clvPct }) => (clvPct === null ? [] : [clvPct]));
  const matches = new Map<string, number[]>();
  for (const { match, unitReturn } of picks) matches.set(match, [...(matches.get(match) ?? []), unitReturn]);
  const ordered = [...matches].sort(([one], [other]) => (idOf(one) < idOf(other) ? -1 : 1));
  const random = new Random(20_260_101);
  const yields: number[] = [];
  for (let resample = 0; resample < 2_000; resample++) {
    const drawn = ordered.flatMap(() => ordered[Math.floor(random.unit() * ordered.length)]![1]);
    yields.push(mean(drawn) * 100);
  }
  yields.sort((one, other) => one - other);
  return {
    signals: picks.length,
    mean_edge_pct: digits(mean(picks.map(({ edgePct }) => edgePct))),
    closed_with_clv: clvs.length,
    mean_clv_pct: digits(mean(clvs)),
    beat_close_pct: digits(mean(clvs.map((clv) => (clv > 0 ? 100 : 0)))),
    settled: picks.length,
    yield_pct: digits(mean(picks.map(({ unitReturn }) => unitReturn * 100))),
    yield_low_pct: digits(yields[50]!),
    yield_high_pct: digits(yields[1_949]!),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function digits(value: number): number {
  return Number(value.toFixed(2)) + 0;
}

/**
 * The log-loss of the closing 1x2 prices, for Pinnacle and for the consensus of the other bookmakers, over
 * the matches that have both.
 */
export function plainForecasts(
  csv: string,
  books: readonly string[],
): { pinnacle: number; consensus: number }[] {
  return matchesOf(csv).flatMap((cells) => {
    const closeOf = (book: string) =>
      linesOf(cells, book, 'C')
        .filter(({ market }) => market === '1x2')
        .map(fair);
    const [sharp] = closeOf('PS');
    const others = books.flatMap(closeOf);
    if (sharp === undefined || others.length < 3) return [];
    const won = 'HDA'.indexOf(cells.FTR!);
    return [{ pinnacle: -Math.log(sharp[won]!), consensus: -Math.log(consensus(others)[won]!) }];
  });
}
