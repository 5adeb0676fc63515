// `bun bench/consensus.ts <season.csv> ...`: by how much the log-loss of the consensus of closing 1x2 prices
// exceeds that of Pinnacle. It also tries other rules: other ways to remove the margin, other means, leaving
// out single bookmakers, the provider's average of all bookmakers, and weights fitted on one season and tried
// on another. The files are from football-data.co.uk, one for each season. It computes everything itself, so
// it also checks `overround backtest --history --forecasts`.

import { basename } from 'node:path';

type Prices = readonly number[];
type Rule = (rows: readonly Prices[]) => Prices;

interface Match {
  readonly won: number;
  readonly closing: ReadonlyMap<string, Prices>;
}

const SHARP = 'PS';
const BOOKS = ['B365', 'BW', 'BF', 'WH', '1XB', 'BFE', 'BFD', 'BMGM', 'BV', 'CL', 'LB'];
/** The provider's mean of the prices of all bookmakers that it reads, dozens of them. */
const AVERAGE = 'Avg';
const BOOKS_MIN = 3;
const FIT_STEPS = 120;
const FIT_RATE = 60;

const inverses = (prices: Prices): Prices => prices.map((price) => 1 / price);
const sumOf = (values: Prices): number => values.reduce((sum, value) => sum + value, 0);
const scaled = (values: Prices): Prices => values.map((value) => value / sumOf(values));

const MARGINS: Readonly<Record<string, (prices: Prices) => Prices>> = {
  power: (prices) => {
    const given = inverses(prices);
    let [low, high] = [0.5, 20];
    for (let step = 0; step < 100; step++) {
      const middle = (low + high) / 2;
      if (sumOf(given.map((value) => value ** middle)) > 1) low = middle;
      else high = middle;
    }
    return given.map((value) => value ** low);
  },
  proportional: (prices) => scaled(inverses(prices)),
  shin: (prices) => {
    const given = inverses(prices);
    const sum = sumOf(given);
    const at = (z: number): Prices =>
      given.map((value) => (Math.sqrt(z * z + (4 * (1 - z) * value * value) / sum) - z) / (2 * (1 - z)));
    let [low, high] = [0, 0.5];
    for (let step = 0; step < 100; step++) {
      const middle = (low + high) / 2;
      if (sumOf(at(middle)) > 1) low = middle;
      else high = middle;
    }
    return scaled(at(low));
  },
};

/** The mean of a function of the probabilities, converted back and scaled to a sum of 1. */
function meanBy(to: (p: number) => number, back: (value: number) => number, weights?: Prices): Rule {
  return (rows) =>
    scaled(
      rows[0]!.map((_, outcome) => {
        const shares = weights ?? rows.map(() => 1 / rows.length);
        return back(sumOf(rows.map((row, index) => shares[index]! * to(row[outcome]!))));
      }),
    );
}
const logOdds = (weights?: Prices): Rule =>
  meanBy(
    (p) => Math.log(p / (1 - p)),
    (value) => 1 / (1 + Math.exp(-value)),
    weights,
  );
const MEANS: Readonly<Record<string, Rule>> = {
  'log-odds': logOdds(),
  probabilities: meanBy(
    (p) => p,
    (value) => value,
  ),
  logarithms: meanBy(Math.log, Math.exp),
};

function matchesOf(csv: string): Match[] {
  const [header, ...rows] = csv
    .replace('\uFEFF', '')
    .split('\n')
    .map((row) => row.trim().split(','));
  return rows.flatMap((row) => {
    const cells = new Map(header!.map((name, index) => [name, row[index] ?? '']));
    const result = cells.get('FTR') ?? '';
    if (result === '') return [];
    const closing = new Map<string, Prices>();
    for (const book of [SHARP, ...BOOKS, AVERAGE]) {
      const prices = [...'HDA'].map((side) => Number(cells.get(`${book}C${side}`) || Number.NaN));
      const sum = sumOf(inverses(prices));
      if (prices.every((price) => price > 1) && sum >= 1 && sum <= 1.6) closing.set(book, prices);
    }
    return [{ won: 'HDA'.indexOf(result), closing }];
  });
}

/** Fair probabilities by margin method, each computed once. */
const known = new Map(Object.keys(MARGINS).map((margin) => [margin, new WeakMap<Prices, Prices>()]));

function fairOf(prices: Prices, margin: string): Prices {
  const before = known.get(margin)!.get(prices);
  if (before !== undefined) return before;
  const fair = MARGINS[margin]!(prices);
  known.get(margin)!.set(prices, fair);
  return fair;
}

