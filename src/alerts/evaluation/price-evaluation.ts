// Rules about a price that some bookmaker must offer. The lines of a match are read once for all rules that
// see the same bookmakers.

import { BOOKMAKER_KEYS, indexIn, MARKET_TYPES, outcomesOf, PERIODS } from '../../domain/catalogue.ts';
import { shownLine } from '../../domain/settlement.ts';
import { ServiceError } from '../../errors.ts';
import type { BestPriceQueries, LinePrice } from '../../query/markets/best-prices.ts';
import { type OddsFilter, oddsFilter } from '../../query/odds/odds-filter.ts';
import type { FixtureNow } from '../../query/slate/fixture-view.ts';
import type { Slate } from '../../query/slate/slate.ts';
import {
  type AlertNews,
  type Evaluation,
  isWhere,
  matchNameOf,
  toAlertedEvent,
  type WatchedRule,
} from './news.ts';
import { wordsOf } from './signal-text.ts';

/** How often every match is looked at, because prices grow stale without a change. */
const SWEEP_MS = 5_000;

interface PriceRule {
  readonly watched: WatchedRule;
  readonly filter: OddsFilter;
}

interface FoundPrice extends LinePrice {
  readonly id: string;
}

export interface PriceEvaluationParts {
  readonly slate: Slate;
  readonly prices: BestPriceQueries;
}

export class PriceEvaluation implements Evaluation {
  readonly #parts: PriceEvaluationParts;
  /** By event id, its version when it was last read. */
  readonly #versions = new Map<string, number>();
  #rules: readonly PriceRule[] = [];
  #begun = new WeakSet<object>();
  #sweepAtMs = 0;

  constructor(parts: PriceEvaluationParts) {
    this.#parts = parts;
  }

  setRules(rules: readonly WatchedRule[]): ReadonlyMap<string, string> {
    const notes = new Map<string, string>();
    this.#versions.clear();
    this.#rules = rules.flatMap((watched): PriceRule[] => {
      const { rule, principal } = watched;
      const { when, where } = rule;
      if (when.kind !== 'price') return [];
      try {
        return [{ watched, filter: oddsFilter({ ...where, markets: [when.market!] }, principal) }];
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        notes.set(rule.id, `Not watched: ${error.message}.`);
        return [];
      }
    });
    return notes;
  }

  step(nowMs: number): readonly AlertNews[] {
    if (this.#rules.length === 0) return [];
    const isSweep = nowMs >= this.#sweepAtMs;
    if (isSweep) this.#sweepAtMs = nowMs + SWEEP_MS;
    const news: AlertNews[] = [];
    const fixtures = this.#parts.slate.peek(nowMs);
    for (const fixture of fixtures) {
      const { id, version } = fixture.view;
      if (!isSweep && this.#versions.get(id) === version) continue;
      this.#versions.set(id, version);
      this.#compare(fixture, nowMs, news);
    }
    if (this.#versions.size > 2 * fixtures.length) this.#versions.clear();
    for (const { watched } of this.#rules) this.#begun.add(watched.lives);
    return news;
  }

  close(): void {
    this.#rules = [];
    this.#begun = new WeakSet();
  }

  #compare(fixture: FixtureNow, nowMs: number, news: AlertNews[]): void {
    const read = new Map<string, readonly LinePrice[]>();
    for (const { watched, filter } of this.#rules) {
      const { rule, lives } = watched;
      const found = isWhere(watched, fixture) ? this.#found(fixture, { watched, filter }, read) : [];
      const reached = new Set(found.map(({ id }) => id));
      for (const price of found) {
        if (!this.#begun.has(lives)) lives.openSilently(price.id);
        else if (lives.opened(price.id, nowMs, rule.when.again_after_s))
          news.push(newsOf(watched, fixture, price, 'reached'));
      }
      const prefix = `price:${fixture.view.id}:`;
      for (const id of [...lives.open]) {
        if (!id.startsWith(prefix) || reached.has(id)) continue;
        if (lives.closed(id) && rule.when.closed === true)
          news.push(newsOf(watched, fixture, { id }, 'closed'));
      }
    }
  }

  #found(
    fixture: FixtureNow,
    { watched, filter }: PriceRule,
    read: Map<string, readonly LinePrice[]>,
  ): FoundPrice[] {
    const { when } = watched.rule;
    const market = indexIn(MARKET_TYPES, when.market!);
    const outcome = outcomesOf(fixture.view.sportIndex, market).indexOf(when.outcome!);
    if (outcome < 0) return [];
    const key = `${filter.bookmakerMask} ${market}`;
    const best = read.get(key) ?? this.#parts.prices.ofMarket(fixture, market, filter.bookmakerMask);
    read.set(key, best);
    return best
      .filter(
        (price) =>
          price.outcome === outcome &&
          price.priceE4 >= Math.round(when.price! * 10_000) &&
          ((filter.periodMask >> price.period) & 1) === 1 &&
          (when.line === undefined || price.lineQuarters === when.line * 4),
      )
      .map((price) => {
        const line = shownLine(market, price.lineQuarters);
        const id = ['price', fixture.view.id, when.market, PERIODS[price.period], line, when.outcome].join(
          ':',
        );
        return { ...price, id };
      });
  }
}

function newsOf(
  watched: WatchedRule,
  fixture: FixtureNow,
  price: Pick<FoundPrice, 'id'> & Partial<LinePrice>,
  change: 'reached' | 'closed',
): AlertNews {
  const event = toAlertedEvent(fixture);
  const { when } = watched.rule;
  const match = `${matchNameOf(event)} (${event.league})`;
  const [, , market = '', period = '', line = ''] = price.id.split(':');
  const words = wordsOf(market, period, line === '' ? null : Number(line), when.outcome);
  const decimal = price.priceE4 === undefined ? null : price.priceE4 / 10_000;
  const bookmaker = price.bookmaker === undefined ? null : BOOKMAKER_KEYS[price.bookmaker]!;
  return {
    watched,
    item: {
      kind: 'price',
      change,
      id: price.id,
      text:
        change === 'reached'
          ? `Price ${decimal} (${bookmaker}): ${match}, ${words}.`
          : `Price below ${when.price}: ${match}, ${words}.`,
      event,
      details: {
        market_type: when.market!,
        period,
        line: line === '' ? null : Number(line),
        outcome: when.outcome!,
        price: decimal,
        bookmaker,
      },
    },
  };
}
