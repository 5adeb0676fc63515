// Plays a recording through the code of the live service (the feed handler, the applier, the store, the
// kernels and the signals' follower), on the recording's clock, as fast as possible. Nothing reads ahead: a
// batch is what the recording has for one instant, so a signal that opens at an instant depends on no later
// line.

import type { ArchivedResult } from '../archive/tables.ts';
import type { Clock } from '../clock.ts';
import { BOOKMAKER_KEYS } from '../domain/catalogue.ts';
import { REJECT_REASONS, type RejectReason } from '../domain/reject-reasons.ts';
import type { FreshnessWindows, SIGNAL_KINDS } from '../domain/signal-gate.ts';
import { principalOf } from '../domain/tiers.ts';
import { assert } from '../errors.ts';
import type { FeedMessage } from '../feed/protocol.ts';
import type { TapeBatch } from '../history/replay/tape-replay.ts';
import { Applier } from '../ingest/apply.ts';
import type { ArchivePort } from '../ingest/archive-recorder.ts';
import { FeedHandler, type FeedTarget } from '../ingest/feed-handler.ts';
import { FeedHealth } from '../ingest/feed-health.ts';
import type { QueueEntry } from '../ingest/feed-queue.ts';
import { BoundedLog, type Log } from '../log.ts';
import { freshMemory } from '../platform/fresh-memory.ts';
import { NO_LEAGUES, oddsView } from '../query/odds/odds-view.ts';
import { createPolledQueries } from '../query/polled.ts';
import { createStore, DEFAULT_CAPACITY } from '../store/layout.ts';
import { SlateReader } from '../store/reader.ts';
import { WindowKeeper } from '../store/writer/window-keeper.ts';
import { SlateWriter } from '../store/writer/writer.ts';
import { LiveSignals } from '../stream/signals/live-signals.ts';
import type { SignalFollower } from '../stream/signals/signal-follower.ts';
import type { ClosedMatch } from './closing-forecasts.ts';
import type { ClosingLines } from './closing-lines.ts';
import { MatchEnds } from './match-ends.ts';
import { type GradedSignal, graded, type RecordedSignal } from './recorded-signal.ts';
import { scannerOf } from './scan-here.ts';
import { type RecordChange, SignalRecorder } from './signal-recorder.ts';

export interface PastSettings {
  readonly windows: FreshnessWindows;
  readonly kinds: readonly (typeof SIGNAL_KINDS)[number][];
  readonly bookmakers?: readonly string[] | undefined;
  /** A word of REFERENCE_WORDS; undefined means the roster's default. */
  readonly reference?: string | undefined;
  readonly minEdgePct: number;
  readonly maxEdgePct: number;
  /** Whether the recording uses event ids as event keys, as the tape does. Signals then have these ids. */
  readonly keysAreIds?: boolean;
  /** Whether every bookmaker is judged separately, and not only the best price of a line. */
  readonly eachBookmaker?: boolean;
  /** Keeps only signals that opened at least this long before kickoff. */
  readonly beforeKickoffMs?: number | undefined;
  /** Whether to keep the prices of the last hour, which moves and steam are found from. */
  readonly keepsWindows?: boolean;
  /** Whether closing prices are kept; by default they are. */
  readonly keepsClosings?: boolean;
  /** Returns when time alone may next change what `onMoment` finds, Unix ms. */
  readonly nextMomentMs?: () => number;
  /** Awaited after each instant. */
  readonly onMoment?: (moment: PastMoment) => Promise<void>;
}

/** The caller that a play finds signals for. This caller sees every bookmaker. */
const OWNER = principalOf('enterprise');
/**
 * No other thread reads the slate, so pages may be reused soon. Then fewer pages are ever used, which takes
 * less memory.
 */
const CAPACITY = { ...DEFAULT_CAPACITY, gracePublishes: 2 };
/** Without closing prices, first prices are not needed either. The first prices of 430 matches take 9 MB. */
const WITHOUT_OPENINGS = { ...CAPACITY, openingsPerFixture: 1 };
/** How many signals are followed at most. No slate has as many at the same time. */
const SIGNALS_MAX = 100_000;
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

/** Messages that the feed's rules refused for one reason, counted as on a server. */
export interface RefusedMessages {
  readonly reason: RejectReason;
  readonly count: number;
}

/** Messages of one instant. Signals are found after the last batch of an instant. */
export type PastBatch = TapeBatch<unknown>;

interface Held {
  readonly eventNumber: number;
  signal: RecordedSignal;
}

