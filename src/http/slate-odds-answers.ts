// The answers of GET /v1/odds: what changed in a view since a cursor, as bytes. The tag is the cursor, weak because `as_of`
// moves with the feed's heartbeats, and another one when the answer has become stale.

import { assert } from '../errors.ts';
import type { OddsChanges } from '../query/odds-changes.ts';
import type { OddsDelta } from '../query/odds-delta.ts';
import type { OddsView } from '../query/odds-view.ts';
import { packed } from './kit/forms.ts';
import { etagMatches } from './kit/headers.ts';
import { busy } from './kit/in-flight.ts';
import { MadePieces, Reply } from './kit/reply.ts';

/** Copies of the slate that are being sent, on one thread. Full: 503 and retry. */
const SENT_COPIES_BYTES_MAX = 256 * 1024 * 1024;

export class SlateOddsAnswers {
  readonly #changes: OddsChanges;
  #sentCopiesBytes = 0;

  constructor({ oddsChanges }: { readonly oddsChanges: OddsChanges }) {
    this.#changes = oddsChanges;
  }

  /**
   * @param since a cursor, or null for the whole view
   * @throws ServiceError `invalid_request` for another view's cursor, `upstream_unavailable`
   */
  async reply(
    view: OddsView,
    since: string | null,
    { ifNoneMatch, nowMs }: { readonly ifNoneMatch: string | null; readonly nowMs: number },
  ): Promise<Reply> {
    const known = ifNoneMatch === null ? null : cursorIn(ifNoneMatch, view);
    for (const cursor of [since, known]) {
      const waited = this.#changes.whenReached(view, cursor);
      if (waited !== null) await waited;
    }
    const from = this.#changes.sinceOf(view, since);
    if (known !== null) {
      // The slate moves all the time, the view perhaps not: a tag is good until something of the view has changed.
      const news = await this.#changes.delta(view, this.#changes.sinceOf(view, known), nowMs);
      const etag = etagOf({ cursor: known, isStale: news.isStale });
      if (news.isEmpty && etagMatches(ifNoneMatch, etag)) return new Reply(null, { etag });
    }
    return this.#send(await this.#changes.delta(view, from, nowMs));
  }

  #send(delta: OddsDelta): Reply {
    const options = { etag: etagOf(delta) };
    const pieces = delta.body();
    const first = pieces.next();
    const second = pieces.next();
    assert(first.done !== true, 'a body has at least one piece');
    if (second.done === true) return new Reply(first.value, options);
    const { byteCount } = delta;
    if (this.#sentCopiesBytes + byteCount > SENT_COPIES_BYTES_MAX) throw busy();
    this.#sentCopiesBytes += byteCount;
    const body = new MadePieces({
      json: () => chained([first.value, second.value], pieces),
      packed: () => delta.packed(packed),
      onEnd: () => {
        this.#sentCopiesBytes -= byteCount;
      },
    });
    return new Reply(body, options);
  }
}

function* chained(made: readonly Uint8Array[], rest: Iterable<Uint8Array>): Generator<Uint8Array> {
  yield* made;
  yield* rest;
}

/** The newest cursor of a view among tags, null when there is none: if the view is still as any of them says, then as that. */
function cursorIn(tags: string, { id }: OddsView): string | null {
  let newest: RegExpExecArray | null = null;
  for (const found of tags.matchAll(new RegExp(`([0-9a-z]{1,16})-(\\d{1,16})-${id}`, 'g'))) {
    if (newest === null || isNewer(found, newest)) newest = found;
  }
  return newest?.[0] ?? null;
}

/** Whether a cursor comes after another, both with their epoch and version. */
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
