// Shared by the simulator's tests: a plain slate kept from wire messages, and a validator of what the
// simulator sends, independent of the ingest code.

import { SimulatorEngine, type SimulatorOptions } from '../../src/feed/simulator/engine.ts';
import { isWellFormed } from './plain-validator.ts';

export type Wire = Record<string, unknown>;
export interface Quote {
  at: string;
  event: string;
  bookmaker: string;
  market_type: string;
  period: string;
  line: number | null;
  prices: number[];
  status: 'open' | 'suspended';
}
export interface Fixture {
  event: Wire & { sport: string; scheduled_at: string; home: { key: string }; away: { key: string } };
  state: (Wire & { status: string; score: number[]; cards: number[] | null; clock: string | null }) | null;
  quotes: Map<string, Quote>;
}

export const OPTIONS: SimulatorOptions = {
  seed: 7,
  footballFixtures: 120,
  basketballFixtures: 30,
  ratePerSecond: null,
  speed: 1,
};
/** A Saturday evening in Europe. */
export const START_MS = Date.parse('2026-11-21T18:07:13.000Z');

/** The slate of a reader that accepts every message without a check. */
export class DumbSlate {
  readonly fixtures = new Map<string, Fixture>();

  apply(message: Wire): void {
    const key = message.event as string;
    if (message.type === 'event') {
      this.fixtures.set(key, { event: message as Fixture['event'], state: null, quotes: new Map() });
      return;
    }
    if (message.type === 'remove') {
      this.fixtures.delete(key);
      return;
    }
    const fixture = this.fixtures.get(key);
    if (message.type === 'state') this.#of(fixture).state = message as unknown as Fixture['state'];
    if (message.type === 'quote')
      this.#of(fixture).quotes.set(quoteKey(message), message as unknown as Quote);
    if (message.type === 'close' && !this.#of(fixture).quotes.delete(quoteKey(message))) {
      throw new Error(`close of an unknown line: ${JSON.stringify(message)}`);
    }
  }

  #of(fixture: Fixture | undefined): Fixture {
    if (fixture === undefined) throw new Error('message about a fixture that is not on the slate');
    return fixture;
  }
}

function quoteKey(message: Wire | Quote): string {
  return [message.bookmaker, message.market_type, message.period, message.line].join(' ');
}

export function statusOf(fixture: Fixture): string {
  return fixture.state?.status ?? 'scheduled';
}

/** Runs an engine from its snapshot to the end of a span, and passes on every message. */
export function simulate(
  options: SimulatorOptions,
  span: { startMs: number; endMs: number; sliceMs: number },
  use: (message: Wire) => void,
  look: (nowMs: number, engine: SimulatorEngine) => void = () => {},
): SimulatorEngine {
  const engine = new SimulatorEngine(options);
  engine.start(span.startMs, use);
  look(span.startMs, engine);
  for (let nowMs = span.startMs; nowMs < span.endMs; ) {
    nowMs = Math.min(span.endMs, nowMs + span.sliceMs);
    engine.advance(nowMs, use);
    look(nowMs, engine);
  }
  return engine;
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const CLOCK = /^(1h ([1-9]|[1-3]\d|4[0-5])|ht|2h (4[6-9]|[5-9]\d)|(q[1-4]|ot) \d{1,2}:[0-5]\d)$/;
const FIELDS: Record<string, string[]> = {
  hello: ['protocol', 'source', 'at', 'epoch'],
  snapshot_begin: ['seq'],
  snapshot_end: ['seq'],
  heartbeat: ['seq', 'at'],
  event: ['seq', 'at', 'event', 'sport', 'league', 'home', 'away', 'scheduled_at'],
  state: ['seq', 'at', 'event', 'status', 'clock', 'score', 'cards'],
  quote: ['seq', 'at', 'event', 'bookmaker', 'market_type', 'period', 'line', 'prices', 'status'],
  close: ['seq', 'at', 'event', 'bookmaker', 'market_type', 'period', 'line'],
  result: ['seq', 'at', 'event', 'score', 'red_cards', 'finished_at'],
  remove: ['seq', 'at', 'event'],
};

/**
 * The error of one message: either against the protocol, or against what the simulator promises beyond it.
 * Null when there is no error. `sports` is filled from event messages.
 */
export function messageFault(message: Wire, sports: Map<string, string>): string | null {
  const type = message.type as string;
  if (!isWellFormed(message)) return 'not of the protocol';
  if (Object.keys(message).sort().join() !== ['type', ...FIELDS[type]!].sort().join())
    return `fields of ${type}`;
  for (const name of ['at', 'scheduled_at', 'finished_at'])
    if (name in message && !ISO.test(message[name] as string)) return `${name} ${message[name]}`;
  if (type === 'state' && message.clock !== null && !CLOCK.test(message.clock as string))
    return `clock ${message.clock}`;
  if (type === 'event') return eventFault(message, sports);
  return type === 'quote' || type === 'close' ? lineFault(message, sports) : null;
}

function eventFault(message: Wire, sports: Map<string, string>): string | null {
  for (const part of ['league', 'home', 'away']) {
    const { key, name } = message[part] as { key: string; name: string };
    if (!/^[a-z0-9/-]+$/.test(key) || name.trim() !== name) return part;
  }
  if (sports.has(message.event as string)) return 'event repeated';
  sports.set(message.event as string, message.sport as string);
  return null;
}

function lineFault(message: Wire, sports: Map<string, string>): string | null {
  const sport = sports.get(message.event as string);
  if (sport === undefined) return 'unknown event';
  const line = message.line as number | null;
  if (line !== null && (Math.abs(line) > 400 || Object.is(line, -0))) return `line ${line}`;
  if (message.type === 'close') return null;
  const prices = message.prices as number[];
  if (prices.length !== (message.market_type === '1x2' && sport === 'football' ? 3 : 2)) return 'outcomes';
  for (const price of prices) {
    if (!/^\d+(\.\d{1,4})?$/.test(String(price))) return `price ${price}`;
    if (message.status === 'open' && price <= 1) return `open at ${price}`;
  }
  return null;
}
