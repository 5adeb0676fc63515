// Small recordings that tests make up: a hello with a fixed time, and messages in order with times before
// that of the hello.

import { writeFileSync } from 'node:fs';
import { eventWire, helloWire, quoteWire, stateWire } from '../feed/wire.ts';

export const HELLO_AT = '2026-03-10T12:00:00.000Z';

export interface MadeUpEvent {
  readonly key: string;
  readonly home: string;
  readonly away: string;
  readonly league: string;
  readonly scheduledAt: string;
}

export type Message = Readonly<Record<string, unknown>>;

export function eventMessage({ key, home, away, league, scheduledAt }: MadeUpEvent, at: string): Message {
  const named = (name: string) => ({ key: name.toLowerCase().replaceAll(' ', '-'), name });
  const teams = { league: named(league), home: named(home), away: named(away) };
  return { type: 'event', at, event: key, sport: 'football', ...teams, scheduled_at: scheduledAt };
}

interface MadeUpQuote {
  readonly bookmaker: string;
  readonly line: number;
  readonly prices: readonly [number, number];
}

/** A quote of a full-time handicap. */
export function quoteMessage(event: string, { bookmaker, line, prices }: MadeUpQuote, at: string): Message {
  const market = { market_type: 'asian_handicap', period: 'full_time', line };
  return { type: 'quote', at, event, bookmaker, ...market, prices, status: 'open' };
}

/**
 * Writes a recording whose hello has the time HELLO_AT.
 * @returns the FEED setting that replays it
 */
export function writeRecording(path: string, messages: readonly Message[]): string {
  const hello = { type: 'hello', protocol: 1, source: 'made-up', at: HELLO_AT };
  return writeLines(path, [hello, ...messages.map((message, index) => ({ seq: index + 1, ...message }))]);
}

/**
 * Writes these lines as a recording, whatever they contain; texts are written unchanged.
 * @returns the FEED setting that replays them
 */
export function writeLines(path: string, lines: readonly (Message | string)[]): string {
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  writeFileSync(path, `${texts.join('\n')}\n`);
  return `replay:${path}`;
}

/** A hello, a fixture in play with a quote, and a scheduled fixture with two quotes. */
export function twoFixtures(price = 1.95): Message[] {
  return [
    helloWire(),
    eventWire(1, 'e1', { scheduled_at: '2026-03-01T11:30:00Z' }),
    stateWire(2, 'e1'),
    quoteWire(3, 'e1', { prices: [price, 1.97] }),
    eventWire(4, 'e2'),
    quoteWire(5, 'e2', { prices: [price, 2] }),
    quoteWire(6, 'e2', { bookmaker: 'pinnacle', prices: [price, 2.01] }),
  ];
}
