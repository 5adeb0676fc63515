// Reads a recording in a plain way: every line up to the time of its hello is applied to plain objects, with
// none of the service's code. The service must serve the same content.

import { readFileSync } from 'node:fs';

interface ModelQuote {
  bookmaker: string;
  market_type: string;
  period: string;
  line: number | null;
  prices: number[];
  status: string;
  atMs: number;
}

export interface ModelFixture {
  sport: string;
  league: string;
  home: string;
  away: string;
  scheduledAtMs: number;
  status: string;
  clock: string | null;
  clockChangedAtMs: number;
  score: number[] | null;
  cards: number[] | null;
  lastAtMs: number;
  quotes: Map<string, ModelQuote>;
  openings: Map<string, ModelQuote>;
}

interface Model {
  readonly helloAtMs: number;
  /**
   * The fixtures by "home vs away" and the kickoff in ms after the hello. These are unique in the recordings.
   */
  readonly fixtures: Map<string, ModelFixture>;
}

interface Line {
  type: string;
  at: string;
  event: string;
  sport: string;
  league: { name: string };
  home: { name: string };
  away: { name: string };
  scheduled_at: string;
  status: string;
  clock: string | null;
  score: number[] | null;
  cards: number[] | null;
  bookmaker: string;
  market_type: string;
  period: string;
  line: number | null;
  prices: number[];
}

export function readModel(path: string): Model {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
  const helloAtMs = Date.parse(lines[0]!.at);
  const byEvent = new Map<string, ModelFixture>();
  for (const line of lines.slice(1)) {
    if (Date.parse(line.at) > helloAtMs) break;
    applyLine(byEvent, line);
  }
  const fixtures = new Map<string, ModelFixture>();
  for (const fixture of byEvent.values()) {
    fixtures.set(fixtureKey(fixture.home, fixture.away, fixture.scheduledAtMs - helloAtMs), fixture);
  }
  return { helloAtMs, fixtures };
}

function fixtureKey(home: string, away: string, kickoffFromHelloMs: number): string {
  return `${home} vs ${away} ${kickoffFromHelloMs}`;
}

function applyLine(byEvent: Map<string, ModelFixture>, line: Line): void {
  const atMs = Date.parse(line.at);
  if (line.type === 'event') {
    byEvent.set(line.event, {
      sport: line.sport,
      league: line.league.name,
      home: line.home.name,
      away: line.away.name,
      scheduledAtMs: Date.parse(line.scheduled_at),
      status: 'scheduled',
      clock: null,
      clockChangedAtMs: Number.NaN,
      score: null,
      cards: null,
      lastAtMs: atMs,
      quotes: new Map(),
      openings: new Map(),
    });
    return;
  }
  const fixture = byEvent.get(line.event);
  if (fixture === undefined) throw new Error(`the recording names ${line.event} before its event message`);
  fixture.lastAtMs = Math.max(fixture.lastAtMs, atMs);
  const key = [line.bookmaker, line.market_type, line.period, line.line].join('|');
  if (line.type === 'state') {
    if (line.clock !== fixture.clock) fixture.clockChangedAtMs = atMs;
    fixture.clock = line.clock;
    fixture.status = line.status;
    fixture.score = line.score ?? fixture.score;
    fixture.cards = line.cards ?? fixture.cards;
  } else if (line.type === 'quote') {
    const { bookmaker, market_type, period, prices, status } = line;
    const quote = { bookmaker, market_type, period, line: line.line, prices, status, atMs };
    fixture.quotes.set(key, quote);
    if (status === 'open' && !fixture.openings.has(key)) fixture.openings.set(key, quote);
  } else if (line.type === 'close') {
    fixture.quotes.delete(key);
  }
}

/** The status at the time of the hello (docs/reference/decisions.md#match-status). */
export function modelStatus(fixture: ModelFixture, nowMs: number): string {
  if (fixture.status === 'finished') return 'finished';
  if (nowMs >= fixture.scheduledAtMs + 150 * 60_000) return 'finished';
  const allSuspended = [...fixture.quotes.values()].every((quote) => quote.status === 'suspended');
  const isStopped = fixture.clock?.startsWith('2h') === true && nowMs - fixture.clockChangedAtMs >= 180_000;
  if (allSuspended && isStopped) return 'finished';
  if (fixture.status === 'live') return 'live';
  return fixture.clock !== null && nowMs >= fixture.scheduledAtMs ? 'live' : 'scheduled';
}
