// Rules about prices, on a slate that the test makes: what they report, and what they remember at most.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { LEFT_OUT_MS, RuleLives, type WatchedRule } from '../../../src/alerts/evaluation/news.ts';
import {
  PriceEvaluation,
  type PriceEvaluationParts,
} from '../../../src/alerts/evaluation/price-evaluation.ts';
import { AccountShares } from '../../../src/alerts/outbox/account-shares.ts';
import type { LinePrice } from '../../../src/query/markets/best-prices.ts';
import type { FixtureNow } from '../../../src/query/slate/fixture-view.ts';
import { runs } from '../../support/runs.ts';
import { turnsDuring } from '../../support/turns-during.ts';

/**
 * The best price of `over` on the lines 2.5, 3.5 and so on, in ten-thousandths, by event; 0 if there is none.
 */
type Slate = Readonly<Record<string, readonly number[]>>;

class Stage {
  slate: Slate = {};
  nowMs = 1_000_000;
  #version = 0;
  readonly evaluation = new PriceEvaluation({
    slate: { peek: () => Object.keys(this.slate).map((id) => this.#fixture(id)) },
    prices: {
      ofMarket: ({ view }: FixtureNow): LinePrice[] =>
        this.slate[view.id]!.flatMap((priceE4, index) =>
          priceE4 === 0
            ? []
            : [{ period: 0, lineQuarters: 10 + 4 * index, outcome: 0, priceE4, bookmaker: 0 }],
        ),
    },
  } as unknown as PriceEvaluationParts);

  #fixture(id: string): FixtureNow {
    const team = { id: '', name: '' };
    const view = {
      ...{ id, version: this.#version, sportIndex: 0, sport: 'football', scheduledAt: null },
      ...{ league: team, homeTeam: team, awayTeam: team },
    };
    return { view, status: 'scheduled', isLive: false } as unknown as FixtureNow;
  }

  /** @returns the alerts, each as its rule, change and line */
  async step(slate: Slate, sweeps = true): Promise<string[]> {
    this.slate = slate;
    this.#version += 1;
    if (sweeps) this.nowMs += 10_000;
    const news = await this.evaluation.step(this.nowMs);
    return news.map(({ watched, item }) => `${watched.rule.id} ${item.change} ${item.id}`).sort();
  }
}

function ruleOf(id: string, price: number, lives = new RuleLives(null), accountId = 'a'): WatchedRule {
  return {
    rule: {
      ...{ id, accountId, name: id, where: {}, names: {}, status: 'active', note: null },
      when: { kind: 'price', market: 'totals', outcome: 'over', price, closed: true, again_after_s: 0 },
      to: { url: 'https://one.test/', format: 'raw' },
      ...{ secretVersion: 1, rotatedAtMs: null, createdAtMs: 0 },
    },
    ...{ plan: 'free', email: 'a@example.com', isVerified: true, lives },
    principal: { tier: 'free', seesSharp: false, keyId: null },
  };
}

describe('rules about prices', () => {
  test('rules about prices report each line that reaches the price, falls below it or leaves with its match, as a plain comparison does', async () => {
    const prices = fc.array(fc.constantFrom(0, 15_000, 20_000, 25_000), { minLength: 3, maxLength: 3 });
    const slates = fc.array(fc.dictionary(fc.constantFrom('e1', 'e2', 'e3'), prices), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(slates, async (steps) => {
        const stage = new Stage();
        const rules = [1.4, 1.8, 1.8, 2.2].map((price, index) => ruleOf(`r${index}`, price));
        await stage.evaluation.setRules(rules);
        await stage.step(steps[0]!);
        let former = openIn(steps[0]!);
        for (const slate of steps.slice(1)) {
          const now = openIn(slate);
          const expected = rules.flatMap(({ rule }) => {
            const own = (open: ReadonlyMap<string, number>) =>
              [...open].filter(([, price]) => price >= rule.when.price! * 10_000).map(([id]) => id);
            const [before, after] = [own(former), own(now)];
            return [
              ...after.filter((id) => !before.includes(id)).map((id) => `${rule.id} reached ${id}`),
              ...before
                .filter((id) => !after.includes(id) && reported.has(`${rule.id} ${id}`))
                .map((id) => `${rule.id} closed ${id}`),
            ];
          });
          const found = await stage.step(slate);
          expect(found).toEqual(expected.sort());
          former = now;
          note(found);
        }
        reported.clear();
      }),
      { numRuns: runs(100) },
    );
  });

  const reported = new Set<string>();
  /**
   * Keeps what each rule has reported: if a price was open when the rule began, neither it nor its end is
   * reported.
   */
  const note = (found: readonly string[]): void => {
    for (const text of found) {
      const [rule, change, id] = text.split(' ') as [string, string, string];
      if (change === 'reached') reported.add(`${rule} ${id}`);
      else reported.delete(`${rule} ${id}`);
    }
  };

  function openIn(slate: Slate): Map<string, number> {
    return new Map(
      Object.entries(slate).flatMap(([event, prices]) =>
        prices.flatMap((price, index) =>
          price === 0 ? [] : [[`price:${event}:totals:full_time:${2.5 + index}:over`, price] as const],
        ),
      ),
    );
  }

  test("the rules of an account remember no more prices than the account's share, and other accounts still get reports", async () => {
    const shares = new AccountShares(3_200);
    const lives = (accountId: string) => new RuleLives({ shares, holder: { accountId, isPaid: false } });
    const stage = new Stage();
    const rules = [1.1, 1.2, 1.3].map((price, index) => ruleOf(`r${index}`, price, lives('a')));
    const other = ruleOf('other', 1.1, lives('b'), 'b');
    await stage.evaluation.setRules([...rules, other]);
    await stage.step({});
    const whole = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`e${index}`, [20_000, 20_000]]),
    );
    const found = await stage.step(whole);
    expect(found.filter((text) => !text.startsWith('other')).length).toBe(100);
    expect(found.filter((text) => text.startsWith('other')).length).toBe(60);
    const leavesOut = ({ lives }: WatchedRule) => lives.hasLeftOut(stage.nowMs, LEFT_OUT_MS);
    expect([rules.some(leavesOut), leavesOut(other)]).toEqual([true, false]);
    // When a match leaves the slate, and when a rule is no longer watched, their share becomes free.
    await stage.step({ e0: [20_000, 20_000] });
    for (const rule of rules) rule.lives.release();
    for (let index = 0; index < 100; index++) {
      expect(shares.hasRoomFor({ accountId: 'a', isPaid: false })).toBe(true);
      shares.add({ accountId: 'a', isPaid: false });
    }
    expect(shares.hasRoomFor({ accountId: 'a', isPaid: false })).toBe(false);
  });

