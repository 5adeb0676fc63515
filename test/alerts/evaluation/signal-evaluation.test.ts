// Rules about middles, low hold, moves and steam, over a real store and a real scoring worker. A signal
// that opens is reported once to the rules that ask for it, with its prices in words. No rule gets more
// than its plan includes.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  type AlertNews,
  LEFT_OUT_MS,
  RuleLives,
  type WatchedRule,
} from '../../../src/alerts/evaluation/news.ts';
import {
  ALERT_VIEWS_MAX,
  ALERT_WATCHES_MAX,
  SignalEvaluation,
} from '../../../src/alerts/evaluation/signal-evaluation.ts';
import { AccountShares } from '../../../src/alerts/outbox/account-shares.ts';
import type { AlertWhen, AlertWhere } from '../../../src/contract/alerts/alert-rules.ts';
import { encodeId } from '../../../src/domain/ids.ts';
import type { Principal } from '../../../src/domain/tiers.ts';
import { ServiceError } from '../../../src/errors.ts';
import { scannerOf } from '../../../src/record/scan-here.ts';
import { ScoringPool } from '../../../src/scoring/pool.ts';
import { LiveSignals } from '../../../src/stream/signals/live-signals.ts';
import { turnsDuring } from '../../support/turns-during.ts';
import { football, quoteOf, T0 } from '../../tools/made-up-slate.ts';
import { FREE, PAID, type Wire, WireSlate } from '../../tools/wire-slate.ts';

const HALF_HOUR_MS = 1_800_000;
const MATCH = 'Reading – Stoke (football league)';
/**
 * The alerts about prices that three owners moved. The free tier sees only two of the owners, so it gets
 * none.
 */
const STEAM = [
  `Steam, 3 owners: ${MATCH}, totals 2.5 over shortening, 1.9 to 1.8 (crown), 1.9 to 1.8 (pinnacle), 1.9 to 1.8 (hkjc).`,
  `Steam, 3 owners: ${MATCH}, totals 2.5 under drifting, 1.9 to 2 (crown), 1.9 to 2 (pinnacle), 1.9 to 2 (hkjc).`,
];
const slate = new WireSlate();
let pool: ScoringPool;

function totals(bookmaker: string, line: number, prices: readonly number[], atMs: number): Wire {
  return { ...quoteOf('a', bookmaker, 'totals', line, prices), at: new Date(atMs).toISOString() };
}

type Scorer = ConstructorParameters<typeof LiveSignals>[0]['scorer'];

interface RuleWords {
  readonly when: AlertWhen;
  readonly where?: AlertWhere;
  readonly principal?: Principal;
  readonly accountId?: string;
}

function watchedRule(id: string, words: RuleWords): WatchedRule {
  const { when, where = {}, principal = PAID, accountId = `acc_${principal.tier}` } = words;
  return {
    rule: {
      ...{ id, accountId, name: id, when, where, names: {}, status: 'active', note: null },
      ...{ to: { url: 'https://hooks.example.com/', format: 'raw' } },
      ...{ secretVersion: 1, rotatedAtMs: null, createdAtMs: T0 },
    },
    ...{
      plan: principal.tier,
      email: 'ada@example.com',
      isVerified: true,
      principal,
      lives: new RuleLives(null),
    },
  };
}

function evaluationOf(
  { queries, reader }: WireSlate,
  scorer: Scorer,
  onFailed = (error: ServiceError): void => {
    throw error;
  },
): SignalEvaluation {
  const parts = { reader, slate: queries.slate, signals: queries.signals, scorer };
  const live = new LiveSignals(
    parts,
    { maxEdge: 0.1, maxMargin: 0.5 },
    {
      signals: 2_000,
      watches: ALERT_WATCHES_MAX,
    },
  );
  return new SignalEvaluation({ live, slate: queries.slate, onFailed });
}

/** The texts of each rule's alerts. */
function textsOf(news: readonly AlertNews[]): Record<string, string[]> {
  const byRule = Map.groupBy(news, ({ watched }) => watched.rule.id);
  return Object.fromEntries([...byRule].map(([id, each]) => [id, each.map(({ item }) => item.text).sort()]));
}