/** The log-loss of a rule minus that of Pinnacle's closing prices, for each match. */
function lossesOf(
  matches: readonly Match[],
  { books, margin, rule, least }: { books: readonly string[]; margin: string; rule: Rule; least: number },
): number[] {
  return matches.flatMap(({ won, closing }) => {
    const sharp = closing.get(SHARP);
    const rows = books.flatMap((book) => (closing.has(book) ? [closing.get(book)!] : []));
    if (sharp === undefined || rows.length < least) return [];
    return [
      Math.log(fairOf(sharp, 'power')[won]!) - Math.log(rule(rows.map((row) => fairOf(row, margin)))[won]!),
    ];
  });
}

function shown(name: string, losses: readonly number[]): string {
  if (losses.length === 0) return `| ${name} | 0 | | |`;
  const mean = sumOf(losses) / losses.length;
  const variance = sumOf(losses.map((loss) => (loss - mean) ** 2)) / losses.length;
  return `| ${name} | ${losses.length} | ${mean.toFixed(5)} | ${Math.sqrt(variance / losses.length).toFixed(5)} |`;
}

/** The weights with the lowest log-loss, found by exponentiated gradient steps with numerical slopes. */
function fitted(matches: readonly Match[], books: readonly string[]): Prices {
  const lossOf = (weights: Prices): number => {
    const losses = lossesOf(matches, { books, margin: 'power', rule: logOdds(weights), least: books.length });
    return sumOf(losses) / losses.length;
  };
  let weights: Prices = books.map(() => 1 / books.length);
  for (let step = 0; step < FIT_STEPS; step++) {
    const here = lossOf(weights);
    const slopes = weights.map((_, index) => {
      const moved = weights.map((weight, other) => weight + (other === index ? 1e-4 : 0));
      return (lossOf(moved) - here) / 1e-4;
    });
    weights = scaled(weights.map((weight, index) => weight * Math.exp(-FIT_RATE * slopes[index]!)));
  }
  return weights;
}

const paths = process.argv.slice(2);
if (paths.length === 0)
  throw new Error(
    'Cannot start: no season is named. Name a file of football-data.co.uk for each season; join several files of one season with +',
  );
const seasons = await Promise.all(
  paths.map(async (path) => ({
    name: basename(path),
    matches: (await Promise.all(path.split('+').map((part) => Bun.file(part).text()))).flatMap(matchesOf),
  })),
);
for (const { name, matches } of seasons) {
  console.log(`\n${name}\n\n| closing 1x2 | matches | above Pinnacle | standard error |\n|---|---|---|---|`);
  const single = (book: string, margin: string) =>
    lossesOf(matches, { books: [book], margin, rule: MEANS['log-odds']!, least: 1 });
  for (const book of [...BOOKS, AVERAGE]) {
    const losses = single(book, 'power');
    if (losses.length > 0) console.log(shown(`${book} alone`, losses));
  }
  for (const margin of Object.keys(MARGINS)) {
    for (const [mean, rule] of Object.entries(MEANS))
      console.log(
        shown(
          `mean of ${mean}, ${margin}`,
          lossesOf(matches, { books: BOOKS, margin, rule, least: BOOKS_MIN }),
        ),
      );
  }
  const usual = { margin: 'power', rule: MEANS['log-odds']!, least: BOOKS_MIN };
  for (const left of BOOKS) {
    const losses = lossesOf(matches, { ...usual, books: BOOKS.filter((book) => book !== left) });
    if (matches.some(({ closing }) => closing.has(left))) console.log(shown(`without ${left}`, losses));
  }
  console.log(shown(`with ${AVERAGE}`, lossesOf(matches, { ...usual, books: [...BOOKS, AVERAGE] })));
}
const shared = BOOKS.filter((book) =>
  seasons.every(
    ({ matches }) => matches.filter(({ closing }) => closing.has(book)).length >= matches.length / 2,
  ),
);
if (seasons.length > 1 && shared.length > 1) {
  console.log(
    `\nWeights of ${shared.join(', ')}\n\n| fitted on | tried on | matches | above equal weights | standard error |\n|---|---|---|---|---|`,
  );
  for (const from of seasons) {
    const weights = fitted(from.matches, shared);
    for (const on of seasons) {
      const how = { books: shared, margin: 'power', least: shared.length };
      const words = weights.map((weight) => weight.toFixed(2)).join(', ');
      const tried = lossesOf(on.matches, { ...how, rule: logOdds(weights) });
      const equal = lossesOf(on.matches, { ...how, rule: MEANS['log-odds']! });
      const differences = tried.map((loss, index) => loss - equal[index]!);
      console.log(shown(`${from.name} (${words}) | ${on.name}`, differences));
    }
  }
}
