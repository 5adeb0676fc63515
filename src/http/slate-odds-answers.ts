// The answers of GET /v1/odds: what has changed in a view since a cursor, as bytes. The entity tag is the
// cursor. It is weak, because `as_of` moves with the feed's heartbeats, and it changes when the answer
// becomes stale. The memory that an answer holds until it is read is counted against the memory budget before
// anything is copied.

import type { Holder } from '../access/quotas/fair-shares.ts';
import { answerRoom, copyRoom, type MemoryBudget } from '../access/quotas/memory-budget.ts';
import type { StrangerPace } from '../access/quotas/stranger-pace.ts';
import type { Clock } from '../clock.ts';
import { freeBytes } from '../memory/free-bytes.ts';
import type { OddsChangeReader } from '../query/odds/odds-changes.ts';
import type { DeltaPiece, OddsDelta } from '../query/odds/odds-delta.ts';
import type { OddsView } from '../query/odds/odds-view.ts';
import type { PieceOfSlate, WholeSlates } from '../query/odds/whole-slates.ts';
import { freeCopy } from '../query/slate/slate-copy.ts';
import { packed } from './kit/forms.ts';
import { etagMatches } from './kit/headers.ts';
import { MadePieces } from './kit/pieces.ts';
import { Reply } from './kit/reply.ts';

/**
 * If more than this share of the slate's fixtures has changed since the request's cursor or tag, a caller
 * without a key waits as for a whole slate, because the copy for its answer is large too.
 */
const UNPACED_SHARE_MAX = 1 / 8;
export interface SlateOddsParts {
  readonly oddsChanges: OddsChangeReader;
  readonly wholeSlates: WholeSlates;
  readonly budget: MemoryBudget;
  /** The pace of whole slates for callers without a key. */
  readonly slatePace: Pick<StrangerPace, 'slate'>;
  readonly clock: Pick<Clock, 'wallMs'>;
}

export interface SlateOddsCaller {
  readonly ifNoneMatch: string | null;
  readonly nowMs: number;
  /** What the answer counts against until the client has read it: the caller's account, key or address. */
  readonly holder: Holder;
  /** The request, whose signal is aborted when the client has left. */
  readonly request: Pick<Request, 'signal'>;
}

/** What an answer is made from, and the function that frees it. */
interface Source {
  readonly delta: OddsDelta;
  /** The piece, in one form, that starts with the fixture at this index. */
  readonly piece: (form: keyof typeof PIECES, first: number) => PieceOfSlate<DeltaPiece>;
  readonly release: () => void;
}

const PIECES = {
  json: (delta: OddsDelta, first: number) => delta.jsonPiece(first),
  packed: (delta: OddsDelta, first: number) => delta.packedPiece(first, packed),
} as const;

export class SlateOddsAnswers {
  readonly #changes: OddsChangeReader;
  readonly #parts: SlateOddsParts;

  constructor(parts: SlateOddsParts) {
    this.#changes = parts.oddsChanges;
    this.#parts = parts;
  }

  /**
   * @param since a cursor, or null for the whole view
   * @throws ServiceError `invalid_request` for another view's cursor, `upstream_unavailable`
   */
  async reply(view: OddsView, since: string | null, caller: SlateOddsCaller): Promise<Reply> {
    const { ifNoneMatch } = caller;
    const known = ifNoneMatch === null ? null : cursorIn(ifNoneMatch, view);
    for (const cursor of [since, known]) {
      const waited = this.#changes.whenReached(view, cursor);
      if (waited !== null) await waited;
    }
    const paced = new PacedCaller(caller, this.#parts, this.#changes.epochMs());
    const from = this.#changes.sinceOf(view, since);
    const knownVersion = known === null ? -1 : this.#changes.sinceOf(view, known);
    if (known !== null) {
      // The slate changes all the time, but the view perhaps does not: a tag stays valid until something in
      // the view has changed.
      const news = await this.#changed(view, knownVersion, paced);
      news.release();
      const etag = etagOf({ cursor: known, isStale: news.delta.isStale });
      if (news.delta.isEmpty && etagMatches(ifNoneMatch, etag)) return new Reply(null, { etag });
    }
    const source =
      from < 0 ? await this.#whole(view, knownVersion, paced) : await this.#changed(view, from, paced);
    return replyOf(source);
  }

  /**
   * The whole view, as the source of an answer. Callers who pay nothing share copies of the slate that may be
   * up to a second old. Otherwise many free keys would fill their part of the budget with copies.
   */
  async #whole(view: OddsView, knownVersion: number, caller: PacedCaller): Promise<Source> {
    const { holder } = caller;
    await caller.countSlate();
    const whole = await this.#parts.wholeSlates.open(view, {
      nowMs: caller.nowMs,
      knownVersion,
      takesOlder: !holder.hasKey || holder.isFree === true,
      room: copyRoom(this.#parts.budget, holder),
    });
    const { delta } = whole;
    return {
      delta,
      piece: (form, at) =>
        whole.piece(
          form,
          at,
          (first) => PIECES[form](delta, first),
          ({ bytes }) => bytes.length,
        ),
      release: whole.close,
    };
  }

  /**
   * What changed in the view since a version; the whole view if a new epoch of versions began while the
   * caller waited.
   */
  async #changed(view: OddsView, since: number, caller: PacedCaller): Promise<Source> {
    if (!caller.isCounted && this.#changes.changedShare(view, since) > UNPACED_SHARE_MAX)
      await caller.countSlate();
    const { holder, nowMs } = caller;
    const room = answerRoom(this.#parts.budget, holder);
    const copy = await this.#changes.copySince(since, nowMs, room);
    const release = (): void => {
      room.release(copy.byteCount);
      freeCopy(copy);
    };
    if (copy.epochMs !== caller.epochMs) {
      release();
      return await this.#whole(view, -1, caller);
    }
    const delta = this.#changes.deltaOf(copy, { view, since, nowMs });
    return {
      delta,
      piece: (form, first) => ({ piece: PIECES[form](delta, first), isShared: false }),
      release,
    };
  }
}

