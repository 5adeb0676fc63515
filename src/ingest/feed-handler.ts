// Processes batches of queue entries into published pages: sequence, parse, apply, publish. One instance per
// source.

import type { Clock } from '../clock.ts';
import { isSharpBookmaker } from '../domain/catalogue.ts';
import type { RejectReason } from '../domain/reject-reasons.ts';
import { parseMessage, seqOf } from '../feed/parse-message.ts';
import type { FeedMessage } from '../feed/protocol.ts';
import { FEED_AHEAD_MS_MAX } from '../limits.ts';
import type { BoundedLog, Log } from '../log.ts';
import { counterIndex } from '../store/counters.ts';
import type { SlateWriter } from '../store/writer/writer.ts';
import type { SourceHealth } from './feed-health.ts';
import type { FeedMark, QueueEntry } from './feed-queue.ts';
import type { FeedSequence } from './feed-sequence.ts';
import type { SlateOutlet } from './slate-outlet.ts';
import { SourceClock } from './source-clock.ts';

const MESSAGES_APPLIED = counterIndex('messages_applied');

/** Where messages in sequence go: the slate or, with several sources, the state of their own source. */
export interface FeedTarget {
  readonly sequence: FeedSequence;
  /** @returns why a message is refused, or null */
  apply(message: FeedMessage): RejectReason | null;
  /** Ends the snapshot in progress. What it did not name is removed. */
  endSnapshot(): void;
}

/**
 * The calls to the store that work differently with several sources, because several sources publish one
 * slate together.
 */
export interface HandlerStore extends Pick<SlateWriter, 'publish' | 'setSnapshotComplete'> {
  readonly facts: Pick<SlateWriter['facts'], 'setQueueDepth'>;
}

/** The parts that a source's messages pass through. */
export interface FeedParts {
  readonly target: FeedTarget;
  readonly store: HandlerStore;
  /** Receives what is applied; null when the code that joins the sources forwards it. */
  readonly outlet: SlateOutlet | null;
}

export interface FeedHandlerOptions {
  readonly writer: SlateWriter;
  /** The writer, unless several sources share the slate. */
  readonly store?: HandlerStore;
  readonly applier: FeedTarget;
  readonly clock: Clock;
  readonly log: Log;
  readonly rejectLog: BoundedLog;
  /** Whether a hello begins a snapshot that `caughtUp` ends. */
  readonly helloBeginsSnapshot: boolean;
  /** Whether the source has its own clock, whose offset is measured and subtracted from its stamps. */
  readonly hasOwnClock?: boolean;
  /** Is notified of the source's state after each batch. */
  readonly health: SourceHealth;
  /** Receives what is applied. */
  readonly outlet?: SlateOutlet;
  /** Called when messages were lost. The source should then bring a snapshot. */
  readonly onGap?: () => void;
}

export class FeedHandler {
  readonly #options: FeedHandlerOptions;
  readonly #writer: SlateWriter;
  readonly #store: HandlerStore;
  readonly #sequence: FeedSequence;
  /**
   * Whether a hello with another protocol has come. All messages are then dropped until a hello with our
   * protocol comes.
   */
  #refused = false;
  /** When the batch in progress arrived, Unix ms. */
  #arrivedMs = Number.NEGATIVE_INFINITY;
  /** When the source began to connect, Unix ms; null if it does not say. */
  #triedAtMs: number | null = null;
  readonly #sourceClock = new SourceClock();
  #quotesTaken = 0;
  #quotesRefused = 0;
  /** Whether the batch in progress has changed the slate, and whether it has changed what every tier sees. */
  #isApplied = false;
  #isCommonApplied = false;

  constructor(options: FeedHandlerOptions) {
    this.#options = options;
    this.#writer = options.writer;
    this.#store = options.store ?? options.writer;
    this.#sequence = options.applier.sequence;
  }

