// A rate limit for many callers together, on one HTTP thread. One instance counts requests without a key,
// another the whole slates sent to such callers, as answers and when streams open. A third counts what costs
// keys nothing (caller-paces.ts). Each address has limits of its own, but thousands of addresses may run
// programs that ask again as soon as they are answered. Together they could take a whole processor, even with
// cheap requests. Beyond the rate, requests wait.

import type { Clock } from '../../clock.ts';
import { ServiceError } from '../../errors.ts';
import { Turns } from '../../pause.ts';

/** How many requests are answered without a wait after a quiet time. Well-behaved visitors send fewer. */
const AT_ONCE_MAX = 600;
/** How many more may be answered without a wait for each second that passes. */
const AT_ONCE_A_SECOND = 250;
/** How many requests a refusal counts as, because a refused program should not ask again at once. */
const REFUSAL_COUNTS = 4;
/**
 * How many requests a whole slate counts as, so that 30 are sent without a wait and then 25 in two seconds. A
 * slate may have megabytes, which the server, a proxy in front of it and the client copy several times.
 */
const SLATE_COUNTS = 20;
/**
 * A request beyond the rate waits this long, plus the time that the requests before it take at the rate. So
 * waiting requests are answered one after another. If many were answered at the same moment, their programs
 * would all ask again at the same moment, and a poll would wait for all of them.
 */
const REST_MS = 500;
/**
 * Maximum number of requests that may be waiting when a further one begins to wait, so that it waits for four
 * and a half seconds at most. One request may wait when it arrives, then for its body, and again before it is
 * refused. Together that must be less than twenty seconds, because a connection that is silent for so long is
 * closed without an answer. The rate limit forgets a flood after four seconds.
 */
const BEFORE_IT_MAX = 1_000;
/**
 * Maximum number of requests and delayed refusals that wait at the same time. Those whose client has left do
 * not count. When it is reached, new requests and streams are refused, and refusals are no longer delayed.
 * Beyond a bound that is too small, programs are therefore not slowed: with six hundred connections more than
 * the bound, they got six thousand refusals a second. A waiting request takes ten kilobytes with its
 * connection, and about 25 with the longest headers.
 */
const RESTING_MAX = 8_000;
/**
 * Maximum number of requests that end their wait in one turn of the event loop; the rest wait for the next
 * turn. The waits of thousands that arrived together are equally long. If all ended in one turn, polls would
 * wait for all their answers. Also, Bun resolves two thousand promises of one turn in nested calls, which
 * overflow the stack and end the thread.
 */
const GO_ON_A_TURN_MAX = 16;
const REFUSED_FROM = 400;

export class StrangerPace {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #wait: (ms: number) => Promise<void>;
  readonly #restingMax: number;
  /**
   * How many requests may be answered without a wait, as of `#countedAtMs`. Below zero: how many count as
   * waiting.
   */
  #atOnce = AT_ONCE_MAX;
  #countedAtMs: number;
  #restingCount = 0;
  readonly #goingOn = new Turns(GO_ON_A_TURN_MAX);

  constructor(
    clock: Pick<Clock, 'monotonicMs'>,
    wait: (ms: number) => Promise<void>,
    restingMax = RESTING_MAX,
  ) {
    this.#restingMax = restingMax;
    this.#clock = clock;
    this.#countedAtMs = clock.monotonicMs();
    this.#wait = wait;
  }

  /** Requests and answers that wait. */
  get restingCount(): number {
    return this.#restingCount;
  }

  /** Whether no more may wait. */
  get isFull(): boolean {
    return this.#restingCount >= this.#restingMax;
  }

  /**
   * Counts a request. If `isFull`, refuse it instead, unless a place is kept for it (caller-paces.ts).
   * @param left aborted when the client has left; the wait then ends, so that its place is free again
   * @param count how many plain requests it counts as
   * @returns what it has to wait for; null when it is answered at once
   */
  arrive(left: AbortSignal | null = null, count = 1): Promise<void> | null {
    return this.#take(count, left);
  }

  /**
   * Counts a whole slate for a caller without a key.
   * @param left aborted when the client has left; the wait is then rejected, and the slate no longer counts
   * @param slates how many it counts as
   * @returns what it has to wait for; null when it is sent at once
   * @throws ServiceError 503 when its wait would be too long
   */
  slate(left: AbortSignal, slates = 1): Promise<void> | null {
    const count = slates * SLATE_COUNTS;
    if (this.isFull || this.#counted() < count - BEFORE_IT_MAX) throw tooManySlates();
    const rest = this.#take(count, left);
    if (rest === null) return null;
    return rest.then(() => {
      if (!left.aborted) return;
      this.#atOnce += count;
      throw nobodyWaits();
    });
  }

  /**
   * Returns the same answer, but delays refusals when there are many. Undefined stays undefined.
   * @param request the delay ends when its client has left, so that the answer no longer counts as waiting
   * @param only the statuses that count as refusals. Null: every status from 400 counts as one
   */
  after<Answer extends Response | Promise<Response> | undefined>(
    answer: Answer,
    request: Request,
    only: readonly number[] | null = null,
  ): Answer | Response | Promise<Response> {
    if (answer instanceof Response) return this.#hold(answer, request, only);
    return answer === undefined ? answer : answer.then((response) => this.#hold(response, request, only));
  }

  #hold(response: Response, request: Request, only: readonly number[] | null): Response | Promise<Response> {
    const { status } = response;
    if (this.isFull || (only === null ? status < REFUSED_FROM : !only.includes(status))) return response;
    if (this.#isAtOnce(REFUSAL_COUNTS)) return response;
    return this.#rest(request.signal).then(() => response);
  }

  #take(count: number, left: AbortSignal | null = null): Promise<void> | null {
    return this.#isAtOnce(count) ? null : this.#rest(left);
  }

  #isAtOnce(count: number): boolean {
    this.#atOnce = Math.max(-BEFORE_IT_MAX, this.#counted() - count);
    return this.#atOnce >= 0;
  }

  #counted(): number {
    const nowMs = this.#clock.monotonicMs();
    const grown = this.#atOnce + ((nowMs - this.#countedAtMs) * AT_ONCE_A_SECOND) / 1_000;
    this.#atOnce = Math.min(AT_ONCE_MAX, grown);
    this.#countedAtMs = nowMs;
    return this.#atOnce;
  }

  async #rest(left: AbortSignal | null): Promise<void> {
    this.#restingCount += 1;
    const waited = this.#wait(REST_MS - (this.#atOnce * 1_000) / AT_ONCE_A_SECOND);
    await (left === null ? waited : untilAborted(waited, left));
    if (left?.aborted !== true) await this.#goingOn.next();
    this.#restingCount -= 1;
  }
}

/** Resolves with `waited`, or as soon as the signal is aborted. */
function untilAborted(waited: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      signal.removeEventListener('abort', end);
      resolve();
    };
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
    void waited.then(end);
  });
}

/** No client gets this error. */
function nobodyWaits(): ServiceError {
  return new ServiceError('upstream_unavailable', 'Cannot send the whole slate: nobody waits any more', {
    retryAfterSeconds: 1,
  });
}

function tooManySlates(): ServiceError {
  return new ServiceError(
    'upstream_unavailable',
    'Cannot send the whole slate: too many callers wait for it',
    {
      fix: 'Use a key, name a cursor in `since`, or retry after retry_after_seconds',
      retryAfterSeconds: 5,
    },
  );
}
