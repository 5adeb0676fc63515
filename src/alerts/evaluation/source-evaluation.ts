// Rules about the sources of prices, for operators: one is lost, or is back.

import { ServiceError } from '../../errors.ts';
import type { Slate } from '../../query/slate/slate.ts';
import { type AlertNews, type Evaluation, isDue, type WatchedRule } from './news.ts';

const STEP_MS = 1_000;
/** A change that lasts for less time than this is not reported. */
const LASTS_MS = 5_000;

interface SourceState {
  readonly isLost: boolean;
  readonly reason: string | null;
}

interface Known {
  isLost: boolean;
  /** When the source's state became different from `isLost`, Unix ms; null when it does not differ. */
  changedAtMs: number | null;
}

export class SourceEvaluation implements Evaluation {
  readonly #slate: Pick<Slate, 'ready'>;
  readonly #isOperator: (watched: WatchedRule) => boolean;
  readonly #known = new Map<string, Known>();
  #rules: readonly WatchedRule[] = [];
  #dueAtMs = 0;

  constructor(slate: Pick<Slate, 'ready'>, isOperator: (watched: WatchedRule) => boolean) {
    this.#slate = slate;
    this.#isOperator = isOperator;
  }

  setRules(rules: readonly WatchedRule[]): ReadonlyMap<string, string> {
    const ofSources = rules.filter(({ rule }) => rule.when.kind === 'source');
    this.#rules = ofSources.filter(this.#isOperator);
    const others = ofSources.filter((watched) => !this.#isOperator(watched));
    return new Map(others.map(({ rule }) => [rule.id, 'Not watched: sources are for the operator.']));
  }

  step(nowMs: number): readonly AlertNews[] {
    if (this.#rules.length === 0 || !isDue(this.#dueAtMs, STEP_MS, nowMs)) return [];
    this.#dueAtMs = nowMs + STEP_MS;
    return [...this.#states(nowMs)].flatMap(([name, state]) =>
      this.#hasChanged(name, state, nowMs) ? this.#newsOf(name, state) : [],
    );
  }

  close(): void {
    this.#rules = [];
    this.#known.clear();
  }

  /** While the slate as a whole is not ready, every known source counts as lost. */
  #states(nowMs: number): Map<string, SourceState> {
    try {
      const { sources } = this.#slate.ready(nowMs);
      return new Map(
        sources.map(({ name, state, reason }) => [
          name,
          { isLost: state === 'failing' || state === 'stopped', reason },
        ]),
      );
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return new Map([...this.#known.keys()].map((name) => [name, { isLost: true, reason: null }]));
    }
  }

  #hasChanged(name: string, { isLost }: SourceState, nowMs: number): boolean {
    const known = this.#known.get(name);
    if (known === undefined) {
      this.#known.set(name, { isLost, changedAtMs: null });
      return false;
    }
    if (known.isLost === isLost) known.changedAtMs = null;
    else known.changedAtMs = Math.min(known.changedAtMs ?? nowMs, nowMs);
    if (known.changedAtMs === null || nowMs - known.changedAtMs < LASTS_MS) return false;
    this.#known.set(name, { isLost, changedAtMs: null });
    return true;
  }

  #newsOf(name: string, { isLost, reason }: SourceState): AlertNews[] {
    const change = isLost ? 'lost' : 'back';
    return this.#rules.map((watched) => ({
      watched,
      item: {
        kind: 'source',
        change,
        id: `source:${name}`,
        text: `Source ${name} is ${change}${reason === null ? '' : ` (${reason})`}.`,
        event: null,
        details: { source: name, reason },
      },
    }));
  }
}
