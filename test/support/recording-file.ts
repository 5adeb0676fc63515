// Small recordings made up by tests: a hello at a fixed instant and messages before it, in order.

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

export interface MadeUpQuote {
  readonly bookmaker: string;
  readonly line: number;
  readonly prices: readonly [number, number];
}

/** A full-time handicap quote. */
export function quoteMessage(event: string, { bookmaker, line, prices }: MadeUpQuote, at: string): Message {
  const market = { market_type: 'asian_handicap', period: 'full_time', line };
  return { type: 'quote', at, event, bookmaker, ...market, prices, status: 'open' };
}

/** Writes a recording whose hello says HELLO_AT. */
export async function writeRecording(path: string, messages: readonly Message[]): Promise<void> {
  const hello = { type: 'hello', protocol: 1, source: 'made-up', at: HELLO_AT };
  const lines = [hello, ...messages.map((message, index) => ({ seq: index + 1, ...message }))];
  await Bun.write(path, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
}
