// The whole slate for many readers: full answers of GET /v1/odds and snapshots of streams. Readers without a
// key share a copy of one instant, whatever their filters; so do those with a free key, and those with a paid
// one. Each piece is encoded from the copy only when a reader reaches it. Pieces that several readers need
// are cached for a while.

import type { Clock } from '../../clock.ts';
import { classOf } from '../../domain/tiers.ts';
import { type CopyRoom, freeCopy, NoRoomError, type SlateCopy } from '../slate/slate-copy.ts';
import type { OddsChangeReader } from './odds-changes.ts';
import type { OddsDelta } from './odds-delta.ts';
import type { OddsView } from './odds-view.ts';

/**
 * How long a copy is shared with callers without a key or with a free one, and with streams, which send later
 * changes as deltas. Then another copy is made.
 */
const COPY_SHARED_MS = 1_000;
/** How long a copy is shared while there is no room for another. Then the reader is refused with 503. */
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
  /** Where the bytes of a copy made for this reader are reserved. */
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
  /** A piece in some form: the cached one, or one that `make` makes. @param size the bytes of a piece */
  piece<Piece>(
    form: string,
    first: number,
    make: (first: number) => Piece,
    size: (piece: Piece) => number,
  ): PieceOfSlate<Piece>;
  /** Call it once, when the reader no longer needs the view. */
  close(): void;
}

/** A copy and what its readers share of it. */
interface SharedCopy {
  readonly copy: SlateCopy;
  readonly madeAtMs: number;
  readonly room: CopyRoom;
  readonly views: Map<string, SharedView>;
  readerCount: number;
}

interface SharedView {
  readonly delta: OddsDelta;
  /** Unique among all views of all copies. */
  readonly name: string;
  readerCount: number;
}

interface WholeSlatesOptions {
  readonly changes: OddsChangeReader;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

export class WholeSlates {
  readonly #changes: OddsChangeReader;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #pieces = new KeptPieces();
  /**
   * The newest copy for each class of callers. A copy counts against the budget of its first reader until it
   * is freed. So callers without a key, or with a free one, never share the copy of a paid key: a slow reader
   * among them would use up the budget of that key.
   */
  readonly #newest = new Map<ReturnType<typeof classOf>, SharedCopy>();
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
      if (found !== null) return this.#join(found, view, reader.nowMs);
      if (this.#making !== null) {
        // One copy is made at a time: readers that wait meanwhile share the next one.
        await this.#making;
        continue;
      }
      return await this.#make(view, reader);
    }
  }

  /** Drops a copy that has no readers and that no reader will join. Call it regularly. */
  expire(): void {
    for (const [ofClass, newest] of this.#newest) {
      if (this.#ageMs(newest) <= COPY_SHARED_MS || newest.readerCount > 0) continue;
      this.#newest.delete(ofClass);
      if (this.#newest.size === 0) this.#pieces.clear();
      free(newest);
    }
  }

  #shared({ takesOlder, knownVersion, room }: WholeReader, wantedVersion: number): SharedCopy | null {
    const newest = this.#newest.get(classOf(room));
    if (newest === undefined || newest.copy.epochMs !== this.#changes.epochMs()) return null;
    const { version } = newest.copy;
    if (version < knownVersion) return null;
    const isYoung = takesOlder && this.#ageMs(newest) <= COPY_SHARED_MS;
    return version >= wantedVersion || isYoung ? newest : null;
  }

  /** Makes a copy, of which the reader is the first. */
  async #make(view: OddsView, { nowMs, room, knownVersion }: WholeReader): Promise<WholeSlate> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#making = promise;
    try {
      const copy = await this.#changes.copySince(-1, nowMs, room);
      const madeAtMs = this.#clock.monotonicMs();
      const shared: SharedCopy = { copy, madeAtMs, room, views: new Map(), readerCount: 0 };
      this.#replace(shared);
      return this.#join(shared, view, nowMs);
    } catch (error) {
      const newest = this.#newest.get(classOf(room));
      const isUsable =
        newest !== undefined &&
        newest.copy.epochMs === this.#changes.epochMs() &&
        newest.copy.version >= knownVersion &&
        this.#ageMs(newest) < COPY_SHARED_FULL_MS;
      if (isUsable && error instanceof NoRoomError) return this.#join(newest, view, nowMs);
      throw error;
    } finally {
      this.#making = null;
      resolve();
    }
  }

  #replace(shared: SharedCopy): void {
    const ofClass = classOf(shared.room);
    const former = this.#newest.get(ofClass);
    this.#newest.set(ofClass, shared);
    if (former !== undefined && former.readerCount === 0) free(former);
  }

  #join(shared: SharedCopy, view: OddsView, nowMs: number): WholeSlate {
    const { copy, views } = shared;
    const known = views.get(view.id);
    const sharedView = known ?? {
      delta: this.#changes.deltaOf(copy, { view, since: -1, nowMs }),
      name: String(++this.#names),
      readerCount: 0,
    };
    views.set(view.id, sharedView);
    sharedView.readerCount += 1;
    shared.readerCount += 1;
    let isOpen = true;
    return {
      delta: sharedView.delta,
      version: copy.version,
      piece: (form, first, make, size) => {
        if (sharedView.readerCount < 2) return { piece: make(first), isShared: false };
        const name = `${sharedView.name} ${form} ${first}`;
        return { piece: this.#pieces.get(name, () => make(first), size), isShared: true };
      },
      close: () => {
        if (!isOpen) return;
        isOpen = false;
        this.#leave(shared, view, sharedView);
      },
    };
  }

  #leave(shared: SharedCopy, view: OddsView, sharedView: SharedView): void {
    sharedView.readerCount -= 1;
    if (sharedView.readerCount === 0) shared.views.delete(view.id);
    shared.readerCount -= 1;
    if (shared.readerCount === 0 && shared !== this.#newest.get(classOf(shared.room))) free(shared);
  }

  #ageMs({ madeAtMs }: SharedCopy): number {
    return this.#clock.monotonicMs() - madeAtMs;
  }
}

/** Frees a copy that has no readers and will have none. */
function free({ room, copy }: SharedCopy): void {
  room.release(copy.byteCount);
  freeCopy(copy);
}

interface KeptPiece {
  readonly piece: unknown;
  readonly bytes: number;
}

class KeptPieces {
  /** In order of use, least recently used first. */
  readonly #kept = new Map<string, KeptPiece>();
  #bytes = 0;

  clear(): void {
    this.#kept.clear();
    this.#bytes = 0;
  }

  get<Piece>(key: string, make: () => Piece, size: (piece: Piece) => number): Piece {
    const known = this.#kept.get(key);
    if (known !== undefined) {
      this.#kept.delete(key);
      this.#kept.set(key, known);
      return known.piece as Piece;
    }
    const piece = make();
    const bytes = size(piece);
    this.#kept.set(key, { piece, bytes });
    this.#bytes += bytes;
    for (const [oldest, { bytes: oldestBytes }] of this.#kept) {
      if (this.#bytes <= PIECES_BYTES_MAX) break;
      this.#kept.delete(oldest);
      this.#bytes -= oldestBytes;
    }
    return piece;
  }
}