export class PastPlay {
  readonly #clock: Clock & { nowMs: number };
  readonly #reader: SlateReader;
  readonly #applier: Applier;
  readonly #handler: FeedHandler;
  /** One follower, or one for each bookmaker that is judged separately. */
  readonly #followers: readonly SignalFollower[];
  readonly #recorders: readonly SignalRecorder[];
  readonly #keysAreIds: boolean;
  readonly #onMoment: PastSettings['onMoment'];
  readonly #nextMomentMs: () => number;
  /** Null when the prices of the last hour are not kept. */
  readonly #windowKeeper: WindowKeeper | null;
  readonly #beforeKickoffMs: number;
  /** Messages of the batch in progress that were applied. */
  #applied: FeedMessage[] = [];
  readonly #ends: MatchEnds;
  /** The key is the index of the recorder and the signal's id. */
  readonly #open = new Map<string, Held>();
  readonly #signals: Held[] = [];
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
    const { windows, maxEdgePct } = settings;
    this.#keysAreIds = settings.keysAreIds === true;
    this.#onMoment = settings.onMoment;
    this.#nextMomentMs = settings.nextMomentMs ?? (() => Number.POSITIVE_INFINITY);
    this.#beforeKickoffMs = settings.beforeKickoffMs ?? Number.NEGATIVE_INFINITY;
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
    const scanHits = scannerOf(this.#reader);
    const { slate, signals } = createPolledQueries({
      reader: this.#reader,
      windows: this.#windows,
      scorer: { scan: scanHits },
      clock,
    });
    const limits = { maxEdge: maxEdgePct / 100, maxMargin: maxEdgePct / 100 };
    const live = new LiveSignals({ reader: this.#reader, slate, signals, scorer: { scanHits } }, limits, {
      signals: SIGNALS_MAX,
      watches: BOOKMAKER_KEYS.length,
    });
    this.#followers = followedWords(settings).map((words) => {
      const odds = oddsView({ slate, leagues: NO_LEAGUES }, words, { principal: OWNER, nowMs: 0 });
      const view = live.view(words, odds, OWNER);
      assert(view !== null, 'every follower of a past asks for signals');
      return live.follow(view, false);
    });
    this.#recorders = this.#followers.map((follower) => new SignalRecorder(slate, follower));
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
    return this.#signals.map(({ signal, eventNumber }) => graded(signal, this.#ends.of(eventNumber)));
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
      let nextMs = this.#nextMomentMs();
      for (const follower of this.#followers) nextMs = Math.min(nextMs, follower.nextExpiryMs);
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
    for (const [index, recorder] of this.#recorders.entries()) {
      for (const change of await recorder.step(nowMs)) {
        if (change.change === 'opened') this.#opened(index, change);
        else {
          const held = this.#open.get(`${index} ${change.id}`);
          if (held === undefined) continue; // it opened too near to kickoff
          held.signal = { ...held.signal, closed_at: change.closedAt };
          this.#open.delete(`${index} ${change.id}`);
        }
      }
    }
    const { closings, results } = this.#ends;
    await this.#onMoment?.({ nowMs, reader: this.#reader, closings, results });
  }

  #opened(index: number, { eventNumber, signal }: RecordChange & { readonly change: 'opened' }): void {
    const key = this.#applier.fixtures.keyOf(eventNumber)!;
    const { scheduledAtMs } = this.#applier.fixtures.get(key)!;
    if (scheduledAtMs - this.#clock.nowMs < this.#beforeKickoffMs) return;
    const event_id = this.#keysAreIds ? key : signal.event_id;
    const ofBookmaker = this.#recorders.length > 1 ? `:${signal.bookmaker}@` : '@';
    const id = signal.id.replace(signal.event_id, event_id).replace('@', ofBookmaker);
    const held: Held = { eventNumber, signal: { ...signal, event_id, id } };
    this.#open.set(`${index} ${signal.id}`, held);
    this.#signals.push(held);
  }
}

/**
 * What each follower follows: one for all bookmakers, or one for each of them. Without kinds there is no
 * follower, and only `onMoment` is called.
 */
function followedWords({ kinds, bookmakers, reference, minEdgePct, eachBookmaker }: PastSettings) {
  if (kinds.length === 0) return [];
  const apart = eachBookmaker === true ? (bookmakers ?? BOOKMAKER_KEYS).map((key) => [key]) : [bookmakers];
  return apart.map((own) => ({
    signals: kinds,
    bookmakers: own,
    ...(kinds.includes('value') ? { min_edge_pct: minEdgePct, reference } : {}),
    ...(kinds.includes('arbitrage') ? { min_margin_pct: minEdgePct } : {}),
  }));
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