  /** Applies one batch, and publishes each changed fixture once. */
  drain(entries: readonly QueueEntry[], depth: number): void {
    let isHeard = false;
    this.#isApplied = false;
    this.#isCommonApplied = false;
    this.#arrivedMs = this.#options.clock.wallMs();
    for (const entry of entries) {
      if (entry.mark === null) this.#message(entry.message);
      else this.#mark(entry.mark);
      // A connection opening or closing, undecodable lines and another protocol do not show that the feed is
      // alive.
      isHeard ||= !this.#refused && (entry.mark === null || entry.mark.mark === 'alive');
    }
    this.publish();
    this.#writer.facts.count('batches');
    this.#writer.facts.flushTallies();
    this.#store.facts.setQueueDepth(depth);
    this.#publishApplied();
    const { isLost, inSnapshot } = this.#sequence;
    const isRefused = this.#refused;
    this.#options.health.batch({
      isHeard,
      isApplied: this.#isApplied,
      isLost,
      isRefused,
      inSnapshot,
      quotesTaken: this.#quotesTaken,
      quotesRefused: this.#quotesRefused,
      clockAheadMs: this.#sourceClock.aheadMs,
    });
    this.#quotesTaken = 0;
    this.#quotesRefused = 0;
  }

  /**
   * Publishes what was applied since the last time. During a snapshot nothing is published, so that readers
   * go from the old slate to the new one in one step at its end. Therefore a recording that is read again
   * after a restart does not show readers its past a second time.
   */
  publish(): void {
    if (this.#sequence.inSnapshot) return;
    const published = this.#store.publish(this.#options.clock.wallMs());
    if (published > 0) this.#writer.facts.count('pages_published', published);
    this.#options.outlet?.flush();
  }

  /**
   * Records for readers when messages were last applied, if the batch in progress applied any: one time for
   * all messages, and one for those that every tier may know about.
   */
  #publishApplied(): void {
    if (this.#isApplied) this.#writer.facts.setAppliedAt(this.#arrivedMs);
    if (this.#isCommonApplied) this.#writer.facts.setCommonAppliedAt(this.#arrivedMs);
  }

  #message(wire: unknown): void {
    const type = typeof wire === 'object' && wire !== null ? (wire as { type?: unknown }).type : undefined;
    if (type === 'hello' || type === 'snapshot_begin') this.#opening(wire);
    else if (!this.#refused && this.#isInSequence(wire)) this.#apply(wire);
  }

  /** Handles a hello or a `snapshot_begin`. Both are accepted out of sequence, since they start a new one. */
  #opening(wire: unknown): void {
    const message = parseMessage(wire);
    if (typeof message === 'string') {
      this.#refused ||= message === 'bad_protocol';
      // Without a usable hello the sequence numbers that follow mean nothing, so nothing is applied until a
      // snapshot begins.
      this.#sequence.lose();
      this.#reject(message);
    } else if (message.type === 'hello') {
      this.#refused = false;
      if (this.#options.hasOwnClock === true) this.#helloOf(message.atMs);
      if (this.#options.helloBeginsSnapshot) this.publish(); // messages from before the snapshot need not wait for its end
      this.#sequence.hello(message.epoch, this.#options.helloBeginsSnapshot);
      this.#options.outlet?.heardFrom(message.source);
      this.#options.log.info('feed_hello', { source: message.source });
    } else if (message.type === 'snapshot_begin' && !this.#refused) {
      this.publish();
      this.#sequence.snapshotBegin(message.seq);
    }
  }

  #isInSequence(wire: unknown): boolean {
    const seq = seqOf(wire);
    if (seq === null) {
      this.#sequence.unnumbered(1);
      return !this.#sequence.isLost; // if nothing was lost, the parser refuses and counts it
    }
    const answer = this.#sequence.next(seq);
    if (answer === 'duplicate') this.#writer.facts.count('duplicates');
    if (answer === 'ignored') this.#writer.facts.count('ignored_until_snapshot');
    if (answer === 'gap') {
      this.#writer.facts.count('gaps');
      this.#options.log.warn('feed_gap', { seq });
      this.#options.onGap?.();
    }
    return answer === 'apply';
  }

  #helloOf(atMs: number): void {
    const before = this.#sourceClock.aheadMs;
    this.#sourceClock.hello(atMs, {
      triedMs: this.#triedAtMs ?? this.#arrivedMs,
      arrivedMs: this.#arrivedMs,
    });
    this.#reportClock(before);
  }

  /** The message with its stamps converted to our clock. */
  #byOurClock(message: FeedMessage): FeedMessage {
    if (this.#options.hasOwnClock !== true || !('atMs' in message)) return message;
    const before = this.#sourceClock.aheadMs;
    this.#sourceClock.message(
      message.atMs,
      this.#arrivedMs,
      message.type === 'heartbeat' && message.event === null,
    );
    this.#reportClock(before);
    const { aheadMs } = this.#sourceClock;
    return aheadMs === 0 ? message : earlierBy(message, aheadMs);
  }

  #reportClock(beforeMs: number): void {
    const { aheadMs } = this.#sourceClock;
    if (aheadMs !== beforeMs)
      this.#options.log.warn('source_clock_off', { source: this.#options.health.name, aheadMs });
  }

  #apply(wire: unknown): void {
    const parsed = parseMessage(wire);
    const message =
      typeof parsed === 'string' ? parsed : arrivedBy(this.#byOurClock(parsed), this.#arrivedMs);
    if (isQuoteWire(wire) && typeof message === 'string') this.#quotesRefused++;
    if (typeof message === 'string') {
      this.#reject(message, { type: typeof parsed === 'string' ? null : parsed.type });
      return;
    }
    if (message.type === 'snapshot_end') this.#completeSnapshot();
    const reason = this.#options.applier.apply(message);
    if (message.type === 'quote') {
      if (reason === null) this.#quotesTaken++;
      else if (reason !== 'other_source') this.#quotesRefused++; // another source quotes that bookmaker
    }
    if (reason !== null) {
      this.#reject(reason, { type: message.type });
      return;
    }
    this.#writer.facts.tally(MESSAGES_APPLIED);
    this.#isApplied = true;
    this.#isCommonApplied ||= !isOfSharpBookmaker(message);
    // During a snapshot nothing is forwarded, because at its end the followers get the whole slate.
    if (!this.#sequence.inSnapshot && message.type !== 'snapshot_end') this.#options.outlet?.applied(message);
  }

  #mark(mark: FeedMark): void {
    if (mark.mark === 'undecodable') {
      this.#sequence.unnumbered(mark.count);
      this.#reject('bad_json', { count: mark.count });
    } else if (mark.mark === 'caught_up') {
      this.#completeSnapshot();
    } else if (mark.mark === 'alive') {
      // After a loss the slate may be wrong, so a sign of life does not confirm its quotes.
      if (this.#refused || this.#sequence.isLost) return;
      const atMs = Math.min(mark.atMs, this.#arrivedMs);
      const heartbeat = { type: 'heartbeat', seq: 0, atMs, event: null, bookmakerMask: null } as const;
      this.#options.applier.apply(heartbeat);
      this.#isApplied = true;
      this.#isCommonApplied = true;
      this.#options.outlet?.applied(heartbeat);
    } else {
      this.#triedAtMs = mark.triedAtMs;
      this.#options.health.connection(mark.connected);
    }
  }

  /**
   * Ends the snapshot in progress. Nothing happens if there is none: a `snapshot_end` may come without a
   * begin, or after a gap for which the snapshot was given up.
   */
  #completeSnapshot(): void {
    if (!this.#sequence.inSnapshot) return;
    this.#options.applier.endSnapshot();
    this.publish();
    this.#options.outlet?.replaced();
    // The applied times are set before the slate is marked complete. Otherwise a reader could find a complete
    // slate of a feed that was never heard, and treat the feed as long silent.
    this.#publishApplied();
    this.#store.setSnapshotComplete();
    this.#options.log.info('feed_snapshot_complete', { fixtures: this.#writer.fixtureCount });
  }

  #reject(
    reason: RejectReason,
    { type = null, count = 1 }: { type?: string | null; count?: number } = {},
  ): void {
    this.#writer.facts.count(`rejected_${reason}`, count);
    this.#options.rejectLog.warn('feed_message_rejected', { reason, type, count });
  }
}