function replyOf(source: Source): Reply {
  const options = { etag: etagOf(source.delta) };
  const first = source.piece('json', 0);
  if (first.piece.next === null) {
    source.release();
    return new Reply(first.piece.bytes, options);
  }
  const json = () => piecesFrom(first, (index) => source.piece('json', index));
  const packed = () => piecesFrom(source.piece('packed', 0), (index) => source.piece('packed', index));
  return new Reply(new MadePieces({ json, packed, onEnd: source.release }), options);
}

/**
 * A caller that gets whole slates. If it has no key, it waits at the pace of whole slates, at most once for
 * one answer.
 */
class PacedCaller {
  readonly holder: Holder;
  /** The moment for which the answer is made; set again after a wait, because the slate may now be stale. */
  nowMs: number;
  /** The epoch at which the caller's cursor and tags were read. The versions in them belong to this epoch. */
  readonly epochMs: number;
  readonly #request: SlateOddsCaller['request'];
  readonly #parts: Pick<SlateOddsParts, 'slatePace' | 'clock'>;
  /** True if the answer need not be counted: it was counted already, or the caller has a key. */
  isCounted: boolean;

  constructor(
    { holder, nowMs, request }: SlateOddsCaller,
    parts: Pick<SlateOddsParts, 'slatePace' | 'clock'>,
    epochMs: number,
  ) {
    this.epochMs = epochMs;
    this.holder = holder;
    this.nowMs = nowMs;
    this.#request = request;
    this.#parts = parts;
    this.isCounted = holder.hasKey;
  }

  /** @throws ServiceError 503 when the wait would be too long */
  async countSlate(): Promise<void> {
    if (this.isCounted) return;
    this.isCounted = true;
    const waited = this.#parts.slatePace.slate(this.#request.signal);
    if (waited === null) return;
    await waited;
    this.nowMs = this.#parts.clock.wallMs();
  }
}

/**
 * The pieces of a body in order, each made when it is needed. A piece that only this reader uses is freed
 * when the next one is requested, because Bun has then sent or copied its bytes. It is also freed when the
 * reader leaves: without that, 300 clients that left at the first bytes kept 300 MB.
 */
function* piecesFrom(
  first: PieceOfSlate<DeltaPiece>,
  pieceAt: (first: number) => PieceOfSlate<DeltaPiece>,
): Generator<Uint8Array> {
  for (let current = first; ; ) {
    const { piece, isShared } = current;
    try {
      yield piece.bytes;
    } finally {
      if (!isShared) freeBytes(piece.bytes);
    }
    if (piece.next === null) return;
    current = pieceAt(piece.next);
  }
}

/**
 * The newest cursor of this view among the entity tags; null without one. If the view is unchanged since any
 * of the tags, it is unchanged since the newest.
 */
function cursorIn(tags: string, { id }: OddsView): string | null {
  let newest: RegExpExecArray | null = null;
  for (const found of tags.matchAll(new RegExp(`([0-9a-z]{1,16})-(\\d{1,16})-${id}`, 'g'))) {
    if (newest === null || isNewer(found, newest)) newest = found;
  }
  return newest?.[0] ?? null;
}

/** Whether a cursor is newer than another. Each is given as a match with its epoch and version. */
function isNewer(
  [, epoch = '', version = '']: RegExpExecArray,
  [, than = '', thanVersion = '']: RegExpExecArray,
) {
  const laterMs = Number.parseInt(epoch, 36) - Number.parseInt(than, 36);
  return laterMs === 0 ? Number(version) > Number(thanVersion) : laterMs > 0;
}

function etagOf({ cursor, isStale }: Pick<OddsDelta, 'cursor' | 'isStale'>): string {
  return `W/"${cursor}${isStale ? '-stale' : ''}"`;
}
