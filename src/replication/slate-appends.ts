// Makes what a leader appends: the next stream entry, from what its store has published since the last one,
// and the snapshot when it is due. Changes are read from the store itself, so nothing piles up here while
// appends go unanswered.

import type { Clock } from '../clock.ts';
import { DEPARTURES_MAX } from '../limits.ts';
import { SlateChanges } from '../store/find-changes.ts';
import { SlateReader } from '../store/reader.ts';
import type { DepartureChange, SlateChange } from '../store/slate-change.ts';
import type { SlateWriter } from '../store/writer/writer.ts';
import {
  departuresField,
  encodeEntry,
  encodeField,
  encodeHead,
  fixtureField,
  liquidityField,
  markOf,
  type Versioned,
} from './redis-slate.ts';

/** How long entries are kept. */
const STREAM_KEPT_MS = 60_000;
/**
 * How often the snapshot is updated. A large slate is updated less often, so that encoding it (about 15 ms
 * for a million characters) delays fewer than one batch in a hundred; new followers then read more entries
 * after it.
 */
const SNAPSHOT_EVERY_MS = 1_000;
const SNAPSHOT_CHARS_PER_MS = 400;
const SNAPSHOT_EVERY_MS_MAX = 20_000;

/** What a leader gets with its lease, valid as long as it holds the lease. */
export interface Term {
  readonly lease: string;
  readonly epochMs: number;
  /** The highest version that any node may have seen. */
  readonly above: number;
}

/** Arguments of the append script; sent again until Redis answers. */
export interface Append {
  readonly args: readonly string[];
  readonly charCount: number;
  readonly hasSnapshot: boolean;
}

export interface SlateAppendsOptions {
  readonly storeBuffer: SharedArrayBuffer;
  readonly writer: SlateWriter;
  readonly clock: Clock;
  /** If the last entry is older than this, `next` makes one even without changes. */
  readonly silentMs: number;
}

