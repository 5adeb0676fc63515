// The simulated slate is a market: each bookmaker's prices are consistent and have its margin, bookmakers
// differ a little, value is common and arbitrage rare. Everything here is computed from prices alone.

import { beforeAll, expect, test } from 'bun:test';
import { HOUR_MS, MINUTE_MS } from '../../../src/clock.ts';
import { fairOf, MarketSurvey, median } from '../market-survey.ts';
import {
  DumbSlate,
  type Fixture,
  OPTIONS,
  type Quote,
  START_MS,
  simulate,
  statusOf,
} from '../simulator-support.ts';

/**
 * Observations of eight slates that begin 20 minutes apart. Each slate is observed at its beginning and a
 * minute later, except the first: its second observation is 20 minutes later.
 */
interface Survey {
  readonly fixtures: {
    readonly status: string;
    readonly quoteCount: number;
    readonly lines: readonly Quote[][];
  }[];
}

const survey: Survey = { fixtures: [] };
/** Counts of the messages that the first slate sends in its 20 minutes. */
const pace = {
  liveCount: 0,
  liveSeconds: 0,
  lastAt: new Map<string, number>(),
  gaps: [] as number[],
};

beforeAll(() => {
  for (let look = 0; look < 8; look++) {
    const slate = new DumbSlate();
    const startMs = START_MS + look * 20 * MINUTE_MS;
    const isFirst = look === 0;
    const endMs = startMs + (isFirst ? 20 * MINUTE_MS : MINUTE_MS);
    const span = { startMs, endMs, sliceMs: isFirst ? 1_000 : MINUTE_MS };
    const use = (message: Record<string, unknown>): void => {
      slate.apply(message);
      if (isFirst) notePace(slate, message);
    };
    simulate(OPTIONS, span, use, (nowMs) => {
      for (const fixture of slate.fixtures.values()) {
        const status = statusOf(fixture);
        if (isFirst && status === 'live') pace.liveSeconds++;
        if (nowMs !== startMs && nowMs !== endMs) continue;
        survey.fixtures.push({ status, quoteCount: fixture.quotes.size, lines: openLines(fixture) });
      }
    });
  }
});

function notePace(slate: DumbSlate, message: Record<string, unknown>): void {
  const event = message.event as string;
  const fixture = slate.fixtures.get(event);
  if (fixture === undefined || message.type === 'event') return;
  const status = statusOf(fixture);
  if (status === 'live') pace.liveCount++;
  if (status !== 'scheduled') return;
  const atMs = Date.parse(message.at as string);
  const before = pace.lastAt.get(event);
  if (before !== undefined && before !== atMs) pace.gaps.push(atMs - before);
  pace.lastAt.set(event, atMs);
}

function openLines(fixture: Fixture): Quote[][] {
  const lines = new Map<string, Quote[]>();
  for (const quote of fixture.quotes.values()) {
    if (quote.status !== 'open') continue;
    const key = `${quote.market_type} ${quote.period} ${quote.line}`;
    const books = lines.get(key);
    if (books === undefined) lines.set(key, [quote]);
    else books.push(quote);
  }
  return [...lines.values()];
}

function shareUnder(values: readonly number[], limit: number): number {
  return values.filter((value) => value < limit).length / values.length;
}

/** Ten minutes of every second of ten days, at hours that cover the whole day. */
const DAYS = 5;
const WINDOW_MS = 10 * MINUTE_MS;

test('market over ten days: one fixture in five has value, one in a hundred an arbitrage, and most are gone in a minute', () => {
  const survey = new MarketSurvey();
  for (let day = 0; day < DAYS; day++) {
    const startMs = START_MS + day * 52.8 * HOUR_MS;
    const span = { startMs, endMs: startMs + WINDOW_MS, sliceMs: WINDOW_MS };
    simulate(OPTIONS, span, (message) => survey.apply(message));
    survey.forget();
  }
  const { value, arbitrage } = survey.shares();
  expect(value).toBeWithin(0.15, 0.25);
  expect(arbitrage).toBeWithin(0.005, 0.015);
  expect(survey.valueLivesMs.length).toBeGreaterThan(500);
  expect(median(survey.valueLivesMs)).toBeWithin(1_000, 60_000);
  expect(shareUnder(survey.valueLivesMs, MINUTE_MS)).toBeGreaterThan(0.7);
  expect(shareUnder(survey.arbitrageLivesMs, MINUTE_MS)).toBeGreaterThan(0.8);
  // Margins differ by market, period and phase as they do in the recordings
  // (docs/guide/feeds.md#the-simulated-market).
  for (const bookmaker of ['pinnacle', 'crown', 'sbobet']) {
    const of = (rest: string): number => survey.marginOf(`${bookmaker} ${rest}`);
    expect(of('asian_handicap full_time before')).toBeLessThan(of('totals full_time before'));
    expect(of('totals full_time before')).toBeLessThan(of('1x2 full_time before'));
    expect(of('asian_handicap full_time before')).toBeLessThan(of('asian_handicap half_time before'));
    expect(of('1x2 full_time before')).toBeLessThan(of('1x2 half_time before'));
    expect(of('asian_handicap full_time before')).toBeLessThan(of('asian_handicap full_time in play'));
  }
  expect(survey.marginOf('pinnacle asian_handicap full_time before')).toBeWithin(0.02, 0.03);
  expect(survey.marginOf('crown asian_handicap full_time before')).toBeWithin(0.028, 0.042);
  expect(survey.marginOf('hkjc asian_handicap full_time before')).toBeWithin(0.04, 0.06);
});

