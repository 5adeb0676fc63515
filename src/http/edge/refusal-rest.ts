// Refusals of callers without a key are sent late while there are many: a program that asks again as soon as
// it is refused would otherwise take a whole processor with requests that cost the server little each.

import type { Clock } from '../../clock.ts';

/** Refusals of a second that are sent at once, on each thread: more than well-behaved clients cause. */
const AT_ONCE_A_SECOND = 300;
/** How long a refusal beyond those waits. */
const REST_MS = 500;
/** Refusals that wait at the same time. Full: the next are sent at once. */
const RESTING_MAX = 2_000;
const REFUSED_FROM = 400;

export class RefusalRest {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #wait: (ms: number) => Promise<void>;
  #secondFromMs = Number.NEGATIVE_INFINITY;
  #sentCount = 0;
  #restingCount = 0;

  constructor(clock: Pick<Clock, 'monotonicMs'>, wait: (ms: number) => Promise<void>) {
    this.#clock = clock;
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
    if (nowMs - this.#secondFromMs >= 1_000) {
      this.#secondFromMs = nowMs;
      this.#sentCount = 0;
    }
    this.#sentCount += 1;
    if (this.#sentCount <= AT_ONCE_A_SECOND || this.#restingCount >= RESTING_MAX) return response;
    return this.#rest(response);
  }

  async #rest(response: Response): Promise<Response> {
    this.#restingCount += 1;
    await this.#wait(REST_MS);
    this.#restingCount -= 1;
    return response;
  }
}
