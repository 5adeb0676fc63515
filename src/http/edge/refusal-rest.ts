// Refusals of callers without a key are sent late while there are many: a program that asks again as soon as
// it is refused would otherwise take a whole processor with requests that cost the server little each.

import type { Clock } from '../../clock.ts';

/** Refusals that are sent at once, on each thread: more than well-behaved clients cause. */
const AT_ONCE_MAX = 300;
/** How many more may be sent at once for each second that passes. */
const AT_ONCE_A_SECOND = 100;
/** How long a refusal beyond those waits at least. */
const REST_MS = 500;
/**
 * The least time between two refusals that waited. Programs that were refused in one moment would otherwise
 * all ask again in one moment, and a poll would wait for all of their requests.
 */
const SPACING_MS = 4;
/** Refusals that wait at the same time. Full: the next are sent at once. */
const RESTING_MAX = 2_000;
const REFUSED_FROM = 400;

export class RefusalRest {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #wait: (ms: number) => Promise<void>;
  /** How many may be sent at once now, as of `#countedAtMs`. */
  #atOnce = AT_ONCE_MAX;
  #countedAtMs: number;
  /** When the last of those that wait is sent. */
  #lastAtMs = Number.NEGATIVE_INFINITY;
  #restingCount = 0;

  constructor(clock: Pick<Clock, 'monotonicMs'>, wait: (ms: number) => Promise<void>) {
    this.#clock = clock;
    this.#countedAtMs = clock.monotonicMs();
    this.#wait = wait;
  }

  /** Refusals that wait. */
  get restingCount(): number {
    return this.#restingCount;
  }

  /** The same answer, later if it is one refusal of many. Undefined stays undefined. */
  after<Answer extends Response | Promise<Response> | undefined>(
    answer: Answer,
  ): Answer | Response | Promise<Response> {
    if (answer instanceof Response) return this.#hold(answer);
    return answer === undefined ? answer : answer.then((response) => this.#hold(response));
  }

  #hold(response: Response): Response | Promise<Response> {
    if (response.status < REFUSED_FROM) return response;
    const nowMs = this.#clock.monotonicMs();
    const grown = this.#atOnce + ((nowMs - this.#countedAtMs) * AT_ONCE_A_SECOND) / 1_000;
    this.#atOnce = Math.min(AT_ONCE_MAX, grown);
    this.#countedAtMs = nowMs;
    if (this.#restingCount >= RESTING_MAX) return response;
    if (this.#atOnce < 1) return this.#rest(response, nowMs);
    this.#atOnce -= 1;
    return response;
  }

  async #rest(response: Response, nowMs: number): Promise<Response> {
    this.#restingCount += 1;
    this.#lastAtMs = Math.max(nowMs + REST_MS, this.#lastAtMs + SPACING_MS);
    await this.#wait(this.#lastAtMs - nowMs);
    this.#restingCount -= 1;
    return response;
  }
}
