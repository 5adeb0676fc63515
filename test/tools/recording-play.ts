// Plays a recording into a store and, with the same messages, into plain objects; stops at chosen instants.

import { readFileSync } from 'node:fs';
import type { FixtureNow } from '../../src/query/slate/fixture-view.ts';
import type { Quote } from './oracle/lines.ts';
import { type Wire, WireSlate } from './wire-slate.ts';

export interface PlainMatch {
  readonly home: string;
  readonly away: string;
  score: [number, number] | null;
  readonly quotes: Map<string, Quote>;
}

interface Stop {
  /** 0, 1, 2 ... */
  readonly stop: number;
  readonly slate: WireSlate;
  readonly nowMs: number;
  /** Every fixture of the slate with its plain counterpart. */
  readonly pairs: readonly { readonly fixture: FixtureNow; readonly plain: PlainMatch }[];
}

/**
 * Plays `path` and calls `visit` at `stopCount` instants, evenly spread over the messages from the hello time
 * on.
 */
export async function playRecording(
  path: string,
  stopCount: number,
  visit: (stop: Stop) => Promise<void>,
): Promise<void> {
  const wires = readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Wire);
  const helloAtMs = atMsOf(wires[0]!);
  const messages = wires.slice(1);
  const past = messages.filter((wire) => atMsOf(wire) <= helloAtMs).length;
  const slate = new WireSlate();
  const matches = new Map<string, PlainMatch>();
  let fed = 0;
  for (let stop = 0; stop < stopCount; stop++) {
    const last = past + Math.floor(((messages.length - 1 - past) * stop) / stopCount);
    const nowMs = atMsOf(messages[last]!);
    // Takes all messages of one instant, so that no batch is divided.
    let end = last;
    while (end < messages.length && atMsOf(messages[end]!) <= nowMs) end++;
    const batch = messages.slice(fed, end);
    fed = end;
    slate.feed(batch, nowMs);
    for (const wire of batch) applyPlainly(matches, wire);
    const byTeams = new Map([...matches.values()].map((match) => [`${match.home}/${match.away}`, match]));
    const pairs = slate.queries.slate.peek(nowMs).map((fixture) => {
      const plain = byTeams.get(`${fixture.view.homeTeam.name}/${fixture.view.awayTeam.name}`);
      if (plain === undefined) throw new Error(`the file has no ${fixture.view.homeTeam.name}`);
      return { fixture, plain };
    });
    await visit({ stop, slate, nowMs, pairs });
  }
}

function atMsOf(wire: Wire): number {
  return Date.parse(String(wire.at));
}

function keyOfQuote({ bookmaker, market_type, period, line }: Quote): string {
  return [bookmaker, market_type, period, line].join('|');
}

function applyPlainly(matches: Map<string, PlainMatch>, wire: Wire): void {
  const event = String(wire.event);
  if (wire.type === 'event') {
    const { home, away } = wire as unknown as { home: { name: string }; away: { name: string } };
    matches.set(event, { home: home.name, away: away.name, score: null, quotes: new Map() });
  } else if (wire.type === 'remove') {
    matches.delete(event);
  } else if (wire.type === 'state') {
    const match = matches.get(event)!;
    match.score = (wire.score as [number, number] | null) ?? match.score;
  } else if (wire.type === 'quote') {
    const quote = { ...wire, atMs: atMsOf(wire) } as unknown as Quote;
    matches.get(event)!.quotes.set(keyOfQuote(quote), quote);
  } else if (wire.type === 'close') {
    matches.get(event)!.quotes.delete(keyOfQuote(wire as unknown as Quote));
  }
}