export class SlateAppends {
  readonly #options: SlateAppendsOptions;
  readonly #reader: SlateReader;
  readonly #changes: SlateChanges;
  readonly #departures = new DepartureChunks();
  /** Whether the term's epoch has begun in the store. */
  #hasBegun = false;
  #seq = 0;
  /** The first version of the epoch. */
  #firstVersion = 0;
  #version = 0;
  /** Events whose latest state is not in the snapshot yet. */
  readonly #dirty = new Set<number>();
  /** Events whose latest liquidity is not in the snapshot yet. */
  readonly #dirtyLiquidity = new Set<number>();
  #appendedAtMs = Number.NEGATIVE_INFINITY;
  #nextSnapshotAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: SlateAppendsOptions) {
    this.#options = options;
    this.#reader = new SlateReader(options.storeBuffer);
    this.#changes = new SlateChanges(options.storeBuffer);
  }

  /** Starts a new term: the next append is the first of its epoch. */
  restart(): void {
    this.#hasBegun = false;
  }

  /** The newest version appended in this term; null before the first. */
  get version(): number | null {
    return this.#hasBegun ? this.#version : null;
  }

  /** Called when an append was answered, so it is in Redis. */
  answered({ hasSnapshot, charCount }: Append, nowMs: number): void {
    if (hasSnapshot) this.#nextSnapshotAtMs = nowMs + snapshotPauseMs(charCount);
    this.#appendedAtMs = nowMs;
  }

  /** The next entry, with the snapshot when it is due; null when there is nothing to append. */
  next(term: Term): Append | null {
    const { writer, clock } = this.#options;
    const nowMs = clock.monotonicMs();
    const isFirst = !this.#hasBegun;
    if (isFirst) {
      if (!writer.isBetweenBatches) return null; // the batch in progress will wake this up
      this.#begin(term);
    }
    const change = this.#changes.take();
    if (change === null) return null;
    this.#note(change);
    const isNews = isFirst || change.version !== this.#version || hasContent(change);
    const isSilent = nowMs - this.#appendedAtMs >= this.#options.silentMs;
    const isDirty = this.#dirty.size + this.#dirtyLiquidity.size > 0;
    const isSnapshotDue = isFirst || (isDirty && nowMs >= this.#nextSnapshotAtMs);
    if (!isNews && !isSilent && !isSnapshotDue) return null;
    this.#version = change.version;
    const { epochMs } = term;
    const seq = isFirst ? 0 : this.#seq + 1;
    this.#seq = seq;
    const entry = encodeEntry({ epochMs, seq, change: isNews && !isFirst ? change : null });
    const fields = isSnapshotDue ? this.#snapshot({ epochMs, seq }, change) : ['', '', '0'];
    const args = [
      term.lease,
      String(seq),
      String(change.version),
      entry,
      String(STREAM_KEPT_MS),
      isFirst ? '1' : '0',
      ...fields,
    ];
    const charCount = args.reduce((sum, text) => sum + text.length, 0);
    return { args, charCount, hasSnapshot: isSnapshotDue };
  }

  /** Begins the term's epoch in the store: the next entry and snapshot hold the whole slate. */
  #begin({ epochMs, above }: Term): void {
    const { writer, clock } = this.#options;
    this.#hasBegun = true;
    this.#firstVersion = writer.beginEpoch(epochMs, Math.max(above, this.#version), clock.wallMs());
    this.#changes.begin(this.#firstVersion);
    this.#departures.clear();
    this.#dirty.clear();
    this.#dirtyLiquidity.clear();
  }

  #note({ fixtures, removed, departures, liquidity, version, atMs }: SlateChange): void {
    for (const event of removed) this.#dirty.add(event);
    for (const [event] of fixtures) this.#dirty.add(event);
    for (const [event] of liquidity) this.#dirtyLiquidity.add(event);
    for (const departure of departures) this.#departures.add([version, atMs, departure]);
  }

  /**
   * The script's arguments for the snapshot: head, mark, count of fields to delete, those fields, then fields
   * and values to set, for everything that changed since the last snapshot.
   */
  #snapshot({ epochMs, seq }: { epochMs: number; seq: number }, { version, atMs }: SlateChange): string[] {
    const deleted: string[] = [];
    const set: string[] = [];
    const slots = this.#changes.slots();
    for (const event of this.#dirty) {
      const slot = slots.get(event);
      const field = fixtureField(event);
      if (slot === undefined) deleted.push(field);
      else set.push(field, encodeField([version, atMs, this.#changes.whole(slot, { version, atMs })]));
    }
    this.#dirty.clear();
    for (const event of this.#dirtyLiquidity) {
      const whole = this.#changes.liquidityOf(event);
      if (whole.length === 0) deleted.push(liquidityField(event));
      else set.push(liquidityField(event), encodeField(whole));
    }
    this.#dirtyLiquidity.clear();
    const chunks = this.#departures.take();
    deleted.push(...chunks.deleted);
    set.push(...chunks.set);
    const head = encodeHead({
      epochMs,
      seq,
      firstVersion: this.#firstVersion,
      version,
      atMs,
      feed: this.#changes.feedFacts(),
      reports: this.#reader.sourceReports(),
      departuresMissing: this.#departures.isIncomplete,
    });
    return [head, markOf({ epochMs, seq }), String(deleted.length), ...deleted, ...set];
  }
}

function hasContent({ fixtures, removed, departures, liquidity, feed, reports }: SlateChange): boolean {
  const lists = [fixtures, removed, departures, liquidity];
  return lists.some(({ length }) => length > 0) || feed !== null || reports !== null;
}

function snapshotPauseMs(charCount: number): number {
  return Math.min(SNAPSHOT_EVERY_MS_MAX, Math.max(SNAPSHOT_EVERY_MS, charCount / SNAPSHOT_CHARS_PER_MS));
}

const PER_CHUNK = 256;
const CHUNKS_MAX = DEPARTURES_MAX / PER_CHUNK;

/**
 * The fixtures that left the slate in an epoch, for the snapshot. They are stored in chunks, one hash field
 * each, and only the last chunk grows. The snapshot keeps as many departures as the store does; older ones
 * are dropped.
 */
class DepartureChunks {
  /** Departures of the last chunk. */
  #last: Versioned<DepartureChange>[] = [];
  #lastChunk = 0;
  /** Chunks that still have to be written, by number. */
  readonly #due = new Map<number, readonly Versioned<DepartureChange>[]>();

  /** Whether any departure was dropped. */
  get isIncomplete(): boolean {
    return this.#lastChunk >= CHUNKS_MAX;
  }

  clear(): void {
    this.#last = [];
    this.#lastChunk = 0;
    this.#due.clear();
  }

  add(departure: Versioned<DepartureChange>): void {
    if (this.#last.length === PER_CHUNK) {
      this.#last = [];
      this.#lastChunk++;
    }
    this.#last.push(departure);
    this.#due.set(this.#lastChunk, this.#last);
  }

  /** Fields to delete, and alternating fields and values to set, since the last call. */
  take(): { readonly deleted: string[]; readonly set: string[] } {
    const chunks = [...this.#due];
    this.#due.clear();
    return {
      deleted: chunks
        .filter(([chunk]) => chunk >= CHUNKS_MAX)
        .map(([chunk]) => departuresField(chunk - CHUNKS_MAX)),
      set: chunks.flatMap(([chunk, departures]) => [departuresField(chunk), encodeField(departures)]),
    };
  }
}
