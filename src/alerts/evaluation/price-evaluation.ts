// Rules about a price that some bookmaker must offer. The lines of a match are read once for all rules that
// see the same bookmakers. If a rule waits for a low price, most lines that reach the price are open already,
// and the rule remembers them. A line that is open already is recognised by a number (`keyOf`), so no id has
// to be made for it.

import type { AlertWhen } from '../../contract/alerts/alert-rules.ts';
import { BOOKMAKER_KEYS, indexIn, MARKET_TYPES, outcomesOf, PERIODS } from '../../domain/catalogue.ts';
import { shownLine } from '../../domain/settlement.ts';
import { ServiceError } from '../../errors.ts';
import { eventLoopTurn } from '../../pause.ts';
import type { BestPriceQueries, LinePrice } from '../../query/markets/best-prices.ts';
import { type OddsFilter, oddsFilter } from '../../query/odds/odds-filter.ts';
import type { FixtureNow } from '../../query/slate/fixture-view.ts';
import type { Slate } from '../../query/slate/slate.ts';
import type { AlertedEvent } from '../delivery/payload.ts';
import {
  type AlertNews,
  type Evaluation,
  isDue,
  isWhere,
  matchNameOf,
  RULES_PER_TURN,
  type RuleLives,
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
  /** Whether one of the rules has not been compared with every match yet. */
  isNew: boolean;
}

/** The lines of a match that are open for one rule. */
interface OpenLines {
  /** Each line as a number (`keyOf`). */
  readonly keys: Set<number>;
  /** Whether more lines of the match fit the rule than it had room to remember. */
  leavesOut: boolean;
}

