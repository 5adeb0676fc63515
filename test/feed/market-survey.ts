// Measures a market from its messages alone: margins, and how often and for how long value and arbitrage
// exist. It uses only prices, and none of the simulator's or the service's code.

type Message = Record<string, unknown>;

/** There is value if the best price is at least this share above the sharp bookmaker's fair price. */
const VALUE_EDGE = 0.01;
const SHARP = 'pinnacle';

interface Line {
  readonly margins: string;
  /** Open prices by bookmaker. */
  readonly prices: Map<string, readonly number[]>;
  /**
   * Fair probabilities from the sharp bookmaker's open prices. They are computed when these prices change.
   */
  fair: readonly number[] | null;
  hasValue: boolean;
  hasArbitrage: boolean;
}

interface Fixture {
  readonly lines: Map<string, Line>;
  live: boolean;
  finished: boolean;
  valueLines: number;
  arbitrageLines: number;
  valueSinceMs: number;
  arbitrageSinceMs: number;
}

/**
 * The total time of all fixtures in one phase (before kickoff or in play), and how much of it had value or
 * arbitrage.
 */
interface Share {
  fixtureMs: number;
  valueMs: number;
  arbitrageMs: number;
}

export class MarketSurvey {
  readonly before: Share = { fixtureMs: 0, valueMs: 0, arbitrageMs: 0 };
  readonly inPlay: Share = { fixtureMs: 0, valueMs: 0, arbitrageMs: 0 };
  /** How long each value and each arbitrage of a fixture lasted. */
  readonly valueLivesMs: number[] = [];
  readonly arbitrageLivesMs: number[] = [];
  /** Sums of margins by bookmaker, market, period and phase. */
  readonly margins = new Map<string, { sum: number; count: number }>();
  readonly #fixtures = new Map<string, Fixture>();
  #nowMs = Number.NaN;

  /** Applies one message of the feed protocol, in order. */
  apply(message: Message): void {
    if (typeof message.at === 'string') this.#moveTo(Date.parse(message.at));
    const event = message.event as string;
    if (message.type === 'event') this.#fixtures.set(event, newFixture());
    const fixture = this.#fixtures.get(event);
    if (fixture === undefined) return;
    if (message.type === 'remove') {
      this.#end(fixture);
      this.#fixtures.delete(event);
    }
    if (message.type === 'state') {
      fixture.live = message.status === 'live';
      fixture.finished = message.status === 'finished';
      if (fixture.finished) this.#end(fixture);
    }
    if (message.type === 'quote' || message.type === 'close') this.#quote(fixture, message);
  }

  /** The shares of all fixtures' time, over both phases, with value and with arbitrage. */
  shares(): { value: number; arbitrage: number } {
    const fixtureMs = this.before.fixtureMs + this.inPlay.fixtureMs;
    return {
      value: (this.before.valueMs + this.inPlay.valueMs) / fixtureMs,
      arbitrage: (this.before.arbitrageMs + this.inPlay.arbitrageMs) / fixtureMs,
    };
  }

  /** The mean margin under a key of `margins`. */
  marginOf(key: string): number {
    const margin = this.margins.get(key);
    return margin === undefined ? Number.NaN : margin.sum / margin.count;
  }

  /** Drops the slate before another feed is read. Signals that are still open do not count as ended. */
  forget(): void {
    this.#fixtures.clear();
    this.#nowMs = Number.NaN;
  }

