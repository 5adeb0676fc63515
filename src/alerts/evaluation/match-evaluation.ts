// Rules about matches: one goes live, changes its score or finishes.

import type { MatchNews } from '../../contract/alerts/alert-rules.ts';
import type { Score } from '../../contract/values.ts';
import type { EventStatus } from '../../domain/catalogue.ts';
import type { FixtureNow } from '../../query/slate/fixture-view.ts';
import type { Slate } from '../../query/slate/slate.ts';
import {
  type AlertNews,
  type Evaluation,
  isDue,
  isWhere,
  matchNameOf,
  toAlertedEvent,
  type WatchedRule,
} from './news.ts';

/**
 * How often matches are compared even if the slate is unchanged, because a status can change with time alone.
 */
const SWEEP_MS = 1_000;

interface Known {
  readonly status: EventStatus;
  readonly score: Score | null;
}

export class MatchEvaluation implements Evaluation {
  readonly #slate: Slate;
  readonly #version: () => number;
  #rules: readonly WatchedRule[] = [];
  #known: ReadonlyMap<string, Known> | null = null;
  #sweepAtMs = 0;
  #comparedVersion = -1;

  /** @param version rises with every change of the slate */
  constructor(slate: Slate, version: () => number) {
    this.#slate = slate;
    this.#version = version;
  }

  setRules(rules: readonly WatchedRule[]): ReadonlyMap<string, string> {
    this.#rules = rules.filter(({ rule }) => rule.when.kind === 'match');
    if (this.#rules.length === 0) this.#known = null;
    return new Map();
  }

  step(nowMs: number): readonly AlertNews[] {
    const version = this.#version();
    const isChanged = version !== this.#comparedVersion || isDue(this.#sweepAtMs, SWEEP_MS, nowMs);
    if (this.#rules.length === 0 || !isChanged) return [];
    this.#comparedVersion = version;
    this.#sweepAtMs = nowMs + SWEEP_MS;
    const former = this.#known;
    const fixtures = this.#slate.peek(nowMs);
    this.#known = new Map(
      fixtures.map(({ view, status }) => [view.id, { status, score: view.score }] as const),
    );
    if (former === null) return [];
    return fixtures.flatMap((fixture) => {
      const known = former.get(fixture.view.id);
      const found = known === undefined ? [] : newsOf(known, fixture);
      return found.length === 0 ? [] : this.#newsOf(fixture, found);
    });
  }

  close(): void {
    this.#rules = [];
    this.#known = null;
  }

  #newsOf(fixture: FixtureNow, found: readonly MatchNews[]): AlertNews[] {
    const event = toAlertedEvent(fixture);
    const { score } = fixture.view;
    return this.#rules.flatMap((watched) => {
      if (!isWhere(watched, fixture)) return [];
      const { news } = watched.rule.when;
      return found
        .filter((change) => news === undefined || news.includes(change))
        .map((change) => ({
          watched,
          item: {
            kind: 'match' as const,
            change,
            id: `match:${event.id}`,
            text: `${WORDS[change]}: ${matchNameOf(event)} (${event.league})${score === null ? '' : ` ${score.home}:${score.away}`}`,
            event,
            details: { score },
          },
        }));
    });
  }
}

const WORDS: Readonly<Record<MatchNews, string>> = { live: 'Live', score: 'Score', finished: 'Finished' };

function newsOf(known: Known, { status, view: { score } }: FixtureNow): MatchNews[] {
  const hasScored =
    known.score !== null &&
    score !== null &&
    (known.score.home !== score.home || known.score.away !== score.away);
  return [
    ...(status === 'live' && known.status === 'scheduled' ? (['live'] as const) : []),
    ...(hasScored ? (['score'] as const) : []),
    ...(status === 'finished' && known.status !== 'finished' ? (['finished'] as const) : []),
  ];
}
