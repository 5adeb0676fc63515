// What the handler of a route knows about its request, and what it can ask for.

import type { Holder } from '../../../access/quotas/fair-shares.ts';
import type { Principal, TierKey } from '../../../domain/tiers.ts';
import type { SocketHandler } from '../../../stream/connections/socket-handler.ts';

/** What a handler knows about its request besides the input. */
export interface HandlerContext {
  /** Wall-clock time when the request arrived, or when its turn came. */
  readonly nowMs: number;
  /** Monotonic time when the request arrived. */
  readonly monotonicMs: number;
  readonly principal: Principal;
  readonly clientAddress: string;
  /**
   * What the answer's memory counts against until the client has read it: the caller's account, key or
   * address.
   */
  readonly holder: Holder;
  readonly requestId: string;
  /** The If-None-Match header. The kit answers 304; a handler needs the header only to skip work. */
  readonly ifNoneMatch: string | null;
  /**
   * The request, for routes that stream or speak another protocol. Its body is unread unless `body` is set.
   */
  readonly request: Request;
  /** Returns a check for answers that last long: it is false once the caller's key is no longer valid. */
  allowance(): () => boolean;
  /**
   * Removes the time-out of the connection, for an answer that is sent over a long time. Call the returned
   * function at the end; otherwise a client that reads nothing would keep its connection for ever.
   * @param onStuck called when the client has read nothing for long while bytes wait for it in the operating
   * system
   */
  keepOpen(onStuck: () => void): () => void;
  /**
   * Makes the connection a WebSocket; the handler's result is then not sent.
   * @returns false when the request is not a WebSocket handshake
   */
  upgrade(handler: SocketHandler, headers: Readonly<Record<string, string>>): boolean;
  /** One request header, or null. */
  header(name: string): string | null;
  /**
   * Charges further requests to the caller, for an answer that costs more than one. If keys have changed
   * since the request was admitted, and another thread reads keys, the charge waits for that thread.
   * @throws ServiceError 429 when the caller has too few left; those charged until then stay charged. 401 if
   * its key has ended meanwhile
   */
  readonly charge: (units: number) => Promise<void>;
  /**
   * Runs work at the caller's turn, or immediately on a thread that does not answer in turns. `nowMs` is then
   * the time of the turn.
   * @param question everything that the answer depends on besides the slate, the time and the caller's tier,
   * so that callers with the same question share it; null for an answer to this caller alone
   */
  inTurn<Answer>(
    question: string | null,
    work: (nowMs: number) => Answer | Promise<Answer>,
  ): Answer | Promise<Answer>;
  /**
   * Runs work at the turn of an account, for a route whose access is `account`. The handler must have checked
   * that the request has a session of this account.
   */
  inTurnOf<Answer>(
    account: { readonly id: string; readonly plan: TierKey },
    work: (nowMs: number) => Answer | Promise<Answer>,
  ): Answer | Promise<Answer>;
  /**
   * Call it between two steps of long work. Returns null, or a promise to await so that other callers have
   * their turn.
   */
  pause(): Promise<void> | null;
}
