// The whole slate for many readers: full answers of GET /v1/odds and snapshots of streams. Readers without a
// key share a copy of one instant, whatever their filters; so do those with a free key, and those with a paid
// one. Each piece is encoded from the copy only when a reader reaches it. Pieces that several readers need
// are cached for a while.

import type { Clock } from '../../clock.ts';
import { type CallerClass, classOf } from '../../domain/tiers.ts';
import { LruCache } from '../lru-cache.ts';
import type { SharedReading } from '../slate/shared-bytes.ts';
import { type CopyRoom, NoRoomError } from '../slate/slate-copy.ts';
import type { OddsChangeReader } from './odds-changes.ts';
import type { OddsDelta } from './odds-delta.ts';
import type { OddsView } from './odds-view.ts';
import { SharedCopy } from './shared-copy.ts';

/**
 * How long a copy is shared with callers without a key or with a free one, and with streams, which send later
 * changes as deltas. Then another copy is made.
 */
const COPY_SHARED_MS = 1_000;
/**
 * How long a copy is shared while there is no room for another. If the newest is older, a reader with a paid
 * key is refused, 503. For other readers the oldest copy of their class is freed, and its readers are cut
 * off.
 */
const COPY_SHARED_FULL_MS = 5_000;
/**
 * Maximum bytes of encoded pieces that readers share, per thread. Beyond it, the least recently used piece is
 * dropped, and made again when it is needed.
 */
const PIECES_BYTES_MAX = 16 * 1024 * 1024;

export interface WholeReader {
  readonly nowMs: number;
  /** Whether the copy may be a moment old (COPY_SHARED_MS). If not, it shows the slate as it is now. */
  readonly takesOlder: boolean;
  /** The newest version of the slate that the reader knows, -1 if none. It is never given an older one. */
  readonly knownVersion: number;
  /**
   * The part of the budget that the bytes count against if a copy is made for this reader, or if this reader
   * remains when the one that it was made for has left.
   */
  readonly room: CopyRoom;
}

export interface PieceOfSlate<Piece> {
  readonly piece: Piece;
  /** Whether other readers may use the same piece. */
  readonly isShared: boolean;
}

/** One view of one copy, as one reader holds it. */
export interface WholeSlate {
  readonly delta: OddsDelta;
  /** Version of the slate at the instant of the copy. */
  readonly version: number;
  /**
   * A piece in some form: the cached one, or one that `make` makes.
   * @param size the bytes of a piece
   * @throws NoRoomError if the copy was freed because this reader is slow
   */
  piece<Piece>(
    form: string,
    first: number,
    make: (first: number) => Piece,
    size: (piece: Piece) => number,
  ): PieceOfSlate<Piece>;
  /** Call it once, when the reader no longer needs the view. */
  close(): void;
}

interface WholeSlatesOptions {
  readonly changes: OddsChangeReader;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

export class WholeSlates {
  readonly #changes: OddsChangeReader;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #pieces = new LruCache<unknown>(PIECES_BYTES_MAX);
  /**
   * The copies that are not freed, oldest first. Callers without a key, or with a free one, never share a
   * copy that was made for a paid plan.
   */
  readonly #copies = new Set<SharedCopy>();
  #making: Promise<unknown> | null = null;
  #names = 0;

  constructor({ changes, clock }: WholeSlatesOptions) {
    this.#changes = changes;
    this.#clock = clock;
  }

  /** @throws ServiceError `upstream_unavailable` without a slate, or without room for a copy */
  async open(view: OddsView, reader: WholeReader): Promise<WholeSlate> {
    const wantedVersion = this.#changes.version();
    for (;;) {
      const found = this.#shared(reader, wantedVersion);
      if (found?.admits(reader.room) === true) return this.#join(found, view, reader);
      if (this.#making !== null) {
        // One copy is made at a time. Readers that come meanwhile share the next one.
        await this.#making;
        continue;
      }
      return await this.#make(view, reader);
    }
  }

