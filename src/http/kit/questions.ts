// Work that a thread does in turns. If several callers ask the same question while it waits for its turn, it
// is computed once for all of them, at the first turn of any of them. So no caller waits because another one
// has many questions waiting. A question that is already being computed is shared only if the slate has
// not changed since it started.

import type { FairTurns, TurnCaller } from '../../access/quotas/fair-turns.ts';
import { classOf } from '../../domain/tiers.ts';
import { ServiceError } from '../../errors.ts';

interface AskedQuestion {
  /** The answer; null until the question has been queued. */
  answer: Promise<unknown> | null;
  /** One function for each caller, which returns whether that caller still waits. */
  readonly waiting: (() => boolean)[];
  /** Callers that have a turn queued for it, by name. */
  readonly callers: Set<string>;
  /** Starts the work. */
  readonly start: PromiseWithResolvers<void>;
  /** The slate's version when the work started; null before. */
  startedAt: number | null;
}

export interface Question<Answer> {
  readonly caller: TurnCaller;
  /**
   * Everything that the answer depends on besides the slate and the time; null for a question that is never
   * shared.
   */
  readonly key: string | null;
  /** Whether the caller still waits for the answer. */
  readonly isWanted: () => boolean;
  /** @param nowMs the time of the caller's turn */
  readonly work: (nowMs: number) => Answer | Promise<Answer>;
}

export interface QuestionsOptions {
  readonly turns: FairTurns;
  readonly slateVersion: () => number;
  readonly wallMs: () => number;
}

export class Questions {
  readonly #options: QuestionsOptions;
  readonly #asked = new Map<string, AskedQuestion>();

  constructor(options: QuestionsOptions) {
    this.#options = options;
  }

  /** The turns that the work is done in. */
  get turns(): FairTurns {
    return this.#options.turns;
  }

  /**
   * Computes the answer or shares it. Callers must not change it, because others may have the same object.
   * @throws ServiceError 503 when too many questions of the caller wait; and anything that the work throws
   */
  ask<Answer>(question: Question<Answer>): Promise<Answer> {
    const { caller, isWanted } = question;
    // Callers with a key never share a question that waits for the turn of a caller without one.
    const key = question.key === null ? null : `${classOf(caller)} ${question.key}`;
    const known = key === null ? undefined : this.#asked.get(key);
    if (
      known !== undefined &&
      (known.startedAt === null || known.startedAt === this.#options.slateVersion())
    ) {
      known.waiting.push(isWanted);
      if (known.startedAt === null) this.#queueTurn(known, caller);
      return this.#share(known.answer as Promise<Answer>, caller);
    }
    const start = Promise.withResolvers<void>();
    const callers = new Set([caller.name]);
    const asked: AskedQuestion = { answer: null, waiting: [isWanted], callers, start, startedAt: null };
    const answer = this.#answer(question, asked);
    if (key === null) return answer;
    asked.answer = answer.finally(() => {
      if (this.#asked.get(key) === asked) this.#asked.delete(key);
    });
    this.#asked.set(key, asked);
    return asked.answer as Promise<Answer>;
  }

  /** Waits for an answer that another caller asked for. Sending it is work too, so it takes a turn. */
  async #share<Answer>(answer: Promise<Answer>, caller: TurnCaller): Promise<Answer> {
    const shared = await answer;
    await this.#options.turns.turn(caller);
    return shared;
  }

  /**
   * Queues a turn of a further caller, so that the work starts at whichever turn is first. If too many jobs
   * of that caller wait, no turn is queued for it, and the work starts at a turn of another caller.
   */
  #queueTurn({ callers, start }: AskedQuestion, caller: TurnCaller): void {
    if (callers.has(caller.name)) return;
    if (this.#options.turns.tryTo(caller, start.resolve)) callers.add(caller.name);
  }

  async #answer<Answer>({ caller, work }: Question<Answer>, asked: AskedQuestion): Promise<Answer> {
    const { turns, slateVersion, wallMs } = this.#options;
    turns.do(caller, asked.start.resolve);
    await asked.start.promise;
    if (!asked.waiting.some((waits) => waits())) throw unwanted();
    asked.startedAt = slateVersion();
    return work(wallMs());
  }
}

/** No client gets this error: every caller has disconnected, or was answered that its deadline has passed. */
function unwanted(): ServiceError {
  return new ServiceError('upstream_unavailable', 'Cannot answer: nobody waits any more', {
    retryAfterSeconds: 1,
  });
}