  #moveTo(nowMs: number): void {
    const passedMs = nowMs - this.#nowMs;
    this.#nowMs = nowMs;
    if (!(passedMs > 0)) return;
    for (const fixture of this.#fixtures.values()) {
      if (fixture.finished) continue;
      const share = fixture.live ? this.inPlay : this.before;
      share.fixtureMs += passedMs;
      if (fixture.valueLines > 0) share.valueMs += passedMs;
      if (fixture.arbitrageLines > 0) share.arbitrageMs += passedMs;
    }
  }

  #quote(fixture: Fixture, message: Message): void {
    const { market_type: market, period, line: handicap, bookmaker } = message;
    const key = `${market} ${period} ${handicap}`;
    const line = fixture.lines.get(key) ?? {
      margins: `${market} ${period}`,
      prices: new Map<string, readonly number[]>(),
      fair: null,
      hasValue: false,
      hasArbitrage: false,
    };
    fixture.lines.set(key, line);
    const prices = message.prices as readonly number[] | undefined;
    const isOpen = message.type === 'quote' && message.status === 'open' && prices?.every((p) => p > 1);
    if (isOpen && prices !== undefined) {
      line.prices.set(bookmaker as string, prices);
      this.#countMargin(`${bookmaker} ${line.margins} ${fixture.live ? 'in play' : 'before'}`, prices);
    } else line.prices.delete(bookmaker as string);
    if (bookmaker === SHARP) line.fair = isOpen && prices !== undefined ? fairOf(prices) : null;
    const { value, arbitrage } = judge(line);
    if (value !== line.hasValue) this.#turnValue(fixture, line, value);
    if (arbitrage !== line.hasArbitrage) this.#turnArbitrage(fixture, line, arbitrage);
  }

  #turnValue(fixture: Fixture, line: Line, has: boolean): void {
    line.hasValue = has;
    fixture.valueLines += has ? 1 : -1;
    if (has && fixture.valueLines === 1) fixture.valueSinceMs = this.#nowMs;
    if (!has && fixture.valueLines === 0) this.valueLivesMs.push(this.#nowMs - fixture.valueSinceMs);
  }

  #turnArbitrage(fixture: Fixture, line: Line, has: boolean): void {
    line.hasArbitrage = has;
    fixture.arbitrageLines += has ? 1 : -1;
    if (has && fixture.arbitrageLines === 1) fixture.arbitrageSinceMs = this.#nowMs;
    if (!has && fixture.arbitrageLines === 0)
      this.arbitrageLivesMs.push(this.#nowMs - fixture.arbitrageSinceMs);
  }

  #end(fixture: Fixture): void {
    for (const line of fixture.lines.values()) {
      line.prices.clear();
      line.fair = null;
      if (line.hasValue) this.#turnValue(fixture, line, false);
      if (line.hasArbitrage) this.#turnArbitrage(fixture, line, false);
    }
  }

  #countMargin(key: string, prices: readonly number[]): void {
    const margin = this.margins.get(key) ?? { sum: 0, count: 0 };
    margin.sum += prices.reduce((sum, price) => sum + 1 / price, 0) - 1;
    margin.count++;
    this.margins.set(key, margin);
  }
}

function newFixture(): Fixture {
  return {
    lines: new Map(),
    live: false,
    finished: false,
    valueLines: 0,
    arbitrageLines: 0,
    valueSinceMs: 0,
    arbitrageSinceMs: 0,
  };
}

function judge({ prices: books, fair }: Line): { value: boolean; arbitrage: boolean } {
  if (books.size < 2) return { value: false, arbitrage: false };
  const count = (books.values().next().value as readonly number[]).length;
  const best: number[] = new Array(count).fill(0);
  for (const prices of books.values()) {
    for (let i = 0; i < count; i++) best[i] = Math.max(best[i] as number, prices[i] as number);
  }
  const arbitrage = best.reduce((sum, price) => sum + 1 / price, 0) < 1;
  const value = fair?.some((chance, i) => chance * (best[i] as number) >= 1 + VALUE_EDGE) ?? false;
  return { value, arbitrage };
}

/** Fair probabilities: by the power method for three outcomes, proportionally for two. */
export function fairOf(prices: readonly number[]): number[] {
  const inverse = prices.map((price) => 1 / price);
  const sum = inverse.reduce((a, b) => a + b, 0);
  if (prices.length === 2) return inverse.map((p) => p / sum);
  let low = 0.5;
  let high = 2;
  for (let i = 0; i < 40; i++) {
    const power = (low + high) / 2;
    if (inverse.reduce((a, p) => a + p ** power, 0) > 1) low = power;
    else high = power;
  }
  return inverse.map((p) => p ** low);
}

/** The median of some numbers. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
