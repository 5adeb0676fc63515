// From a batch of queue entries to published pages: sequence, parse, apply, publish. One instance per ingest worker.

import type { Clock } from '../clock.ts';
import type { RejectReason } from '../domain/reject-reasons.ts';
import { parseMessage, seqOf } from '../feed/parse-message.ts';
import type { BoundedLog, Log } from '../log.ts';
import type { SlateWriter } from '../store/writer.ts';
import type { Applier } from './apply.ts';
import type { FeedMark, QueueEntry } from './feed-queue.ts';
import { SequenceGuard } from './sequence.ts';

export interface FeedHandlerOptions {
  readonly writer: SlateWriter;
  readonly applier: Applier;
  readonly clock: Clock;
  readonly log: Log;
  readonly rejectLog: BoundedLog;
  /** Whether a hello begins a snapshot that `caughtUp` ends. */
  readonly helloBeginsSnapshot: boolean;
}

export class FeedHandler {
  readonly #writer: SlateWriter;
  readonly #applier: Applier;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #rejectLog: BoundedLog;
  readonly #sequence = new SequenceGuard();
  readonly #helloBeginsSnapshot: boolean;
  /** A hello of another protocol: nothing of that connection counts. */
  #refused = false;

  constructor(options: FeedHandlerOptions) {
    this.#writer = options.writer;
    this.#applier = options.applier;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#rejectLog = options.rejectLog;
    this.#helloBeginsSnapshot = options.helloBeginsSnapshot;
  }

  /** Applies one batch and publishes each fixture it touched once. */
  drain(entries: readonly QueueEntry[], depth: number): void {
    let isHeard = false;
    for (const entry of entries) {
      if (entry.mark === null) this.#message(entry.message);
      else this.#mark(entry.mark);
      // A connection that comes or goes, garbage and a refused protocol are no word from the feed.
      isHeard ||= !this.#refused && (entry.mark === null || entry.mark.mark === 'alive');
    }
    this.publish();
    this.#writer.count('batches');
    this.#writer.setQueueDepth(depth);
    if (isHeard) this.#writer.setHeardAt(this.#clock.wallMs());
  }

  /**
   * Publishes what was applied since the last time, but nothing of a snapshot under way: readers go from the old slate
   * to the new one at its end, and never see a recording's past again while it catches up after a restart.
   */
  publish(): void {
    if (this.#applier.snapshot.isOpen) return;
    const published = this.#writer.publish();
    if (published > 0) this.#writer.count('pages_published', published);
  }

  #message(wire: unknown): void {
    const type = typeof wire === 'object' && wire !== null ? (wire as { type?: unknown }).type : undefined;
    if (type === 'hello' || type === 'snapshot_begin') this.#opens(wire);
    else if (!this.#refused && this.#isInSequence(wire)) this.#apply(wire);
  }

  /** A hello or a snapshot's begin: both are heard whatever was lost before. */
  #opens(wire: unknown): void {
    const message = parseMessage(wire);
    if (typeof message === 'string') {
      this.#refused ||= message === 'bad_protocol';
      // What this connection numbers, and from where, is not known: nothing applies until a snapshot does begin.
      this.#sequence.lose();
      this.#applier.snapshot.abandon();
      this.#reject(message);
    } else if (message.type === 'hello') {
      this.#refused = false;
      this.#sequence.hello(message.epoch, this.#helloBeginsSnapshot);
      // Where the numbers go on, so does a snapshot under way: nothing of it was lost.
      if (this.#sequence.isLost) this.#applier.snapshot.abandon();
      if (this.#helloBeginsSnapshot) this.#beginSnapshot();
      this.#log.info('feed_hello', { source: message.source });
    } else if (message.type === 'snapshot_begin' && !this.#refused) {
      this.#sequence.snapshotBegin(message.seq);
      this.#beginSnapshot();
    }
  }

  #isInSequence(wire: unknown): boolean {
    const seq = seqOf(wire);
    if (seq === null) {
      this.#sequence.unnumbered(1);
      return !this.#sequence.isLost; // refused below for its number, and counted as such
    }
    const verdict = this.#sequence.next(seq);
    if (verdict === 'duplicate') this.#writer.count('duplicates');
    if (verdict === 'ignored') this.#writer.count('ignored_until_snapshot');
    if (verdict === 'gap') {
      this.#applier.snapshot.abandon();
      this.#writer.count('gaps');
      this.#log.warn('feed_gap', { seq });
    }
    return verdict === 'apply';
  }

  #apply(wire: unknown): void {
    const message = parseMessage(wire);
    if (typeof message === 'string') {
      this.#reject(message);
      return;
    }
    if (message.type === 'snapshot_end') this.#completeSnapshot();
    const reason = this.#applier.apply(message);
    if (reason !== null) this.#reject(reason, { type: message.type });
    else this.#writer.count('messages_applied');
  }

  #mark(mark: FeedMark): void {
    if (mark.mark === 'undecodable') {
      this.#sequence.unnumbered(mark.count);
      this.#reject('bad_json', { count: mark.count });
    } else if (mark.mark === 'caught_up') {
      this.#completeSnapshot();
    } else if (mark.mark === 'alive') {
      // A source whose messages were lost confirms nothing.
      if (!this.#refused && !this.#sequence.isLost) this.#writer.setHeartbeatAt(mark.atMs);
    } else {
      this.#writer.setConnected(mark.connected);
    }
  }

  #beginSnapshot(): void {
    this.publish(); // what came before it is not held back
    this.#applier.snapshot.begin();
  }

  /** An end of what never began, or broke off, ends nothing. */
  #completeSnapshot(): void {
    if (!this.#applier.snapshot.isOpen) return;
    this.#applier.endSnapshot();
    this.publish();
    this.#writer.setSnapshotComplete();
    this.#log.info('feed_snapshot_complete', { fixtures: this.#writer.fixtureCount });
  }

  #reject(
    reason: RejectReason,
    { type = null, count = 1 }: { type?: string | null; count?: number } = {},
  ): void {
    this.#writer.count(`rejected_${reason}`, count);
    this.#rejectLog.warn('feed_message_rejected', { reason, type, count });
  }
}