test('prices: every open quote has a margin, and that of the sharp bookmaker is the smallest', () => {
  const sums = new Map<string, { total: number; count: number }>();
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const quote of survey.fixtures.flatMap((fixture) => fixture.lines.flat())) {
    const margin = quote.prices.reduce((sum, price) => sum + 1 / price, 0) - 1;
    if (Number.isNaN(margin)) throw new Error(`no margin: ${JSON.stringify(quote)}`);
    [least, most] = [Math.min(least, margin), Math.max(most, margin)];
    const sum = sums.get(quote.bookmaker) ?? { total: 0, count: 0 };
    sums.set(quote.bookmaker, { total: sum.total + margin, count: sum.count + 1 });
  }
  expect(least).toBeGreaterThanOrEqual(0.01);
  expect(most).toBeLessThan(0.25);
  const means = [...sums].map(([book, { total, count }]) => [book, total / count] as const);
  expect(means.length).toBe(7);
  expect(means.sort((a, b) => a[1] - b[1])[0]?.[0]).toBe('pinnacle');
});

test('prices: a fixture before kickoff has 60 to 80 quotes, quarter lines among them', () => {
  let quarterLines = 0;
  const counts: number[] = [];
  for (const fixture of survey.fixtures) {
    if (fixture.status === 'scheduled') counts.push(fixture.quoteCount);
    for (const books of fixture.lines) if (((books[0]?.line ?? 0) * 4) % 2 !== 0) quarterLines++;
  }
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(60);
  expect(Math.max(...counts)).toBeLessThan(81);
  expect(quarterLines).toBeGreaterThan(1_000);
});

// For football: a bookmaker's main total and handicap give goal rates, from which its other lines and 1x2
// must follow.

/** Chances of 0 to 14 goals. */
function goalChances(mean: number): number[] {
  let chance = Math.exp(-mean);
  return Array.from({ length: 15 }, (_, goals) => {
    if (goals > 0) chance *= mean / goals;
    return chance;
  });
}

/**
 * The probability of the first side of a two-way line, computed by brute force over all scores, without
 * pushes.
 */
function twoWay(rates: readonly [number, number], settle: (home: number, away: number) => number): number {
  let win = 0;
  let loss = 0;
  const [ofHome, ofAway] = [goalChances(rates[0]), goalChances(rates[1])];
  for (const [home, chanceOfHome] of ofHome.entries()) {
    for (const [away, chanceOfAway] of ofAway.entries()) {
      const chance = chanceOfHome * chanceOfAway;
      const won = settle(home, away);
      if (won > 0) win += chance * won;
      else loss -= chance * won;
    }
  }
  return win / (win + loss);
}

/** The share of the stake that is won (1, 0.5, 0, -0.5 or -1) if `ahead` is the count minus the line. */
function settleAhead(ahead: number): number {
  const halves = Number.isInteger(ahead * 2) ? [ahead, ahead] : [ahead - 0.25, ahead + 0.25];
  return (Math.sign(halves[0] as number) + Math.sign(halves[1] as number)) / 2;
}

function solve(low: number, high: number, rises: (value: number) => boolean): number {
  let [from, to] = [low, high];
  for (let i = 0; i < 30; i++) {
    const middle = (from + to) / 2;
    if (rises(middle)) from = middle;
    else to = middle;
  }
  return from;
}