  /** Drops a copy that has no readers and that no reader will join. Call it regularly. */
  expire(): void {
    for (const shared of this.#copies) {
      if (this.#ageMs(shared) > COPY_SHARED_MS && !shared.hasReaders) this.#free(shared);
    }
    if (this.#copies.size === 0) this.#pieces.clear();
  }

  #shared({ takesOlder, knownVersion, room }: WholeReader, wantedVersion: number): SharedCopy | null {
    const newest = this.#newest(room);
    if (newest === null || newest.copy.epochMs !== this.#changes.epochMs()) return null;
    const { version } = newest.copy;
    if (version < knownVersion) return null;
    const isYoung = takesOlder && this.#ageMs(newest) <= COPY_SHARED_MS;
    return version >= wantedVersion || isYoung ? newest : null;
  }

  /** The newest copy for one class of callers. */
  #newest(callerClass: CallerClass): SharedCopy | null {
    return this.#copiesFor(callerClass).at(-1) ?? null;
  }

  #copiesFor(callerClass: CallerClass): SharedCopy[] {
    const wanted = classOf(callerClass);
    return [...this.#copies].filter((shared) => classOf(shared.callerClass) === wanted);
  }

  /** Makes a copy, of which the reader is the first. */
  async #make(view: OddsView, reader: WholeReader): Promise<WholeSlate> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#making = promise;
    try {
      return this.#join(await this.#copyFor(reader), view, reader);
    } finally {
      this.#making = null;
      resolve();
    }
  }

  async #copyFor(reader: WholeReader): Promise<SharedCopy> {
    try {
      return await this.#copied(reader);
    } catch (error) {
      if (!(error instanceof NoRoomError)) throw error;
      const recent = this.#recent(reader);
      if (recent !== null) return recent;
      if (!this.#makeWay(reader.room)) throw error;
      return await this.#copied(reader);
    }
  }

  /**
   * Frees the oldest copy of a class of callers without a key or with a free one, unless it is recent.
   * Otherwise a few slow readers could hold as many copies as there is room for, and no other reader of the
   * class would get one.
   * @returns false if there is none
   */
  #makeWay(room: CopyRoom): boolean {
    const oldest = classOf(room) === 'paid' ? undefined : this.#copiesFor(room)[0];
    if (oldest === undefined || this.#ageMs(oldest) < COPY_SHARED_FULL_MS) return false;
    this.#free(oldest);
    return true;
  }

  async #copied({ nowMs, room }: WholeReader): Promise<SharedCopy> {
    const copy = await this.#changes.copySince(-1, nowMs, room);
    const shared = new SharedCopy(copy, this.#clock.monotonicMs(), room);
    const former = this.#newest(room);
    this.#copies.add(shared);
    if (former?.hasReaders === false) this.#free(former);
    return shared;
  }

  /** The newest copy that a reader without room for another may share. It counts against the same budget. */
  #recent({ knownVersion, room }: WholeReader): SharedCopy | null {
    const recent = this.#copiesFor(room).findLast((shared) => shared.countsAgainst(room));
    const isUsable =
      recent !== undefined &&
      recent.copy.epochMs === this.#changes.epochMs() &&
      recent.copy.version >= knownVersion &&
      this.#ageMs(recent) < COPY_SHARED_FULL_MS;
    return isUsable ? recent : null;
  }

  #join(shared: SharedCopy, view: OddsView, { nowMs, room }: WholeReader): WholeSlate {
    const { copy, views } = shared;
    const known = views.get(view.id);
    const sharedView = known ?? {
      delta: this.#changes.deltaOf(copy, { view, since: -1, nowMs }),
      name: String(++this.#names),
      readerCount: 0,
    };
    views.set(view.id, sharedView);
    sharedView.readerCount += 1;
    const reading = shared.enter(room);
    let isOpen = true;
    return {
      delta: sharedView.delta,
      version: copy.version,
      piece: (form, first, make, size) => {
        if (shared.isFreed) throw new NoRoomError();
        if (sharedView.readerCount < 2) return { piece: make(first), isShared: false };
        const name = `${sharedView.name} ${form} ${first}`;
        const kept = this.#pieces.get(name) as ReturnType<typeof make> | undefined;
        if (kept !== undefined) return { piece: kept, isShared: true };
        const piece = make(first);
        this.#pieces.set(name, piece, size(piece));
        return { piece, isShared: true };
      },
      close: () => {
        if (!isOpen) return;
        isOpen = false;
        sharedView.readerCount -= 1;
        if (sharedView.readerCount === 0) views.delete(view.id);
        this.#leave(shared, reading);
      },
    };
  }

  #leave(shared: SharedCopy, reading: SharedReading): void {
    shared.leave(reading);
    const isWanted = shared.hasReaders || shared === this.#newest(shared.callerClass);
    if (shared.isFreed || !isWanted) this.#free(shared);
  }

  #free(shared: SharedCopy): void {
    this.#copies.delete(shared);
    shared.free();
  }

  #ageMs({ madeAtMs }: SharedCopy): number {
    return this.#clock.monotonicMs() - madeAtMs;
  }
}
