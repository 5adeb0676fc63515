// Plays a recording through the code of the live service (the feed handler, the applier, the store, the
// kernels and the signals' follower), on the recording's clock, as fast as possible. Nothing reads ahead: a
// batch is what the recording has for one instant, so a signal that opens at an instant depends on no later
// line.

import type { ArchivedResult } from '../archive/tables.ts';
import type { Clock } from '../clock.ts';
import { REJECT_REASONS, type RejectReason } from '../domain/reject-reasons.ts';
import type { FreshnessWindows } from '../domain/signal-gate.ts';
import type { FeedMessage } from '../feed/protocol.ts';
import type { TapeBatch } from '../history/replay/tape-replay.ts';
import { Applier } from '../ingest/apply.ts';
import type { ArchivePort } from '../ingest/archive-recorder.ts';
import { FeedHandler, type FeedTarget } from '../ingest/feed-handler.ts';
import { FeedHealth } from '../ingest/feed-health.ts';
import type { QueueEntry } from '../ingest/feed-queue.ts';
import { BoundedLog, type Log } from '../log.ts';
import { freshMemory } from '../platform/fresh-memory.ts';
import { createStore, DEFAULT_CAPACITY } from '../store/layout.ts';
import { SlateReader } from '../store/reader.ts';
import { WindowKeeper } from '../store/writer/window-keeper.ts';
import { SlateWriter } from '../store/writer/writer.ts';
import type { ClosedMatch } from './closing-forecasts.ts';
import type { ClosingLines } from './closing-lines.ts';
import { MatchEnds } from './match-ends.ts';
import { PastSignals, type SignalSettings } from './past-signals.ts';
import type { GradedSignal } from './recorded-signal.ts';

export interface PastSettings extends SignalSettings {
  readonly windows: FreshnessWindows;
  /** Whether to keep the prices of the last hour, which moves and steam are found from. */
  readonly keepsWindows?: boolean;
  /** Whether closing prices are kept; by default they are. */
  readonly keepsClosings?: boolean;
  /** Returns when time alone may next change what `onMoment` finds, Unix ms. */
  readonly nextMomentMs?: () => number;
  /** Awaited after each instant. */
  readonly onMoment?: (moment: PastMoment) => Promise<void>;
}

/**
 * No other thread reads the slate, so pages may be reused soon. Then fewer pages are ever used, which takes
 * less memory.
 */
const CAPACITY = { ...DEFAULT_CAPACITY, gracePublishes: 2 };
/** Without closing prices, first prices are not needed either. The first prices of 430 matches take 9 MB. */
const WITHOUT_OPENINGS = { ...CAPACITY, openingsPerFixture: 1 };
/** How often matches that are over are removed from the slate. */
const SWEEP_MS = 300_000;
/**
 * How often open prices are confirmed while no message has named the bookmakers that it confirms. Until one
 * does, prices never turn stale, so this is rarely needed.
 */
const ALIVE_EVERY_MS = 10_000;
const SILENT_LOG: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** The state at an instant of the past, for code that follows the play, such as alert rules. */
export interface PastMoment {
  readonly nowMs: number;
  readonly reader: SlateReader;
  /** The closing prices of matches, by event number. */
  readonly closings: ReadonlyMap<number, Pick<ClosingLines, 'frozen'>>;
  readonly results: ReadonlyMap<number, ArchivedResult>;
}

/** A span of the past without data, Unix ms. `toMs` is null when the span lasts to the end. */
export interface PastGap {
  readonly fromMs: number;
  readonly toMs: number | null;
}

/** How many messages the rules of the feed protocol refused for one reason. */
export interface RefusedMessages {
  readonly reason: RejectReason;
  readonly count: number;
}

/** Messages of one instant. Signals are found after the last batch of an instant. */
export type PastBatch = TapeBatch<unknown>;

