// Turns drafts into messages of the feed protocol: a hello with a new epoch, a snapshot between its two
// marks, changes, and heartbeats, numbered without gaps.

import { toIsoText } from '../../clock.ts';
import { FEED_PROTOCOL_VERSION } from '../protocol.ts';
import { type Draft, wireOf } from './drafts.ts';

export type WireMessage = Record<string, unknown>;

export class EpochNumbers {
  readonly #source: string;
  readonly #startMs: number;
  #epoch = 0;
  #seq = 0;

  /** @param startMs when this source was opened, so that epochs differ from those of an earlier run */
  constructor(source: string, startMs: number) {
    this.#source = source;
    this.#startMs = startMs;
  }

  /** A new epoch: its hello and its complete snapshot. */
  begin(drafts: readonly Draft[], nowMs: number): WireMessage[] {
    this.#epoch++;
    this.#seq = 0;
    return [
      {
        type: 'hello',
        protocol: FEED_PROTOCOL_VERSION,
        source: this.#source,
        at: toIsoText(nowMs),
        epoch: `${this.#startMs}-${this.#epoch}`,
      },
      { type: 'snapshot_begin', seq: ++this.#seq },
      ...this.number(drafts),
      { type: 'snapshot_end', seq: ++this.#seq },
    ];
  }

  /** Makes messages of drafts, by giving them the next sequence numbers of the epoch. */
  number(drafts: readonly Draft[]): WireMessage[] {
    return drafts.map((draft) => wireOf(draft, ++this.#seq));
  }

  /** @param atMs the time up to which every open quote is confirmed */
  heartbeat(atMs: number): WireMessage {
    return { type: 'heartbeat', seq: ++this.#seq, at: toIsoText(atMs) };
  }
}
