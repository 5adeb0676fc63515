// Writes the protocol's wire messages as the simulator sends them: one sequence, ISO times, words for enums.

import { QUOTE_STATUSES, SPORT_KEYS } from '../../domain/catalogue.ts';
import { FEED_PROTOCOL_VERSION, type QuoteKeyFields } from '../protocol.ts';
import { keyWire } from '../to-wire.ts';
import type { Step } from './match-script.ts';
import type { ScheduledFixture } from './schedule.ts';

/** Receives each message and must not change it, because prices are shared with the sender. */
export type Emit = (message: Readonly<Record<string, unknown>>) => void;

/** The messages of one connection: `seq` rises by one from 1. */
export class WireWriter {
  emit: Emit;
  #seq = 0;
  #atMs = Number.NaN;
  #at = '';

  constructor(emit: Emit) {
    this.emit = emit;
  }

  /** Messages sent so far, not counting hello. */
  get sent(): number {
    return this.#seq;
  }

  /** The source time of the next messages. */
  setTime(atMs: number): void {
    if (atMs === this.#atMs) return;
    this.#atMs = atMs;
    this.#at = new Date(atMs).toISOString();
  }

  hello(epoch: string): void {
    this.emit({ type: 'hello', protocol: FEED_PROTOCOL_VERSION, source: 'simulator', at: this.#at, epoch });
  }

  snapshotBegin(): void {
    this.emit({ type: 'snapshot_begin', seq: ++this.#seq });
  }

  snapshotEnd(): void {
    this.emit({ type: 'snapshot_end', seq: ++this.#seq });
  }

  heartbeat(): void {
    this.emit({ type: 'heartbeat', seq: ++this.#seq, at: this.#at });
  }

  event(fixture: ScheduledFixture): void {
    const { league, home, away } = fixture;
    this.emit({
      type: 'event',
      seq: ++this.#seq,
      at: this.#at,
      event: fixture.key,
      sport: SPORT_KEYS[league.sport],
      league: { key: league.key, name: league.name },
      home: { key: home.key, name: home.name },
      away: { key: away.key, name: away.name },
      scheduled_at: new Date(fixture.kickoffMs).toISOString(),
    });
  }

  state(event: string, step: Step, shown: { status: 'live' | 'finished'; cards: boolean }): void {
    this.emit({
      type: 'state',
      seq: ++this.#seq,
      at: this.#at,
      event,
      status: shown.status,
      clock: shown.status === 'live' ? step.clock : null,
      score: [step.home, step.away],
      cards: shown.cards ? [step.homeReds, step.awayReds] : null,
    });
  }

  quote(key: QuoteKeyFields, prices: readonly number[], status: number): void {
    this.emit({
      ...{ type: 'quote', seq: ++this.#seq, at: this.#at, ...keyWire(key) },
      ...{ prices, status: QUOTE_STATUSES[status] },
    });
  }

  close(key: QuoteKeyFields): void {
    this.emit({ type: 'close', seq: ++this.#seq, at: this.#at, ...keyWire(key) });
  }

  result(event: string, step: Step, cards: boolean): void {
    this.emit({
      type: 'result',
      seq: ++this.#seq,
      at: this.#at,
      event,
      score: [step.home, step.away],
      red_cards: cards ? [step.homeReds, step.awayReds] : null,
      finished_at: new Date(step.atMs).toISOString(),
    });
  }

  remove(event: string): void {
    this.emit({ type: 'remove', seq: ++this.#seq, at: this.#at, event });
  }
}