/** How many matches are compared before the thread does other work, such as its heartbeat. */
const TURN_FIXTURES = 32;

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
  /** For each event id, the open lines of each rule. */
  readonly #openIn = new Map<string, Map<RuleLives, OpenLines>>();
  readonly #ruleOf = new Map<RuleLives, WatchedRule>();
  #begun = new WeakSet<object>();
  #sweepAtMs = 0;

  constructor(parts: PriceEvaluationParts) {
    this.#parts = parts;
  }

  async setRules(rules: readonly WatchedRule[]): Promise<ReadonlyMap<string, string>> {
    const notes = new Map<string, string>();
    const groups = new Map<string, PriceGroup>();
    this.#ruleOf.clear();
    const ofPrices = rules.filter(({ rule }) => rule.when.kind === 'price');
    for (const [index, watched] of ofPrices.entries()) {
      if (index % RULES_PER_TURN === RULES_PER_TURN - 1) await eventLoopTurn();
      const { rule, principal, lives } = watched;
      const { when, where } = rule;
      try {
        const filter = oddsFilter({ ...where, markets: [when.market!] }, principal);
        const key = [where.event_id, filter.key, when.market, when.outcome, when.line].join(' ');
        const group = groups.getOrInsert(key, { filter, when, rules: [], isNew: false });
        group.rules.push({ watched, priceE4: Math.round(when.price! * 10_000) });
        if (!this.#begun.has(lives)) group.isNew = true;
        this.#ruleOf.set(lives, watched);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        notes.set(rule.id, `Not watched: ${error.message}.`);
      }
    }
    for (const [id, open] of this.#openIn) {
      for (const lives of open.keys()) if (!this.#ruleOf.has(lives)) open.delete(lives);
      if (open.size === 0) this.#openIn.delete(id);
    }
    for (const group of groups.values()) group.rules.sort((one, other) => one.priceE4 - other.priceE4);
    this.#groups = Map.groupBy(
      groups.values(),
      ({ rules: [first] }) => first!.watched.rule.where.event_id ?? '',
    );
    return notes;
  }

  async step(nowMs: number): Promise<readonly AlertNews[]> {
    if (this.#groups.size === 0) return [];
    const isSweep = isDue(this.#sweepAtMs, SWEEP_MS, nowMs);
    if (isSweep) this.#sweepAtMs = nowMs + SWEEP_MS;
    const groups = [...this.#groups.values()].flat();
    const hasNew = groups.some(({ isNew }) => isNew);
    const news: AlertNews[] = [];
    const fixtures = this.#parts.slate.peek(nowMs);
    let compared = 0;
    for (const fixture of fixtures) {
      const { id, version } = fixture.view;
      const isChanged = isSweep || this.#versions.get(id) !== version;
      if (!isChanged && !hasNew) continue;
      this.#versions.set(id, version);
      this.#compare({ fixture, event: toAlertedEvent(fixture), nowMs, onlyNew: !isChanged }, news);
      compared += 1;
      if (compared % TURN_FIXTURES === 0) await eventLoopTurn();
    }
    if (this.#versions.size > 2 * fixtures.length) this.#versions.clear();
    if (isSweep) this.#closeDeparted(new Set(fixtures.map(({ view }) => view.id)), news);
    for (const group of hasNew ? groups : []) {
      group.isNew = false;
      for (const { watched } of group.rules) this.#begun.add(watched.lives);
    }
    return news;
  }

  close(): void {
    this.#groups = new Map();
    this.#openIn.clear();
    this.#ruleOf.clear();
    this.#begun = new WeakSet();
  }

  #compare(at: Comparison, news: AlertNews[]): void {
    const { fixture, onlyNew } = at;
    const { id } = fixture.view;
    const read = new Map<string, readonly LinePrice[]>();
    for (const group of [...(this.#groups.get('') ?? []), ...(this.#groups.get(id) ?? [])]) {
      if (onlyNew && !group.isNew) continue;
      const found = this.#found(fixture, group, read);
      const best = Math.max(0, ...found.values().map(({ priceE4 }) => priceE4));
      for (const { watched, priceE4 } of group.rules) {
        const reaches = priceE4 <= best && isWhere(watched, fixture);
        const openHere = this.#openIn.get(id);
        if (openHere === undefined && priceE4 > best) break;
        const open = openHere?.get(watched.lives);
        if (open !== undefined)
          this.#closeOthers({ watched, open, priceE4 }, at, reaches ? found : NONE_FOUND, news);
        if (reaches) this.#open({ watched, priceE4 }, at, found, news);
      }
    }
  }

  #open(
    { watched, priceE4 }: PriceRule,
    { event, nowMs }: Comparison,
    found: FoundPrices,
    news: AlertNews[],
  ): void {
    const { rule, lives } = watched;
    const known = this.#openIn.get(event.id)?.get(lives);
    const open = known ?? { keys: new Set<number>(), leavesOut: false };
    // A line that was open when there was no room for it is not reported as new once there is room.
    const mayBeOld = known?.leavesOut ?? lives.hasLeftOut(nowMs, 2 * SWEEP_MS);
    open.leavesOut = false;
    for (const [key, price] of found) {
      if (price.priceE4 < priceE4 || open.keys.has(key)) continue;
      const id = idOf(event.id, rule.when, key);
      if (!this.#begun.has(lives) || (mayBeOld && !lives.knows(id))) lives.openSilently(id, nowMs);
      else if (lives.opened(id, nowMs, { event, againAfterS: rule.when.again_after_s }))
        news.push(newsOf(watched, event, { ...price, id }, 'reached'));
      if (lives.isOpen(id)) open.keys.add(key);
      else open.leavesOut = true;
    }
    if (known !== undefined || open.keys.size === 0) return;
    this.#openIn.getOrInsertComputed(event.id, () => new Map()).set(lives, open);
  }

  /** Closes the open prices of matches that left the slate. */
  #closeDeparted(present: ReadonlySet<string>, news: AlertNews[]): void {
    for (const [event, open] of this.#openIn) {
      if (present.has(event)) continue;
      this.#openIn.delete(event);
      for (const [lives, { keys }] of open) {
        const watched = this.#ruleOf.get(lives);
        if (watched === undefined) continue;
        for (const key of keys) news.push(...endOf(watched, idOf(event, watched.rule.when, key)));
      }
    }
  }

  /** Closes each open price of a rule in this match that no bookmaker offers any more. */
  #closeOthers(
    { watched, open, priceE4 }: PriceRule & { readonly open: OpenLines },
    { event }: Comparison,
    found: FoundPrices,
    news: AlertNews[],
  ): void {
    const { lives, rule } = watched;
    for (const key of open.keys) {
      if ((found.get(key)?.priceE4 ?? 0) >= priceE4) continue;
      open.keys.delete(key);
      news.push(...endOf(watched, idOf(event.id, rule.when, key), event));
    }
    if (open.keys.size > 0) return;
    const ofEvent = this.#openIn.get(event.id)!;
    ofEvent.delete(lives);
    if (ofEvent.size === 0) this.#openIn.delete(event.id);
  }

  /** The best price of each line, if it is at least the lowest price of the group's rules. */
  #found(fixture: FixtureNow, group: PriceGroup, read: Map<string, readonly LinePrice[]>): FoundPrices {
    const { filter, when } = group;
    const market = indexIn(MARKET_TYPES, when.market!);
    const outcome = outcomesOf(fixture.view.sportIndex, market).indexOf(when.outcome!);
    if (outcome < 0) return NONE_FOUND;
    const key = `${filter.bookmakerMask} ${market}`;
    const best = read.get(key) ?? this.#parts.prices.ofMarket(fixture, market, filter.bookmakerMask);
    read.set(key, best);
    const lowestE4 = group.rules[0]!.priceE4;
    const found = new Map<number, LinePrice>();
    for (const price of best) {
      if (price.outcome !== outcome || price.priceE4 < lowestE4) continue;
      if (((filter.periodMask >> price.period) & 1) !== 1) continue;
      if (when.line === undefined || price.lineQuarters === when.line * 4) found.set(keyOf(price), price);
    }
    return found;
  }
}

/** A match to compare with the rules, and the time of the comparison. */
interface Comparison {
  readonly fixture: FixtureNow;
  readonly event: AlertedEvent;
  readonly nowMs: number;
  /** Whether to compare only groups that have a new rule, because the match has not changed. */
  readonly onlyNew: boolean;
}

/** The best prices of a match, by `keyOf`. */
type FoundPrices = ReadonlyMap<number, LinePrice>;
const NONE_FOUND: FoundPrices = new Map();

/** Lines, in quarters, are from -LINE_OFFSET to LINE_OFFSET - 1. */
const LINE_OFFSET = 32_768;
const LINES = 65_536;

/** A period and line as one number. */
function keyOf({ period, lineQuarters }: Pick<LinePrice, 'period' | 'lineQuarters'>): number {
  return period * LINES + lineQuarters + LINE_OFFSET;
}

/** The id of a price, from its event, the market and outcome of its rule, and `keyOf`. */
function idOf(event: string, { market, outcome }: AlertWhen, key: number): string {
  const line = shownLine(indexIn(MARKET_TYPES, market!), (key % LINES) - LINE_OFFSET);
  return ['price', event, market, PERIODS[Math.floor(key / LINES)], line, outcome].join(':');
}

/**
 * Notes that an open price ended. @param event its match; by default as the rule last noted it
 * @returns the news for the rule; empty if the rule did not report the price, or does not report ends
 */
function endOf(watched: WatchedRule, id: string, event?: AlertedEvent): AlertNews[] {
  const { lives, rule } = watched;
  const known = lives.closed(id);
  if (known === null || rule.when.closed !== true) return [];
  return [newsOf(watched, event ?? known, { id }, 'closed')];
}

function newsOf(
  watched: WatchedRule,
  event: AlertedEvent,
  price: { readonly id: string } & Partial<LinePrice>,
  change: 'reached' | 'closed',
): AlertNews {
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
