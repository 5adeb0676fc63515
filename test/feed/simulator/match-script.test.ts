// Simulated matches: what goals, red cards, half time and full time do to the bookmakers' lines.

import { beforeAll, expect, test } from 'bun:test';
import { HOUR_MS, MINUTE_MS } from '../../../src/clock.ts';
import {
  DumbSlate,
  OPTIONS,
  type Quote,
  START_MS,
  simulate,
  statusOf,
  type Wire,
} from '../simulator-support.ts';

const BOOK_COUNT = 7;

/** Follows goals and red cards: checks how lines are suspended, and measures when each bookmaker reopens. */
class IncidentWatch {
  readonly #slate: DumbSlate;
  readonly suspended = new Map<string, { atMs: number; open: Map<string, Quote> }>();
  readonly delaysMs: number[] = [];
  incidents = 0;
  kept = 0;

  constructor(slate: DumbSlate) {
    this.#slate = slate;
  }

  /** Checks a message before it is applied to the slate. */
  see(message: Wire): void {
    const event = message.event as string;
    const before = this.#slate.fixtures.get(event);
    const atMs = Date.parse(message.at as string);
    if (message.type === 'state' && before?.event.sport === 'football' && message.status === 'live') {
      const changed =
        before.state !== null &&
        (String(message.score) !== String(before.state.score) ||
          String(message.cards) !== String(before.state.cards));
      if (changed) {
        this.incidents++;
        const open = new Map([...before.quotes].filter(([, quote]) => quote.status === 'open'));
        for (const book of new Set([...before.quotes.values()].map((quote) => quote.bookmaker))) {
          const own = new Map([...open].filter(([, quote]) => quote.bookmaker === book));
          this.suspended.set(`${event} ${book}`, { atMs, open: own });
        }
      }
    }
    if (message.type === 'quote') this.#quote(message as unknown as Quote, atMs);
  }

  #quote(quote: Quote, atMs: number): void {
    const key = `${quote.event} ${quote.bookmaker}`;
    const suspension = this.suspended.get(key);
    if (suspension === undefined) return;
    if (quote.status === 'open') {
      // All lines of that bookmaker must have been suspended before the first of them reopens.
      expect(suspension.open.size).toBe(0);
      this.delaysMs.push(atMs - suspension.atMs);
      this.suspended.delete(key);
      return;
    }
    const line = [quote.bookmaker, quote.market_type, quote.period, quote.line].join(' ');
    const held = suspension.open.get(line);
    if (held === undefined) return;
    expect(atMs).toBe(suspension.atMs);
    expect(quote.prices).toEqual(held.prices);
    suspension.open.delete(line);
    this.kept++;
  }
}

/** Checks what the ends of halves and of matches do to the lines. */
class PeriodWatch {
  readonly seen = { half: 0, second: 0, full: 0, removed: 0 };
  readonly #slate: DumbSlate;
  readonly #finishedMs = new Map<string, number>();
  #after: (() => void) | null = null;
  #afterAt: unknown = null;

  constructor(slate: DumbSlate) {
    this.#slate = slate;
  }

  /** Applies a message to the slate, and checks what it changed. */
  apply(message: Wire): void {
    const key = message.event as string;
    // Reactions to a state message have the same time as it, so they are checked at the first message with a
    // later time.
    if (message.at !== this.#afterAt) {
      this.#after?.();
      this.#after = null;
    }
    const known = this.#slate.fixtures.get(key);
    const before = known === undefined ? '' : `${statusOf(known)} ${known.state?.clock}`;
    this.#slate.apply(message);
    if (message.type === 'remove') this.#removed(key, message);
    if (message.type === 'result') this.#ended(key, message);
    if (message.type !== 'state' || message.status !== 'live') return;
    if (message.clock === 'ht' && before !== 'live ht') {
      this.seen.half++;
      this.#then(message, () => {
        for (const quote of this.#halfLines(key))
          expect([quote.status, ...new Set(quote.prices)]).toEqual(['suspended', 0]);
      });
    } else if (before === 'live ht') {
      this.seen.second++;
      this.#then(message, () => expect(this.#halfLines(key)).toEqual([]));
    }
  }

  #then(message: Wire, check: () => void): void {
    this.#afterAt = message.at;
    this.#after = check;
  }

  #removed(key: string, message: Wire): void {
    const staysMs = Date.parse(message.at as string) - (this.#finishedMs.get(key) ?? Number.NaN);
    if (!Number.isNaN(staysMs)) expect(staysMs).toBeWithin(5 * MINUTE_MS, 15 * MINUTE_MS + 1);
    this.seen.removed++;
  }

  #ended(key: string, message: Wire): void {
    const fixture = this.#slate.fixtures.get(key);
    expect(fixture?.state?.status).toBe('finished');
    expect(fixture?.state?.score).toEqual(message.score as number[]);
    for (const quote of fixture?.quotes.values() ?? []) {
      expect(quote.status).toBe('suspended');
      expect(quote.prices.every((price) => price === 0)).toBe(true);
    }
    this.#finishedMs.set(key, Date.parse(message.finished_at as string));
    this.seen.full++;
  }

  #halfLines(key: string): Quote[] {
    const quotes = [...(this.#slate.fixtures.get(key)?.quotes.values() ?? [])];
    return quotes.filter((quote) => quote.period === 'half_time');
  }
}

/** Both tests read one run of the simulator. */
const slate = new DumbSlate();
const incidents = new IncidentWatch(slate);
const periods = new PeriodWatch(slate);
beforeAll(() => {
  const options = { ...OPTIONS, footballFixtures: 45, basketballFixtures: 6 };
  const span = { startMs: START_MS, endMs: START_MS + 2.5 * HOUR_MS, sliceMs: MINUTE_MS };
  simulate(options, span, (message) => {
    incidents.see(message);
    periods.apply(message);
  });
});

test('after a goal or red card every open line is suspended at once with its prices, and most bookmakers reopen 8 to 45 s later', () => {
  const watch = incidents;
  expect(watch.incidents).toBeGreaterThan(60);
  expect(watch.kept).toBeGreaterThan(60 * 20);
  expect(watch.delaysMs.length).toBeGreaterThan(60 * (BOOK_COUNT - 2));
  expect(Math.min(...watch.delaysMs)).toBeGreaterThanOrEqual(8_000);
  const late = watch.delaysMs.filter((delay) => delay > 45_000);
  // If all lines of a bookmaker are too one-sided to offer, the market stays closed until one line is
  // balanced again. In a one-sided match that takes long.
  expect(late.length / watch.delaysMs.length).toBeLessThan(0.05);
  expect(new Set(watch.delaysMs).size).toBeGreaterThan(100);
});

test('at half time the half-time lines get the price 0, and they leave when the second half begins; at full time the other lines get the price 0 and the result is sent', () => {
  for (const count of Object.values(periods.seen)) expect(count).toBeGreaterThan(15);
});
