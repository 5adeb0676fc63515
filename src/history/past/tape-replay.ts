// Ticks as messages of the feed protocol, so that a part of the tape can be played again. Source keys are
// not on the tape: fixtures get their ids as keys, so a replay's ids are other ones.

import { toIsoText } from '../../clock.ts';
import { indexIn, SPORT_KEYS } from '../../domain/catalogue.ts';
import type { Tick } from '../tick.ts';
import { pricesInOrder } from './past-page.ts';
import type { PastFixture } from './tape-reader.ts';

type Message = Readonly<Record<string, unknown>>;

/**
 * The messages of a recording, numbered: the hello, what stood at its start, then the ticks.
 * @param ticks in the order of publishing, all after `fromMs`
 */
export function* replayMessages(
  standing: readonly PastFixture[],
  ticks: readonly Tick[],
  fromMs: number,
): Generator<Message> {
  let seq = 0;
  const numbered = (message: Message): Message => ({ ...message, seq: ++seq });
  const described = new Map<string, string>();
  const live = new Set<string>();
  yield { type: 'hello', protocol: 1, source: 'history', at: toIsoText(fromMs) };
  for (const { last, standing: lines } of standing) {
    for (const message of messagesOf(last, { described, live, atMs: fromMs })) yield numbered(message);
    for (const tick of lines) yield numbered(lineMessage(tick, fromMs));
  }
  for (const tick of ticks) {
    const atMs = tick.receivedAtMs;
    for (const message of messagesOf(tick, { described, live, atMs })) yield numbered(message);
    yield numbered(lineMessage(tick, atMs));
  }
}

interface Known {
  /** By fixture, how it was described last. */
  readonly described: Map<string, string>;
  readonly live: Set<string>;
  readonly atMs: number;
}

/** The fixture of a tick, when it is new or its kickoff has changed, and its state when that is new. */
function* messagesOf(tick: Tick, { described, live, atMs }: Known): Generator<Message> {
  const { eventId, sport, league, home, away, kickoffMs, inPlay, scoreHome, scoreAway } = tick;
  const head = { at: toIsoText(atMs), event: eventId };
  const fixture = {
    ...{ type: 'event', sport, league: named(league), home: named(home), away: named(away) },
    ...(kickoffMs === null ? {} : { scheduled_at: toIsoText(kickoffMs) }),
  };
  const text = JSON.stringify(fixture);
  if (described.get(eventId) !== text) yield { ...head, ...fixture };
  described.set(eventId, text);
  const score = scoreHome === null || scoreAway === null ? null : [scoreHome, scoreAway];
  const state = `${eventId} ${inPlay} ${score?.join() ?? ''}`;
  if (inPlay && !live.has(state)) {
    live.add(state);
    yield { ...head, type: 'state', status: 'live', clock: null, score };
  }
}

function lineMessage(tick: Tick, atMs: number): Message {
  const { eventId, bookmaker, marketType, period, line, status } = tick;
  const head = { at: toIsoText(atMs), event: eventId, bookmaker, market_type: marketType, period, line };
  if (status === 'withdrawn') return { type: 'close', ...head };
  const prices = pricesInOrder(tick, indexIn(SPORT_KEYS, tick.sport)).map((priceE4) => priceE4 / 10_000);
  return { type: 'quote', ...head, prices, status };
}

function named(name: string): { readonly key: string; readonly name: string } {
  return { key: name, name };
}