  test('a price that was left out because there was no room is not reported as new later, and the note about it ends', async () => {
    const shares = new AccountShares(3_200);
    const lives = new RuleLives({ shares, holder: { accountId: 'a', isPaid: false } });
    const stage = new Stage();
    await stage.evaluation.setRules([ruleOf('r', 1.5, lives)]);
    const event = (index: number) => [`e${index}`, [20_000, 20_000]] as const;
    const whole = Object.fromEntries(Array.from({ length: 80 }, (_, index) => event(index)));
    await stage.step(whole); // open before the rule began: 100 of 160 are remembered
    expect(lives.hasLeftOut(stage.nowMs, LEFT_OUT_MS)).toBe(true);
    // Matches that leave the slate make room. Prices that were left out take this room without a report. A
    // price that rises later is reported.
    const few = Object.fromEntries(Object.entries(whole).slice(45));
    expect(await stage.step(few)).toEqual([]);
    expect(await stage.step(few)).toEqual([]);
    expect(await stage.step({ ...few, e60: [20_000, 20_000, 20_000] })).toEqual([
      'r reached price:e60:totals:full_time:4.5:over',
    ]);
    stage.nowMs += LEFT_OUT_MS;
    await stage.step(few);
    expect(lives.hasLeftOut(stage.nowMs, LEFT_OUT_MS)).toBe(false);
  });

  test('while many rules are set, the thread does other work', async () => {
    const stage = new Stage();
    const rules = Array.from({ length: 1_000 }, (_, index) => ruleOf(`r${index}`, 1.5));
    expect(await turnsDuring(() => stage.evaluation.setRules(rules))).toBeGreaterThanOrEqual(9);
  });

  test('a new rule does not make the other rules read an unchanged match again', async () => {
    const stage = new Stage();
    const old = ruleOf('old', 1.5);
    await stage.evaluation.setRules([old]);
    await stage.step({ e1: [10_000] });
    stage.slate = { e1: [20_000] };
    await stage.evaluation.setRules([
      old,
      { ...ruleOf('new', 1.5), rule: { ...ruleOf('new', 1.5).rule, where: { bookmakers: ['crown'] } } },
    ]);
    expect(await stage.evaluation.step(stage.nowMs)).toEqual([]);
    expect(await stage.step({ e1: [20_000] }, false)).toEqual([
      'old reached price:e1:totals:full_time:2.5:over',
    ]);
  });
});