function isQuoteWire(wire: unknown): boolean {
  return typeof wire === 'object' && wire !== null && (wire as { type?: unknown }).type === 'quote';
}

/**
 * A message whose stamps are corrected by the offset of its source's clock. Kickoffs do not depend on that
 * clock.
 */
function earlierBy<Message extends FeedMessage & { readonly atMs: number }>(
  message: Message,
  byMs: number,
): Message {
  const earlier = { ...message, atMs: message.atMs - byMs };
  if (earlier.type === 'quote') return { ...earlier, openedAtMs: earlier.openedAtMs - byMs };
  return earlier.type === 'result' ? { ...earlier, finishedAtMs: earlier.finishedAtMs - byMs } : earlier;
}

/**
 * Whether a message is about the sharp bookmaker, so that only tiers that see that bookmaker may notice it.
 */
function isOfSharpBookmaker(message: FeedMessage): boolean {
  const isOfOne = message.type === 'quote' || message.type === 'close' || message.type === 'liquidity';
  return isOfOne && isSharpBookmaker(message.bookmaker);
}

/**
 * Limits a message's stamps to its arrival. A message with a stamp that is later by more than
 * FEED_AHEAD_MS_MAX is refused.
 */
function arrivedBy(message: FeedMessage, arrivedMs: number): FeedMessage | 'future_time' {
  if (!('atMs' in message)) return message;
  const openedAtMs = message.type === 'quote' ? message.openedAtMs : Number.NaN;
  const isInTime = message.atMs <= arrivedMs && !(openedAtMs > arrivedMs);
  if (isInTime) return message;
  if (Math.max(message.atMs, openedAtMs || 0) > arrivedMs + FEED_AHEAD_MS_MAX) return 'future_time';
  const atMs = Math.min(message.atMs, arrivedMs);
  return message.type === 'quote'
    ? { ...message, atMs, openedAtMs: Math.min(openedAtMs, arrivedMs) }
    : { ...message, atMs };
}
