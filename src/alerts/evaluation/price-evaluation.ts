// Rules about a price that some bookmaker must offer. The lines of a match are read once for all rules that
// see the same bookmakers.

import type { AlertWhen } from '../../contract/alerts/alert-rules.ts';
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
  isDue,
  isWhere,
  matchNameOf,
  toAlertedEvent,
  type WatchedRule,
} from './news.ts';
import { wordsOf } from './signal-text.ts';

/** How often every match is checked, because prices become stale without a change. */
const SWEEP_MS = 5_000;

interface PriceRule {
  readonly watched: WatchedRule;
  readonly priceE4: number;
}

/** Rules about the same prices. They differ in the price they wait for and are sorted by it, lowest first. */
interface PriceGroup {
  readonly filter: OddsFilter;
  readonly when: Pick<AlertWhen, 'market' | 'outcome' | 'line'>;
  readonly rules: PriceRule[];
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
  /** For each event id, the version of the event when it was last read. */
  readonly #versions = new Map<string, number>();
  /** Groups by the event id that their rules name; groups of rules without one have the key ''. */
  #groups: ReadonlyMap<string, readonly PriceGroup[]> = new Map();
  /** For each event id, the rules that may have an open price in that event. */
  readonly #openIn = new Map<string, Set<WatchedRule>>();
  #begun = new WeakSet<object>();
  #sweepAtMs = 0;

  constructor(parts: PriceEvaluationParts) {
    this.#parts = parts;
  }

  setRules(rules: readonly WatchedRule[]): ReadonlyMap<string, string> {
    const notes = new Map<string, string>();
    const groups = new Map<string, PriceGroup>();
    this.#versions.clear();
    this.#openIn.clear();
    for (const watched of rules) {
      const { rule, principal, lives } = watched;
      const { when, where } = rule;
      if (when.kind !== 'price') continue;
      try {
        const filter = oddsFilter({ ...where, markets: [when.market!] }, principal);
        const key = [where.event_id, filter.key, when.market, when.outcome, when.line].join(' ');
        const group = groups.get(key) ?? { filter, when, rules: [] };
        groups.set(key, group);
        group.rules.push({ watched, priceE4: Math.round(when.price! * 10_000) });
        for (const id of lives.open) this.#noteOpen(watched, eventOf(id));
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        notes.set(rule.id, `Not watched: ${error.message}.`);
      }
    }
    for (const group of groups.values()) group.rules.sort((one, other) => one.priceE4 - other.priceE4);
    this.#groups = Map.groupBy(
      groups.values(),
      ({ rules: [first] }) => first!.watched.rule.where.event_id ?? '',
    );
    return notes;
  }

  step(nowMs: number): readonly AlertNews[] {
    if (this.#groups.size === 0) return [];
    const isSweep = isDue(this.#sweepAtMs, SWEEP_MS, nowMs);
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
    for (const groups of this.#groups.values()) {
      for (const { rules } of groups) for (const { watched } of rules) this.#begun.add(watched.lives);
    }
    return news;
  }

  close(): void {
    this.#groups = new Map();
    this.#openIn.clear();
    this.#begun = new WeakSet();
  }

  #compare(fixture: FixtureNow, nowMs: number, news: AlertNews[]): void {
    const { id } = fixture.view;
    const read = new Map<string, readonly LinePrice[]>();
    const reached = new Map<WatchedRule, Set<string>>();
    for (const group of [...(this.#groups.get('') ?? []), ...(this.#groups.get(id) ?? [])]) {
      const found = this.#found(fixture, group, read);
      const best = Math.max(0, ...found.map(({ priceE4 }) => priceE4));
      for (const { watched, priceE4 } of group.rules) {
        if (priceE4 > best) break;
        if (!isWhere(watched, fixture)) continue;
        const own = found.filter((price) => price.priceE4 >= priceE4);
        reached.set(watched, new Set(own.map((price) => price.id)));
        this.#open({ watched, fixture, nowMs }, own, news);
      }
    }
    for (const watched of this.#openIn.get(id) ?? []) {
      const isDone = this.#closeOthers(watched, fixture, reached.get(watched), news);
      if (isDone) this.#openIn.get(id)!.delete(watched);
    }
    if (this.#openIn.get(id)?.size === 0) this.#openIn.delete(id);
  }

  #open(
    {
      watched,
      fixture,
      nowMs,
    }: { readonly watched: WatchedRule; readonly fixture: FixtureNow; readonly nowMs: number },
    found: readonly FoundPrice[],
    news: AlertNews[],
  ): void {
    const { rule, lives } = watched;
    this.#noteOpen(watched, fixture.view.id);
    for (const price of found) {
      if (!this.#begun.has(lives)) lives.openSilently(price.id);
      else if (lives.opened(price.id, nowMs, rule.when.again_after_s))
        news.push(newsOf(watched, fixture, price, 'reached'));
    }
  }

  /**
   * Closes a rule's open prices of a match that no bookmaker offers now. @returns whether none is open any
   * more
   */
  #closeOthers(
    watched: WatchedRule,
    fixture: FixtureNow,
    reached: ReadonlySet<string> | undefined,
    news: AlertNews[],
  ): boolean {
    const { lives, rule } = watched;
    for (const id of [...lives.open]) {
      if (eventOf(id) !== fixture.view.id || reached?.has(id) === true) continue;
      if (lives.closed(id) && rule.when.closed === true)
        news.push(newsOf(watched, fixture, { id }, 'closed'));
    }
    return reached === undefined;
  }

  #noteOpen(watched: WatchedRule, eventId: string): void {
    const rules = this.#openIn.get(eventId);
    if (rules === undefined) this.#openIn.set(eventId, new Set([watched]));
    else rules.add(watched);
  }

  /** The best prices that any rule of the group may report. */
  #found(fixture: FixtureNow, group: PriceGroup, read: Map<string, readonly LinePrice[]>): FoundPrice[] {
    const { filter, when } = group;
    const market = indexIn(MARKET_TYPES, when.market!);
    const outcome = outcomesOf(fixture.view.sportIndex, market).indexOf(when.outcome!);
    if (outcome < 0) return [];
    const key = `${filter.bookmakerMask} ${market}`;
    const best = read.get(key) ?? this.#parts.prices.ofMarket(fixture, market, filter.bookmakerMask);
    read.set(key, best);
    const lowestE4 = group.rules[0]!.priceE4;
    return best
      .filter(
        (price) =>
          price.outcome === outcome &&
          price.priceE4 >= lowestE4 &&
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

/** The event id inside the id of a price. */
function eventOf(id: string): string {
  return id.split(':', 2)[1]!;
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