/** Expected goals of each side, from one total line and one handicap line. */
function ratesFrom(total: Quote, handicap: Quote, scored: number): [number, number] {
  const over = fairOf(total.prices)[0] as number;
  const sum = solve(
    0.02,
    9,
    (mean) => twoWay([mean, 0], (h) => settleAhead(h + scored - (total.line as number))) < over,
  );
  const home = fairOf(handicap.prices)[0] as number;
  const settle = (h: number, a: number): number => settleAhead(h - a + (handicap.line as number));
  const lean = solve(0, sum, (rate) => twoWay([rate, sum - rate], settle) < home);
  return [lean, sum - lean];
}

function mostEven(quotes: readonly Quote[]): Quote | undefined {
  const off = (quote: Quote): number => Math.abs((quote.prices[0] as number) - (quote.prices[1] as number));
  return [...quotes].sort((a, b) => off(a) - off(b))[0];
}

test('FootballModel: a book’s 1x2, handicaps and totals all follow from the same two goal rates', () => {
  const slate = new DumbSlate();
  const span = { startMs: START_MS, endMs: START_MS + 20 * MINUTE_MS, sliceMs: 20 * MINUTE_MS };
  let checked = 0;
  let worst = 0;
  simulate({ ...OPTIONS, footballFixtures: 48, basketballFixtures: 0 }, span, (message) =>
    slate.apply(message),
  );
  for (const fixture of slate.fixtures.values()) {
    if (fixture.event.sport !== 'football' || statusOf(fixture) === 'finished') continue;
    const [homeScore = 0, awayScore = 0] = fixture.state?.score ?? [];
    for (const book of ['pinnacle', 'crown', 'hkjc']) {
      for (const period of ['full_time', 'half_time']) {
        const own = [...fixture.quotes.values()].filter(
          (q) => q.bookmaker === book && q.period === period && q.status === 'open',
        );
        const total = mostEven(own.filter((q) => q.market_type === 'totals'));
        const handicap = mostEven(own.filter((q) => q.market_type === 'asian_handicap'));
        if (total === undefined || handicap === undefined) continue;
        const scored = homeScore + awayScore;
        const rates = ratesFrom(total, handicap, scored);
        for (const quote of own) {
          const line = quote.line ?? 0;
          const [home = 0, , away = 0] = fairOf(quote.prices);
          let off = 0;
          // The first 1x2 price after news is inaccurate, except the sharp bookmaker's.
          if (quote.market_type === '1x2' && book !== 'pinnacle') continue;
          if (quote.market_type === '1x2') {
            const lead = homeScore - awayScore;
            const homeWins = twoWay(rates, (h, a) => (h - a + lead > 0 ? 1 : -1));
            const awayWins = twoWay(rates, (h, a) => (h - a + lead < 0 ? 1 : -1));
            off = Math.max(Math.abs(home - homeWins), Math.abs(away - awayWins));
          } else if (quote.market_type === 'totals') {
            off = Math.abs(home - twoWay(rates, (h, a) => settleAhead(h + a + scored - line)));
          } else {
            // In play, a handicap counts only later goals.
            off = Math.abs(home - twoWay(rates, (h, a) => settleAhead(h - a + line)));
          }
          worst = Math.max(worst, off);
          checked++;
        }
      }
    }
  }
  expect(checked).toBeGreaterThan(1_000);
  // Prices with two decimals have rounding errors of this size.
  expect(worst).toBeLessThan(0.012);
});

test('ticks: a live match sends 1 to 5 messages a second, a scheduled one at least a line every 30 s', () => {
  expect(pace.liveCount / pace.liveSeconds).toBeWithin(1, 5);
  expect(Math.max(...pace.gaps)).toBeLessThanOrEqual(30_000);
});

test('ratePerSecond: the total rate is the one that was set, and prices still move', () => {
  for (const ratePerSecond of [200, 20_000]) {
    let quotes = 0;
    let sent = 0;
    const prices = new Map<string, string>();
    let moved = 0;
    const seconds = 4_000 / ratePerSecond + 1;
    const span = { startMs: START_MS, endMs: START_MS + seconds * 1_000, sliceMs: 100 };
    const use = (message: Record<string, unknown>): void => {
      sent++;
      if (message.type !== 'quote') return;
      quotes++;
      const key = [
        message.event,
        message.bookmaker,
        message.market_type,
        message.period,
        message.line,
      ].join();
      const text = String(message.prices);
      if (prices.get(key) !== text) moved++;
      prices.set(key, text);
    };
    let atStart = 0;
    simulate({ ...OPTIONS, ratePerSecond }, span, use, () => {
      if (atStart === 0) atStart = sent;
    });
    expect((sent - atStart) / seconds).toBeWithin(ratePerSecond * 0.97, ratePerSecond * 1.03);
    expect(moved / quotes).toBeGreaterThan(0.1);
  }
});
