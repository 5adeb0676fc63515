// What the answer of one request takes, from before it is made until its client has read it: a place in
// flight, and memory of the budget.

import { ACCOUNTS_HOLDER, type FairShares, type Holder } from '../../../access/quotas/fair-shares.ts';
import { NoRoomError } from '../../../query/slate/slate-copy.ts';
import { busy } from '../in-flight.ts';
import { ACCOUNT_PATHS, isOfLogInPage, type MatchedRoute, pathOf } from '../matched-route.ts';
import { type Pieces, pieceByPiece } from '../pieces.ts';
import { type InPiecesOptions, READER_BYTES, type SentBody } from '../sent-body.ts';
import type { ServerParts } from '../server-parts.ts';
import type { RequestCaller } from './request-caller.ts';
import { type SmallBody, smallPieces, takeRoom, UnreadPlace } from './unread-place.ts';

type PlaceParts = Pick<ServerParts, 'inFlight' | 'pagePlaces' | 'budget' | 'turns'>;

export class RequestPlace {
  readonly #parts: PlaceParts;
  readonly #caller: RequestCaller;
  readonly #url: string;
  /**
   * Places that a request without a key may take if it finds no other; null if there are none for this
   * request.
   */
  readonly #reserve: FairShares | null;
  /** The caller whose place in flight the request holds; null while it holds none. */
  #holder: Holder | null = null;
  /** Where the place is from. */
  #taken: FairShares;
  #isSending = false;
  /**
   * Set if even a small answer takes a place and memory until the client has read it: the caller that both
   * count against. Null if a small answer takes none.
   */
  unreadHolder: Holder | null = null;
  /** The body of an error whose place is taken by `asSent`; null if there is none. */
  smallError: SmallBody | null = null;

  constructor(parts: PlaceParts, caller: RequestCaller, url: string) {
    this.#parts = parts;
    this.#caller = caller;
    this.#url = url;
    this.#reserve = isOfLogInPage(url) ? parts.pagePlaces : null;
    this.#taken = parts.inFlight;
  }

  /**
   * Whose quota of concurrent requests this request uses, on all threads: the caller's, or one shared by all
   * account requests without a key or session.
   */
  get inFlightHolder(): Holder {
    return this.isKeylessAccount ? ACCOUNTS_HOLDER : this.#caller.holder;
  }

  /** Whether this is an account request without a key or session, such as a log-in. */
  get isKeylessAccount(): boolean {
    return !this.#caller.holder.hasKey && pathOf(this.#url).startsWith(ACCOUNT_PATHS);
  }

  /** Whether this is a request that a customer sends to log in: for the page, its files, or the log-in. */
  get isToLogIn(): boolean {
    return this.isKeylessAccount || (this.#reserve !== null && !this.#caller.holder.hasKey);
  }

  /**
   * Takes a place in flight, for an answer that is not ready or not sent immediately, if the request has none
   * yet.
   * @throws ServiceError 503 when none is free
   */
  hold(): void {
    if (this.#holder === null) this.#takeFor(this.inFlightHolder);
  }

  #takeFor(holder: Holder): void {
    const { inFlight } = this.#parts;
    this.#taken = inFlight;
    if (!inFlight.reserve(holder, 1)) {
      if (this.#reserve === null || holder.hasKey || !this.#reserve.reserve(holder, 1)) throw busy();
      this.#taken = this.#reserve;
    }
    this.#holder = holder;
  }

  /**
   * Frees the place. While a large answer is being sent, this does nothing: the end of the answer frees it.
   */
  release(): void {
    if (this.#holder === null || this.#isSending) return;
    this.#taken.release(this.#holder, 1);
    this.#holder = null;
  }

  /**
   * Takes the place of a small answer before another thread makes it; null if small answers take none.
   * @throws ServiceError 503
   */
  takeUnread(): UnreadPlace | null {
    if (this.unreadHolder === null) return null;
    const place = UnreadPlace.take(this.#parts, this.unreadHolder, this.#reserve);
    if (place === null) throw busy();
    return place;
  }

  /**
   * The response as it is sent. An error takes its place in flight only now, because the server may have
   * delayed it. If no place is left, the error is the last answer on its connection: a refusal would need a
   * place as well.
   */
  asSent(response: Response): Response {
    const { smallError, unreadHolder } = this;
    if (smallError === null || unreadHolder === null) return response;
    const place = UnreadPlace.take(this.#parts, unreadHolder, this.#reserve);
    const { status, headers } = response;
    if (place !== null) return new Response(place.body(smallError), { status, headers });
    headers.set('connection', 'close');
    return response;
  }

  /**
   * The body of an answer, in pieces if it must keep a place in flight until the client has read it. The
   * place of an account request without a key then counts against its address and not against the places for
   * account requests, so that log-ins still find one.
   * @throws ServiceError 503
   */
  untilRead(body: SentBody['body'], route: MatchedRoute): SentBody['body'] {
    if (this.unreadHolder === null || body === null || body instanceof ReadableStream) return body;
    return this.inPieces(smallPieces(body), route, { isReady: true }, this.#caller.holder);
  }

  /**
   * Sends a body in pieces. Each such answer counts at least READER_BYTES against the memory budget, even if
   * its bytes belong to no caller.
   * @param inFlightHolder the holder that its place counts against
   * @throws ServiceError 503
   */
  inPieces(
    pieces: Pieces,
    route: MatchedRoute,
    { heldBytes = 0, isReady = false, onEnd }: InPiecesOptions,
    inFlightHolder = this.inFlightHolder,
  ): ReadableStream<Uint8Array> {
    const endSending = this.#send(inFlightHolder);
    const { turns, budget } = this.#parts;
    const freeRoom = takeRoom(budget, this.#caller.holder, READER_BYTES + heldBytes) ?? this.#takeReserve();
    if (freeRoom === null) {
      endSending();
      throw new NoRoomError();
    }
    const caller = this.#caller.turnCaller(route);
    return pieceByPiece(pieces, {
      turn: () => (isReady ? turns.turnIfRoom(caller) : turns.turn(caller)),
      onEnd: () => {
        freeRoom();
        onEnd?.();
        endSending();
      },
    });
  }

  /**
   * Takes a place of the reserve instead of memory for the answer. Null if the request may not use the
   * reserve, or no place of it is free.
   */
  #takeReserve(): (() => void) | null {
    const reserve = this.#reserve;
    const { holder } = this.#caller;
    if (reserve === null || holder.hasKey || !reserve.reserve(holder, 1)) return null;
    return () => reserve.release(holder, 1);
  }

  /**
   * Keeps the place until the returned function is called, when the body has been sent.
   * @throws ServiceError 503
   */
  #send(holder: Holder): () => void {
    if (this.#holder === null) this.#takeFor(holder);
    this.#isSending = true;
    return () => {
      this.#isSending = false;
      this.release();
    };
  }
}