beforeAll(() => {
  pool = ScoringPool.start({ storeBuffer: slate.buffer, threads: 1 });
  slate.feed(
    [
      football('a', 'Reading', 'Stoke'),
      quoteOf('a', 'crown', '1x2', null, [2.5, 3.3, 3]),
      ...['crown', 'hkjc', 'sbobet', 'pinnacle'].map((book) => totals(book, 2.5, [1.9, 1.9], T0)),
      totals('sbobet', 3.5, [3.4, 1.3], T0),
    ],
    T0,
  );
});
afterAll(() => pool.stop());

describe('Rules about middles, low hold, moves and steam', () => {
  test('rules about signals report openings and closings that match what each rule asks for', async () => {
    const evaluation = evaluationOf(slate, pool);
    const steam = { kind: 'steam', pct: 3 } as const;
    const rules = {
      middle: { when: { kind: 'middle', min_ev_pct: 5 } },
      'middle-high': { when: { kind: 'middle', min_ev_pct: 40 } },
      'low-hold': { when: { kind: 'low_hold', max_hold_pct: 3 } },
      'low-hold-tight': { when: { kind: 'low_hold' } },
      fair: { when: { kind: 'move', pct: 2 }, where: { bookmakers: ['pinnacle'] } },
      price: { when: { kind: 'move', of: 'price', pct: 5.2 }, where: { bookmakers: ['crown'] } },
      steam: { when: { ...steam, closed: true } },
      'steam-four': { when: { ...steam, owners: 4 } },
      'steam-high': { when: { ...steam, pct: 6 } },
      'steam-1x2': { when: steam, where: { markets: ['1x2'] } },
      'steam-half': { when: steam, where: { period: 'half_time' } },
      'steam-free': { when: steam, principal: FREE },
    } as const satisfies Record<string, RuleWords>;
    const watched = Object.entries(rules).map(([id, words]) => watchedRule(id, words as RuleWords));
    expect([...(await evaluation.setRules(watched, T0))]).toEqual([]);
    expect(await evaluation.step(T0)).toEqual([]);

    const laterMs = T0 + HALF_HOUR_MS;
    const moved = ['crown', 'hkjc', 'pinnacle'].map((book) => totals(book, 2.5, [1.8, 2], laterMs));
    slate.feed([...moved, totals('sbobet', 3.5, [2.2, 1.7], laterMs)], laterMs);
    const opened = await evaluation.step(laterMs);
    expect(textsOf(opened)).toEqual({
      middle: [
        `Middle 6.65 %: ${MATCH}, totals 2.5 over at 1.8 (crown), totals 3.5 under at 1.7 (sbobet), at worst -12.57 %.`,
      ],
      'low-hold': [`Hold 2.56 %: ${MATCH}, totals 2.5, over at 1.9 (sbobet), under at 2 (crown).`],
      fair: [
        `Move -2.63 percentage points: ${MATCH}, totals 2.5 under fair price from 2 to 2.1111 (pinnacle).`,
        `Move 2.63 percentage points: ${MATCH}, totals 2.5 over fair price from 2 to 1.9 (pinnacle).`,
      ],
      price: [
        `Move -5.26 %: ${MATCH}, totals 2.5 over from 1.9 to 1.8 (crown).`,
        `Move 5.26 %: ${MATCH}, totals 2.5 under from 1.9 to 2 (crown).`,
      ],
      steam: STEAM,
    });
    expect(opened.every(({ item }) => item.details[item.kind] !== null)).toBe(true);

    const backMs = laterMs + 10_000;
    slate.feed([totals('hkjc', 2.5, [1.9, 1.9], backMs)], backMs);
    const closed = (await evaluation.step(backMs)).filter(({ item }) => item.change === 'closed');
    expect(textsOf(closed)).toEqual({ steam: STEAM.map((text) => `${text} It is over.`) });
    evaluation.close();
  });

  test('rules of free accounts use at most half of the views; other accounts get the rest', async () => {
    const evaluation = evaluationOf(slate, pool);
    const rules = (principal: Principal) =>
      Array.from({ length: ALERT_VIEWS_MAX / 2 + 1 }, (_, index) => {
        const when = { kind: 'low_hold', max_hold_pct: 1 + index / 100 } as const;
        return watchedRule(`${principal.tier} ${index}`, { when, principal, accountId: `acc_${index}` });
      });
    const half = ALERT_VIEWS_MAX / 2;
    expect([...(await evaluation.setRules(rules(FREE), T0)).keys()]).toEqual([`free ${half}`]);
    evaluation.close();
    // Rules of paid plans come first, even when they are younger.
    const notes = await evaluation.setRules([...rules(FREE), ...rules(PAID)], T0);
    expect([...notes.keys()]).toEqual([`free ${half - 1}`, `free ${half}`]);
    evaluation.close();
  });

  test('when views are scarce, a free account gets 8 and a paid account a third; a view that others already watch costs nothing', async () => {
    const evaluation = evaluationOf(slate, pool);
    const rules = (principal: Principal, accountId: string, first = 0) =>
      Array.from({ length: ALERT_VIEWS_MAX / 2 }, (_, index) => {
        const when = { kind: 'low_hold', max_hold_pct: 1 + (first + index) / 100 } as const;
        return watchedRule(`${accountId} ${index}`, { when, principal, accountId });
      });
    const watchedOf = async (all: readonly WatchedRule[], ...prefixes: string[]): Promise<number[]> => {
      const notes = await evaluation.setRules(all, T0);
      const watched = all.filter(({ rule }) => !notes.has(rule.id));
      return prefixes.map((prefix) => watched.filter(({ rule }) => rule.id.startsWith(prefix)).length);
    };
    const half = ALERT_VIEWS_MAX / 2;
    const third = Math.floor(ALERT_VIEWS_MAX / 3);
    const free = rules(FREE, 'acc_free');
    // An account alone may also use what others leave. For a free account that is three quarters of the half
    // that free accounts share.
    expect(await watchedOf(free, 'acc_free')).toEqual([(half * 3) / 4]);
    evaluation.close();
    const paid = rules(PAID, 'acc_paid');
    const others = ['acc_b', 'acc_c'].map((id, index) => rules(PAID, id, half * (index + 1)));
    const all = [...free, ...paid, ...others.flat()];
    // Three paid accounts use all views, so nothing is left for the free one.
    expect(await watchedOf(all, 'acc_paid', 'acc_b', 'acc_c')).toEqual([third, third, third]);
    const two = [...free, ...paid, ...others[0]!];
    // Each of the two paid accounts has a third, and the free one has 8. The first paid account also gets
    // what is then left of three quarters of all views.
    const left = (ALERT_VIEWS_MAX * 3) / 4 - 2 * third - 8;
    expect(await watchedOf(two, 'acc_paid', 'acc_b', 'acc_free')).toEqual([third + left, third, 8]);
    const same = rules(PAID, 'acc_same');
    expect(await watchedOf([...two, ...same], 'acc_same')).toEqual([half]);
    evaluation.close();
  });

  const watchesOf = (principal: Principal, accountId: string, length: number, first = 0) =>
    // Rules about steam by different definitions cannot share a watch.
    Array.from({ length }, (_, index) =>
      watchedRule(`${accountId} ${index}`, {
        when: { kind: 'steam', within_s: 300 + first + index },
        ...{ principal, accountId },
      }),
    );

  test('while others leave room, an account watches more than its share, but never everything', async () => {
    const evaluation = evaluationOf(slate, pool);
    const refusedOf = async (rules: readonly WatchedRule[]) => [
      ...(await evaluation.setRules(rules, T0)).keys(),
    ];
    const most = (ALERT_WATCHES_MAX * 3) / 4;
    expect(await refusedOf(watchesOf(PAID, 'acc_paid', most))).toEqual([]);
    const many = watchesOf(PAID, 'acc_paid', ALERT_WATCHES_MAX);
    expect(await refusedOf(many)).toHaveLength(ALERT_WATCHES_MAX - most);
    // Another account then gets its full third at once, although the first one had three quarters.
    const third = Math.floor(ALERT_WATCHES_MAX / 3);
    const other = watchesOf(PAID, 'acc_other', third, 1_000);
    expect((await refusedOf([...many, ...other])).filter((id) => id.startsWith('acc_other'))).toEqual([]);
    evaluation.close();
    expect(await refusedOf(watchesOf(FREE, 'acc_free', most / 2))).toEqual([]);
    expect(await refusedOf(watchesOf(FREE, 'acc_free', most / 2 + 1))).toEqual([`acc_free ${most / 2}`]);
    evaluation.close();
  });

  test('one account cannot take all watches by rules whose bookmakers or kinds need watches of their own', async () => {
    const evaluation = evaluationOf(slate, pool);
    const rules = (principal: Principal, accountId: string, first: number) => [
      ...['crown', 'hkjc', 'sbobet'].map((bookmaker) =>
        watchedRule(`${accountId} ${bookmaker}`, {
          when: { kind: 'low_hold' },
          where: { bookmakers: [bookmaker] },
          ...{ principal, accountId },
        }),
      ),
      ...watchesOf(principal, accountId, 30, first),
    ];
    const all = [
      ...rules(FREE, 'acc_free', 0),
      ...rules(PAID, 'acc_paid', 0),
      ...watchesOf(PAID, 'acc_other', 30, 1_000),
    ];
    const notes = await evaluation.setRules(all, T0);
    const watched = all.map(({ rule }) => rule.id).filter((id) => !notes.has(id));
    const third = Math.floor(ALERT_WATCHES_MAX / 3);
    expect(watched.filter((id) => id.startsWith('acc_free'))).toEqual(['acc_free crown', 'acc_free hkjc']);
    expect(watched.filter((id) => id.startsWith('acc_other'))).toHaveLength(third);
    // Three quarters of the watches are in use. The first paid account has those that the others left.
    expect(watched.filter((id) => id.startsWith('acc_paid'))).toHaveLength(
      (ALERT_WATCHES_MAX * 3) / 4 - third - 2,
    );
    evaluation.close();
  });

  test('while many rules are set, the thread does other work', async () => {
    const evaluation = evaluationOf(slate, pool);
    const rules = Array.from({ length: 1_000 }, (_, index) =>
      watchedRule(`r${index}`, { when: { kind: 'low_hold' } }),
    );
    expect(await turnsDuring(() => evaluation.setRules(rules, T0))).toBeGreaterThanOrEqual(9);
    evaluation.close();
  });

  test('rules follow only the matches they name; when the followed matches change, open signals are not reported', async () => {
    const evaluation = evaluationOf(slate, pool);
    const nowMs = T0 + HALF_HOUR_MS + 20_000;
    const when = { kind: 'low_hold', max_hold_pct: 3, closed: true } as const;
    const [match] = slate.queries.slate.peek(nowMs);
    const elsewhere = watchedRule('elsewhere', { when, where: { event_id: encodeId('event', 4_000) } });
    const here = watchedRule('here', { when, where: { event_id: match!.view.id } });
    const everywhere = watchedRule('everywhere', { when });
    for (const rules of [[elsewhere], [elsewhere, here], [elsewhere, here, everywhere], [elsewhere, here]]) {
      await evaluation.setRules(rules, nowMs);
      expect(await evaluation.step(nowMs)).toEqual([]);
    }
    await evaluation.setRules([elsewhere, here, everywhere], nowMs);
    const closedMs = nowMs + 10_000;
    const dearer = (book: string): Wire => totals(book, 2.5, [1.7, 1.7], closedMs);
    slate.feed(['sbobet', 'hkjc'].map(dearer), closedMs);
    expect(await evaluation.step(closedMs)).toEqual([]);
    const againMs = closedMs + 10_000;
    slate.feed([totals('sbobet', 2.5, [1.9, 1.9], againMs)], againMs);
    const opened = await evaluation.step(againMs);
    expect(opened.map(({ watched, item }) => [watched.rule.id, item.change]).sort()).toEqual([
      ['everywhere', 'opened'],
      ['here', 'opened'],
    ]);
    evaluation.close();
  });

  test('rules with different thresholds that report the same signal all report its end, even if its match has left', async () => {
    const own = new WireSlate();
    const evaluation = evaluationOf(own, { scanHits: scannerOf(own.reader) });
    const rules = [6, 8, 10].map((max_hold_pct) => {
      const when = { kind: 'low_hold', max_hold_pct, closed: true, again_after_s: 0 } as const;
      return watchedRule(`hold ${max_hold_pct}`, { when });
    });
    let nowMs = T0;
    const step = async (...events: readonly Wire[]): Promise<unknown[]> => {
      nowMs += 10_000;
      own.feed(events, nowMs);
      return (await evaluation.step(nowMs)).map(({ watched, item }) => [
        ...[watched.rule.id, item.change, item.event?.home],
      ]);
    };
    const prices = (over: number): Wire[] => [
      totals('crown', 2.5, [1.5, 1.9], nowMs),
      totals('sbobet', 2.5, [over, 1.5], nowMs),
    ];
    const ofAll = (change: string): unknown[] => rules.map(({ rule }) => [rule.id, change, 'Reading']);
    await evaluation.setRules(rules, T0);
    await step(football('a', 'Reading', 'Stoke'));
    for (const end of [
      prices(1.5),
      [{ type: 'remove', seq: 1, at: new Date(T0).toISOString(), event: 'a' }],
    ]) {
      expect(await step(...prices(1.9))).toEqual(ofAll('opened'));
      expect(await step(...end)).toEqual(ofAll('closed'));
    }
    evaluation.close();
  });

  test('if the prices of one view cannot be compared, the other views report; that view reports once its prices can be compared', async () => {
    const own = new WireSlate();
    const scanHits = scannerOf(own.reader);
    /** The bookmakers of each view, in the order of the first step. */
    const masks: number[] = [];
    let failing: number | null = null;
    const scorer: Scorer = {
      scanHits: async (request) => {
        const { bookmakerMask } = request;
        if (bookmakerMask === failing) throw new ServiceError('upstream_unavailable', 'busy');
        if (!masks.includes(bookmakerMask)) masks.push(bookmakerMask);
        return await scanHits(request);
      },
    };
    const failures: string[] = [];
    const evaluation = evaluationOf(own, scorer, ({ message }) => failures.push(message));
    const rules = ['hkjc', 'pinnacle', 'sbobet'].map((bookmaker) =>
      watchedRule(bookmaker, {
        when: { kind: 'low_hold', max_hold_pct: 8, closed: true, again_after_s: 0 },
        where: { bookmakers: ['crown', bookmaker] },
      }),
    );
    let nowMs = T0;
    /** @returns the bookmakers whose rules report, and what they report, once all offer this price */
    const step = async (over: number): Promise<string[]> => {
      nowMs += 10_000;
      const prices = rules.map(({ rule }) => totals(rule.id, 2.5, [over, 1.5], nowMs));
      own.feed([totals('crown', 2.5, [1.5, 1.9], nowMs), ...prices], nowMs);
      return (await evaluation.step(nowMs)).map(({ watched, item }) => `${watched.rule.id} ${item.change}`);
    };
    own.feed([football('a', 'Reading', 'Stoke')], T0);
    await evaluation.setRules(rules, T0);
    expect(await step(1.5)).toEqual([]);
    failing = masks[1]!;
    expect(await step(1.9)).toEqual(['hkjc opened']);
    expect(await step(1.9)).toEqual(['sbobet opened']);
    expect(await step(1.5)).toEqual(['hkjc closed', 'sbobet closed']);
    expect(await step(1.9)).toEqual(['hkjc opened', 'sbobet opened']);
    expect(failures).toEqual(['busy', 'busy', 'busy', 'busy']);
    failing = null;
    expect(await step(1.9)).toEqual(['pinnacle opened']);
    evaluation.close();
  });

  test('a signal that was left out because there was no room is not reported as new when it changes later', async () => {
    const own = new WireSlate();
    const evaluation = evaluationOf(own, { scanHits: scannerOf(own.reader) });
    let nowMs = T0;
    /** @returns the lines that are reported once `over` has these prices on two lines */
    const step = async (...over: readonly number[]): Promise<unknown[]> => {
      nowMs += 10_000;
      const prices = over.flatMap((price, index) => [
        totals('crown', 2.5 + index, [1.5, 1.9], nowMs),
        totals('sbobet', 2.5 + index, [price, 1.5], nowMs),
      ]);
      own.feed(prices, nowMs);
      return (await evaluation.step(nowMs)).map(({ item }) =>
        item.text.replace(/^.*totals (.*), over.*$/, '$1'),
      );
    };
    own.feed([football('a', 'Reading', 'Stoke')], T0);
    const shares = new AccountShares(3);
    const lives = new RuleLives({ shares, holder: { accountId: 'acc_1', isPaid: true } });
    const rule = watchedRule('one place', { when: { kind: 'low_hold', max_hold_pct: 8 } });
    await evaluation.setRules([{ ...rule, lives }], T0);
    expect(await step(1.5, 1.5)).toEqual([]);
    expect(await step(1.9, 1.9)).toEqual(['2.5']);
    expect(lives.hasLeftOut(nowMs, LEFT_OUT_MS)).toBe(true);
    expect(await step(1.5, 1.92)).toEqual([]); // the signal of the first line ends, so there is room
    expect(await step(1.5, 1.91)).toEqual([]);
    expect(await step(1.5, 1.5)).toEqual([]);
    expect(await step(1.5, 1.9)).toEqual(['3.5']);
    evaluation.close();
  });
});