export class PastPlay {
  readonly #clock: Clock & { nowMs: number };
  readonly #reader: SlateReader;
  readonly #applier: Applier;
  readonly #handler: FeedHandler;
  readonly #signals: PastSignals;
  readonly #onMoment: PastSettings['onMoment'];
  readonly #nextMomentMs: () => number;
  /** Null when the prices of the last hour are not kept. */
  readonly #windowKeeper: WindowKeeper | null;
  /** Messages of the batch in progress that were applied. */
  #applied: FeedMessage[] = [];
  readonly #ends: MatchEnds;
  readonly #gaps: PastGap[] = [];
  /** When messages of the sequence began to be missing; null while none are. */
  #lostFromMs: number | null = null;
  #hasBegun = false;
  #aliveMs = Number.NEGATIVE_INFINITY;
  #sweepFromMs = Number.NEGATIVE_INFINITY;
  /** Whether a message of the recording has named the bookmakers that it confirms. */
  #namesConfirmed = false;
  /** Infinite until `#namesConfirmed`, then `#ownWindows`. Until then every open price counts as fresh. */
  readonly #windows = { liveMs: Number.POSITIVE_INFINITY, prematchMs: Number.POSITIVE_INFINITY };
  readonly #ownWindows: FreshnessWindows;

  constructor(settings: PastSettings) {
    const { windows } = settings;
    this.#onMoment = settings.onMoment;
    this.#nextMomentMs = settings.nextMomentMs ?? (() => Number.POSITIVE_INFINITY);
    const clock = { nowMs: 0, wallMs: () => clock.nowMs, monotonicMs: () => clock.nowMs };
    this.#clock = clock;
    this.#ownWindows = windows;
    const keepsClosings = settings.keepsClosings !== false;
    const buffer = createStore(0, keepsClosings ? CAPACITY : WITHOUT_OPENINGS, null, freshMemory);
    const writer = new SlateWriter(buffer);
    this.#windowKeeper = settings.keepsWindows === true ? new WindowKeeper(buffer) : null;
    this.#reader = new SlateReader(buffer);
    const archive: ArchivePort = {
      keepsOpenings: keepsClosings,
      openingsOf: () => [],
      recordOpening: () => {},
      recordResult: (result) => this.#ends.recordResult(result),
    };
    const applier = new Applier(writer, archive);
    this.#applier = applier;
    this.#ends = new MatchEnds(applier.fixtures, keepsClosings);
    this.#handler = new FeedHandler({
      writer,
      applier: this.#notingApplied(),
      clock,
      log: SILENT_LOG,
      rejectLog: new BoundedLog(SILENT_LOG, clock, { countMax: 1, windowMs: SWEEP_MS }),
      helloBeginsSnapshot: true,
      health: new FeedHealth(writer, clock).add('recording'),
    });
    this.#signals = new PastSignals(settings, {
      ...{ reader: this.#reader, windows: this.#windows, clock, fixtures: applier.fixtures },
    });
  }

  /** Applies messages and notes those that were not refused. */
  #notingApplied(): FeedTarget {
    const applier = this.#applier;
    return {
      sequence: applier.sequence,
      apply: (message) => {
        const refused = applier.apply(message);
        if (refused === null) this.#applied.push(message);
        return refused;
      },
      endSnapshot: () => applier.endSnapshot(),
    };
  }

  /** Plays batches in the order of their instants. */
  async play(batches: AsyncIterable<PastBatch>): Promise<void> {
    for await (const { atMs, messages, continues } of batches) {
      if (isHello(messages[0])) {
        if (this.#hasBegun) this.#lostFromMs ??= this.#clock.nowMs;
        this.#handler.drain([...messages.map(entryOf), CAUGHT_UP], 0);
      } else {
        await this.#apply(messages, atMs);
        if (continues === true) continue;
        this.#sweep();
        await this.#step(atMs);
      }
    }
  }

  /** Every signal in the order of its opening, graded as far as the recording goes. */
  graded(): GradedSignal[] {
    return this.#signals.graded(this.#ends);
  }

  /** Times without messages: between two connections, and from a lost message to the next snapshot. */
  get gaps(): readonly PastGap[] {
    const open = this.#lostFromMs === null ? [] : [{ fromMs: this.#lostFromMs, toMs: null }];
    return [...this.#gaps, ...open];
  }

  get refused(): RefusedMessages[] {
    const counters = this.#reader.counters();
    return REJECT_REASONS.flatMap((reason) => {
      const count = counters[`rejected_${reason}`];
      return count === 0 ? [] : [{ reason, count }];
    });
  }

  /** Every match whose closing prices and score are known. */
  closedMatches(): ClosedMatch[] {
    return this.#ends.closedMatches();
  }

  async #apply(batch: readonly unknown[], atMs: number): Promise<void> {
    if (this.#hasBegun) await this.#passTime(atMs);
    const beforeMs = this.#clock.nowMs;
    this.#clock.nowMs = atMs;
    this.#applied = [];
    if (!this.#namesConfirmed && batch.some(namesConfirmed)) {
      this.#namesConfirmed = true;
      Object.assign(this.#windows, this.#ownWindows);
    }
    this.#handler.drain([...batch.map(entryOf), ...this.#alive()], 0);
    this.#noteLoss(beforeMs, atMs);
    this.#ends.take(this.#applied, atMs);
    this.#hasBegun = true;
  }

  #noteLoss(beforeMs: number, nowMs: number): void {
    const { isLost, inSnapshot } = this.#applier.sequence;
    if (isLost) this.#lostFromMs ??= beforeMs;
    else if (this.#lostFromMs !== null && !inSnapshot) {
      if (nowMs > this.#lostFromMs) this.#gaps.push({ fromMs: this.#lostFromMs, toMs: nowMs });
      this.#lostFromMs = null;
    }
  }

  /**
   * Applies the changes that time alone makes between two batches, at each instant at which one is possible.
   */
  async #passTime(untilMs: number): Promise<void> {
    for (;;) {
      let nextMs = Math.min(this.#nextMomentMs(), this.#signals.nextExpiryMs);
      nextMs = Math.max(Math.min(nextMs, this.#ends.nextMs), this.#clock.nowMs + 1);
      if (nextMs >= untilMs) return;
      this.#clock.nowMs = nextMs;
      this.#handler.drain(this.#alive(), 0);
      this.#ends.advance(nextMs);
      this.#sweep();
      await this.#step(nextMs);
    }
  }

  /**
   * Confirms open prices all the time, like a replay, until a message of the recording names the bookmakers
   * that it confirms.
   */
  #alive(): QueueEntry[] {
    const { nowMs } = this.#clock;
    if (this.#namesConfirmed || nowMs < this.#aliveMs + ALIVE_EVERY_MS) return [];
    this.#aliveMs = nowMs;
    return [{ message: undefined, mark: { mark: 'alive', atMs: nowMs } }];
  }

  /** Matches that are over get their result and leave the slate. */
  #sweep(): void {
    const { nowMs } = this.#clock;
    if (nowMs < this.#sweepFromMs) return;
    this.#sweepFromMs = nowMs + SWEEP_MS;
    this.#applier.sweep(this.#reader, nowMs);
    this.#handler.publish();
  }

  async #step(nowMs: number): Promise<void> {
    this.#windowKeeper?.step(nowMs);
    await this.#signals.step(nowMs);
    const { closings, results } = this.#ends;
    await this.#onMoment?.({ nowMs, reader: this.#reader, closings, results });
  }
}

/** Ends the snapshot that a hello begins, so that the messages after it are live ones. */
const CAUGHT_UP: QueueEntry = { message: undefined, mark: { mark: 'caught_up' } };

function entryOf(message: unknown): QueueEntry {
  return { message, mark: null };
}

export function isHello(wire: unknown): boolean {
  return (wire as { readonly type?: unknown } | null)?.type === 'hello';
}

/** Whether a message names the bookmakers that it confirms, as recordings of several sources do. */
function namesConfirmed(wire: unknown): boolean {
  return (wire as { readonly bookmakers?: unknown } | null)?.bookmakers != null;
}
