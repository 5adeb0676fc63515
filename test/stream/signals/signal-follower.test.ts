// What happens when more signals, or more combinations of filters, are followed than the bounds allow.

import { describe, expect, test } from 'bun:test';
import type { StreamSignals } from '../../../src/contract/stream/stream-signals.ts';
import { MARKET_TYPES } from '../../../src/domain/catalogue.ts';
import { decodeId } from '../../../src/domain/ids.ts';
import { classOf, KEYLESS } from '../../../src/domain/tiers.ts';
import { ServiceError } from '../../../src/errors.ts';
import { HEARTBEAT_MS, SIGNAL_CHANNELS_MAX } from '../../../src/stream/limits.ts';
import { OpenSignal } from '../../../src/stream/signals/open-signal.ts';
import { FIXTURES_PER_STEP } from '../../../src/stream/signals/signal-follower.ts';
import { type SignalCaller, signalCallerOf } from '../../../src/stream/signals/signal-shares.ts';
import { NARROW_AFTER_MS } from '../../../src/stream/signals/signal-watch.ts';
import { heartbeatWire, removeWire } from '../../feed/wire.ts';
import { until } from '../../support/condition.ts';
import { refusalOf } from '../../support/failure.ts';
import { turnsDuring } from '../../support/turns-during.ts';
import { fullFixture, SignalClient, SignalStage, TICK_MS, VIEWS } from '../signal-stage.ts';

const ALL = VIEWS[2]!; // the view of value from an edge of 0 upwards

describe('signals beyond the bound', () => {
  test('signals beyond the bound are counted, and are sent once others have closed', async () => {
    const stage = new SignalStage({ signals: 3, watches: 4 });
    const view = stage.view(ALL);
    const client = new SignalClient(stage, view);
    await stage.fire(TICK_MS);
    await stage.fire(TICK_MS);
    const all = [...stage.expected(view).keys()];
    expect(all.length).toBeGreaterThan(4);
    expect(client.open.size).toBe(3);
    for (const id of client.open.keys()) expect(all).toContain(id);
    const { data } = client.events.at(-1)!;
    expect((data as StreamSignals).left_out).toBeGreaterThan(0);

    for (const event of ['e1', 'e2', 'e3', 'e4']) {
      stage.apply({ kind: 'batch', wires: [{ wire: removeWire(0, event), agoS: 0 }] });
      await stage.fire(TICK_MS);
      const now = [...stage.expected(view).keys()];
      expect(client.open.size).toBe(Math.min(3, now.length));
      for (const id of client.open.keys()) expect(now).toContain(id);
    }
    await stage.fire(HEARTBEAT_MS);
    expect(client.events.at(-1)!.data).toMatchObject({ count: 0, left_out: 0 });
  });
});

describe('comparisons of prices and thresholds beyond the bound', () => {
  test('when as many comparisons of prices are followed as allowed, a further one is refused with 503; a new follower of one of them is accepted', () => {
    const stage = new SignalStage({ signals: 10, watches: 2 });
    const [sharp, common, weak, , , totals] = VIEWS.map((view) => stage.view(view));
    // Half of the room is reserved for tiers that see the sharp bookmaker.
    const alone = new SignalClient(stage, common!);
    const halfTime = stage.view({
      words: { signals: ['arbitrage'], period: 'half_time' },
      seesSharp: false,
    });
    expect(refusalOf(() => new SignalClient(stage, halfTime)).code).toBe('upstream_unavailable');
    alone.leave();
    const first = new SignalClient(stage, sharp!);
    const second = new SignalClient(stage, common!);
    // The same comparison with another threshold.
    const third = new SignalClient(stage, weak!);
    const refusal = refusalOf(() => new SignalClient(stage, totals!));
    expect([refusal.code, refusal.message]).toEqual([
      'upstream_unavailable',
      'Cannot follow signals: 2 other choices of bookmakers, markets and period are being followed',
    ]);
    second.leave();
    const fourth = new SignalClient(stage, totals!);
    for (const client of [first, third, fourth]) client.leave();
    expect([stage.channels.channelCount, stage.live.watchCount]).toEqual([0, 0]);
  });

  test('when as many thresholds are followed as allowed, a further one is refused with 503, until one is no longer followed', () => {
    const stage = new SignalStage();
    const viewOf = (index: number) =>
      stage.view({ words: { signals: ['value'], min_edge_pct: index / 100 }, seesSharp: true });
    const clients = Array.from(
      { length: SIGNAL_CHANNELS_MAX },
      (_, index) => new SignalClient(stage, viewOf(index)),
    );
    const refusal = refusalOf(() => new SignalClient(stage, viewOf(SIGNAL_CHANNELS_MAX)));
    expect([refusal.code, refusal.retryAfterSeconds]).toEqual(['upstream_unavailable', 5]);
    clients.pop()!.leave();
    clients.push(new SignalClient(stage, viewOf(SIGNAL_CHANNELS_MAX)));
    expect(stage.channels.channelCount).toBe(SIGNAL_CHANNELS_MAX);
  });
});

describe('shares of signals', () => {
  const BOOKMAKERS = ['crown', 'sbobet', 'macau', 'm8bet', 'nova88'] as const;
  /** Filters that need different comparisons of prices, so no two of them can share one. */
  const choiceOf = (stage: SignalStage, index: number, seesSharp: boolean) => {
    const bookmakers = BOOKMAKERS.filter((_, bit) => (((index % 31) + 1) >> bit) % 2 === 1);
    const markets = [MARKET_TYPES[Math.floor(index / 31) % 3]!];
    const period = index < 93 ? 'full_time' : 'half_time';
    return stage.view({ words: { signals: ['arbitrage'], bookmakers, markets, period }, seesSharp });
  };
  /** Follows further choices until one is refused. @returns the clients */
  const followMany = (stage: SignalStage, callerOf: (index: number) => SignalCaller, from = 0) => {
    const clients: SignalClient[] = [];
    for (let index = from; index < from + 20; index++) {
      const caller = callerOf(index);
      const seesSharp = classOf(caller) === 'paid';
      try {
        clients.push(new SignalClient(stage, choiceOf(stage, index, seesSharp), caller));
      } catch (error) {
        expect(error).toBeInstanceOf(ServiceError);
      }
    }
    return clients;
  };
  const stranger = (index: number): SignalCaller => signalCallerOf(KEYLESS, `2001:db8:${index}::1`);
  const freeKey = (ownerId: string): SignalCaller =>
    signalCallerOf({ keyId: `key of ${ownerId}`, ownerId, tier: 'free' }, '');
  const customer = (ownerId: string, keyId = ownerId): SignalCaller =>
    signalCallerOf({ keyId, ownerId, tier: 'standard' }, '');

  test('strangers, free keys and one customer each leave comparisons to others; all may join those in use', () => {
    const stage = new SignalStage();
    expect(followMany(stage, stranger)).toHaveLength(4);
    expect(followMany(stage, () => freeKey('greedy'), 20)).toHaveLength(1);
    expect(followMany(stage, (index) => freeKey(`account ${index}`), 40)).toHaveLength(3);
    const greedy = followMany(stage, (index) => customer('greedy', `key ${index}`), 60);
    expect(greedy).toHaveLength(4);
    const refusal = refusalOf(
      () => new SignalClient(stage, choiceOf(stage, 100, true), customer('greedy', 'another key')),
    );
    expect([refusal.code, refusal.message]).toEqual([
      'upstream_unavailable',
      'Cannot follow signals: your share of different choices of bookmakers, markets and period is in use',
    ]);
    for (let index = 0; index < 4; index++) {
      const other = customer(`customer ${index}`);
      new SignalClient(stage, choiceOf(stage, 80 + index, true), other);
      new SignalClient(stage, choiceOf(stage, 60, true), other);
    }
    new SignalClient(stage, choiceOf(stage, 0, false), stranger(99));
  });

  test('a comparison that only another class follows may be joined; the remaining ones are reserved for others', () => {
    const stage = new SignalStage();
    expect(followMany(stage, stranger)).toHaveLength(4);
    expect(followMany(stage, (index) => customer(`customer ${index}`), 20)).toHaveLength(12);
    new SignalClient(stage, choiceOf(stage, 0, false), freeKey('one'));
    expect(() => new SignalClient(stage, choiceOf(stage, 1, false), freeKey('one'))).toThrow(ServiceError);
    new SignalClient(stage, choiceOf(stage, 1, false), freeKey('another'));
  });

  test('one network or free account has a few thresholds, all of its class a quarter, and a customer as much', () => {
    const followed = (stage: SignalStage, callerOf: (index: number) => SignalCaller) => {
      let count = 0;
      for (let index = 0; index < 200; index++) {
        const caller = callerOf(index);
        const words = { signals: ['value'], min_edge_pct: index / 100 } as const;
        const view = stage.view({ words, seesSharp: classOf(caller) === 'paid' });
        const before = stage.channels.channelCount;
        try {
          new SignalClient(stage, view, caller);
        } catch (error) {
          expect(error).toBeInstanceOf(ServiceError);
        }
        count += stage.channels.channelCount - before;
      }
      return count;
    };
    const stage = new SignalStage();
    expect(followed(stage, () => stranger(1))).toBe(16);
    expect(followed(stage, stranger)).toBe(48);
    const further = stage.view({ words: { signals: ['value'], min_edge_pct: 3 }, seesSharp: true });
    new SignalClient(stage, further, customer('another'));
    expect(followed(stage, () => customer('greedy'))).toBe(64);
    expect(followed(stage, () => customer('third'))).toBeGreaterThan(0);
    expect(followed(new SignalStage(), () => customer('the only one'))).toBe(128);
  });

  test('the only customer that follows signals has half of the comparisons, and others still get a first one', () => {
    const stage = new SignalStage();
    const alone = followMany(stage, (index) => customer('first', `key ${index}`));
    expect(alone).toHaveLength(8);
    for (let index = 20; index < 28; index++)
      new SignalClient(stage, choiceOf(stage, index, true), customer(`customer ${index}`));
    for (const client of alone.splice(0, 4)) client.leave();
    expect(followMany(stage, () => customer('first'), 40)).toHaveLength(0);
    for (const client of alone.splice(0, 2)) client.leave();
    expect(followMany(stage, () => customer('customer 20'), 60)).toHaveLength(2);
  });

  test('a second customer has its share while the first still has what it got alone, and further ones a first one', () => {
    const stage = new SignalStage();
    const alone = followMany(stage, () => customer('first'));
    expect(alone).toHaveLength(8);
    expect(followMany(stage, () => customer('second'), 20)).toHaveLength(4);
    expect(followMany(stage, stranger, 40)).toHaveLength(0);
    expect(followMany(stage, () => customer('third'), 60)).toHaveLength(2);
    expect(followMany(stage, () => customer('fourth'), 80)).toHaveLength(1);
    expect(followMany(stage, () => customer('fifth'), 100)).toHaveLength(1);
    for (const client of alone.splice(0, 6)) client.leave();
    expect(followMany(stage, () => customer('third'), 120)).toHaveLength(2);
    expect(followMany(stage, stranger, 40)).toHaveLength(0);
  });

  test('beside strangers, and a customer that was alone, a third and a fourth customer each get a first comparison', () => {
    const stage = new SignalStage();
    expect(followMany(stage, stranger)).toHaveLength(4);
    expect(followMany(stage, () => customer('first'), 20)).toHaveLength(8);
    expect(followMany(stage, () => customer('second'), 40)).toHaveLength(2);
    expect(followMany(stage, () => customer('third'), 60)).toHaveLength(1);
    expect(followMany(stage, () => customer('fourth'), 80)).toHaveLength(1);
  });

  test('when the caller leaves that a comparison counts for, the comparison counts for its next follower', () => {
    const stage = new SignalStage();
    new SignalClient(stage, choiceOf(stage, 60, true), customer('third'));
    const clients = followMany(stage, () => customer('first'));
    expect(clients).toHaveLength(4);
    for (const [index] of clients.entries())
      new SignalClient(stage, choiceOf(stage, index, true), customer('second'));
    for (const client of clients) client.leave();
    expect(followMany(stage, () => customer('second'), 20)).toHaveLength(0);
    expect(followMany(stage, () => customer('first'), 40)).toHaveLength(4);
  });
});

test('channels compare prices and send signals one after another, those of paid plans first', async () => {
  const stage = new SignalStage();
  const waiting = new Map<string, () => void>();
  stage.turn = ({ name, hasKey }) =>
    new Promise((resolve) => waiting.set(`${hasKey ? 'paid' : 'free'} ${name}`, resolve));
  const clients = [VIEWS[0]!, VIEWS[1]!, ALL].map((words) => new SignalClient(stage, stage.view(words)));
  await until('each has come to the comparison', () => waiting.size === clients.length);
  const paid = [VIEWS[0]!, VIEWS[1]!, ALL].filter(({ seesSharp }) => seesSharp).length;
  expect([...waiting.keys()].filter((name) => name.startsWith('paid'))).toHaveLength(paid);
  let served = 0;
  expect(clients.filter(({ events }) => events.length > 0)).toHaveLength(served);
  for (const run of waiting.values()) {
    run();
    served += 1;
    const countOf = () => clients.filter(({ events }) => events.length > 0).length;
    await until('the readers of the channel are served', () => countOf() > served - 1);
    expect(countOf()).toBe(served);
  }
  for (const client of clients) client.leave();
});

test('the many readers of one channel are sent its summary over several turns, in which some leave', async () => {
  const stage = new SignalStage();
  const view = stage.view(ALL);
  const clients = Array.from({ length: 200 }, () => new SignalClient(stage, view));
  for (let tick = 0; tick < 2; tick++) await stage.fire(TICK_MS);
  stage.apply({ kind: 'batch', wires: [{ wire: removeWire(0, 'e1'), agoS: 0 }] });
  await stage.fire(TICK_MS);
  const countOf = () => clients.filter(({ events }) => events.at(-1)!.event === 'signals').length;
  expect(countOf()).toBe(0);
  stage.readMs = 1;
  const counts: number[] = [];
  await turnsDuring(
    () => stage.fire(HEARTBEAT_MS),
    () => {
      counts.push(countOf());
      if (counts.length === 1) clients.at(-1)!.leave();
    },
  );
  expect([counts.length > 10, countOf()]).toEqual([true, clients.length - 1]);
});

test('a client that reads slowly causes the ids only of signals that it was sent', async () => {
  const stage = new SignalStage();
  const client = new SignalClient(stage, stage.view(ALL));
  client.stall();
  const ids = Object.getOwnPropertyDescriptor(OpenSignal.prototype, 'id')!;
  let idCount = 0;
  Object.defineProperty(OpenSignal.prototype, 'id', {
    ...ids,
    get(this: OpenSignal) {
      idCount += 1;
      return ids.get!.call(this) as string;
    },
  });
  try {
    await stage.fire(TICK_MS);
    client.read();
    await stage.fire(TICK_MS);
    expect(idCount).toBe(1);
  } finally {
    Object.defineProperty(OpenSignal.prototype, 'id', ids);
  }
});

test('goal grids of many fixtures with value are computed in steps, and other work runs between them', async () => {
  const stage = new SignalStage();
  const names = Array.from({ length: 3 * FIXTURES_PER_STEP }, (_, index) => `more${index}`);
  const wires = names.flatMap((name) => fullFixture(name, '2026-03-02T12:00:00Z'));
  stage.apply({ kind: 'batch', wires: wires.map((wire) => ({ wire, agoS: 0 })) });
  const view = stage.view(ALL);
  const follower = stage.live.follow(view);
  const turns = await turnsDuring(() => follower.step(stage.desk.nowMs, false));
  expect(turns).toBeGreaterThanOrEqual(names.length / FIXTURES_PER_STEP);
  const ids = follower.current(stage.desk.nowMs).map(({ id }) => id);
  expect(ids.sort()).toEqual([...stage.expected(view).keys()].sort());
  expect(ids.length).toBeGreaterThan(names.length);
  follower.stop();
});

test('a new follower’s first comparison of prices is done in turns with other work, even if a turn is refused or fixtures change meanwhile', async () => {
  const stage = new SignalStage();
  const names = Array.from({ length: 3 * FIXTURES_PER_STEP }, (_, index) => `more${index}`);
  const wires = names.flatMap((name) => fullFixture(name, '2026-03-02T12:00:00Z'));
  stage.apply({ kind: 'batch', wires: wires.map((wire) => ({ wire, agoS: 0 })) });
  const view = stage.view(ALL);
  const follower = stage.live.follow(view);
  const refusedAt = 2;
  let turns = 0;
  const refused = follower.step(stage.desk.nowMs, false, async () => {
    if (++turns === refusedAt)
      throw new ServiceError('upstream_unavailable', 'too many jobs wait', { fix: '' });
  });
  await expect(refused).rejects.toThrow('too many jobs wait');
  expect([turns, follower.hasBegun]).toEqual([refusedAt, false]);

  const expected = stage.expected(view);
  const some = new Set([...expected.keys()].slice(0, 3).map((id) => decodeId('event', id.split(':')[1]!)));
  turns = 0;
  await follower.step(stage.desk.nowMs, false, async () => {
    turns += 1;
    if (turns === 2) follower.followOnly(some, stage.desk.nowMs);
    if (turns === 3) follower.followOnly(null, stage.desk.nowMs);
  });
  expect(turns).toBeGreaterThanOrEqual((names.length - FIXTURES_PER_STEP) / FIXTURES_PER_STEP);
  const shown = follower.current(stage.desk.nowMs).map(({ id }) => id);
  expect(shown.sort()).toEqual([...expected.keys()].sort());
  follower.stop();
});

test('followers with thresholds of their own do not cause the slate to be scored again', async () => {
  const stage = new SignalStage();
  const hits = new Map<string, number>();
  const scored = scoredBy(stage);
  for (let hundredth = 299; hundredth >= 200; hundredth--) {
    const words = { signals: ['value'], min_edge_pct: hundredth / 100 } as const;
    const follower = stage.live.follow(stage.view({ words, seesSharp: true }));
    await follower.step(stage.desk.nowMs, false);
    const expected = stage.expected(follower.view);
    expect(
      follower
        .current(stage.desk.nowMs)
        .map(({ id }) => id)
        .sort(),
    ).toEqual([...expected.keys()].sort());
    hits.set(follower.view.id, expected.size);
  }
  expect(hits.size).toBe(100);
  expect(Math.max(...hits.values())).toBeGreaterThan(0);
  expect(scored).toHaveLength(1);
});

test('a minute after a follower has left, the search is only for what the others want, and returning soon costs nothing', async () => {
  const stage = new SignalStage();
  const scans: { readonly minEdge: number; readonly minMargin: number; readonly count: number }[] = [];
  const { scanHits } = stage.scorer;
  stage.scorer.scanHits = (request) => {
    const { minEdge, minMargin, eventNumbers } = request;
    scans.push({ minEdge, minMargin, count: eventNumbers.length });
    return scanHits.call(stage.scorer, request);
  };
  const follow = (words: Parameters<SignalStage['view']>[0]['words']) =>
    stage.live.follow(stage.view({ words, seesSharp: true }));
  const own = follow({ signals: ['value', 'arbitrage'], min_edge_pct: 3, min_margin_pct: 1 });
  const joinWide = () => follow({ signals: ['value', 'low_hold'], min_edge_pct: 0, max_hold_pct: 10 });
  /** What is searched for when something changes after some seconds. */
  const searchAfter = async (seconds: number) => {
    stage.apply({ kind: 'time', seconds });
    stage.apply({ kind: 'batch', wires: [{ wire: heartbeatWire(0), agoS: 0 }] });
    stage.apply({ kind: 'batch', wires: [{ wire: fullFixture('e1', null)[1]!, agoS: 0 }] });
    scans.length = 0;
    await own.step(stage.desk.nowMs, false);
    expect(
      own
        .current(stage.desk.nowMs)
        .map(({ id }) => id)
        .sort(),
    ).toEqual([...stage.expected(own.view).keys()].sort());
    return scans.map(({ minEdge, minMargin }) => ({ minEdge, minMargin }));
  };
  const narrow = { minEdge: 0.03, minMargin: 0.01 };
  const wide = { minEdge: 0, minMargin: -0.1 };
  expect(await searchAfter(0)).toEqual([narrow]);
  const other = joinWide();
  expect(stage.live.watchCount).toBe(1);
  expect(await searchAfter(1)).toEqual([wide]);
  other.stop();
  expect(await searchAfter(1)).toEqual([wide]);
  // A follower that comes back within the minute finds its search going on.
  const back = joinWide();
  scans.length = 0;
  await back.step(stage.desk.nowMs, false);
  expect(scans).toEqual([]);
  back.stop();
  expect(await searchAfter(NARROW_AFTER_MS / 1_000 - 1)).toEqual([wide]);
  expect(await searchAfter(1)).toEqual([narrow]);
  expect(scans).toMatchObject([{ count: 1 }]); // only the fixture that has changed
  own.stop();
});

test('a definition of steam or moves that only a former follower had does not keep others from the comparison', async () => {
  const stage = new SignalStage();
  const follow = (words: Parameters<SignalStage['view']>[0]['words']) =>
    stage.live.follow(stage.view({ words, seesSharp: true }));
  const stayed = follow({ signals: ['value'] });
  const former = follow({ signals: ['steam', 'move'], owners: 2, within_s: 60 });
  expect(stage.live.watchCount).toBe(1);
  const other = { signals: ['steam', 'move'], owners: 3, within_s: 300 } as const;
  const apart = follow(other);
  expect(stage.live.watchCount).toBe(2);
  apart.stop();
  former.stop();
  const searched: unknown[] = [];
  const { scanHits } = stage.scorer;
  stage.scorer.scanHits = (request) => {
    searched.push(request.kinds?.steam);
    return scanHits.call(stage.scorer, request);
  };
  const next = follow(other);
  expect([stage.live.watchCount, next.watch === stayed.watch]).toEqual([1, true]);
  await next.step(stage.desk.nowMs, false);
  expect(searched).toMatchObject([{ owners: 3, withinS: 300 }]);
});

test('a slate whose feed is silent is not scored again until the next heartbeat', async () => {
  const stage = new SignalStage();
  const scored = scoredBy(stage);
  const follower = stage.live.follow(stage.view({ words: { signals: ['value'] }, seesSharp: true }));
  const stepAfter = async (seconds: number): Promise<number> => {
    scored.length = 0;
    stage.apply({ kind: 'time', seconds });
    await follower.step(stage.desk.nowMs, false);
    return scored.length;
  };
  await stepAfter(0);
  expect(await stepAfter(400)).toBe(1); // every quote has become stale
  for (let second = 0; second < 20; second++) expect(await stepAfter(1)).toBe(0);
  stage.apply({ kind: 'batch', wires: [{ wire: heartbeatWire(0), agoS: 0 }] });
  expect(await stepAfter(0)).toBe(1);
  expect(follower.current(stage.desk.nowMs).length).toBe(stage.expected(follower.view).size);
});

/** The number of fixtures in each scan of a stage from now on. */
function scoredBy({ scorer }: SignalStage): number[] {
  const scored: number[] = [];
  const { scanHits } = scorer;
  scorer.scanHits = (request) => {
    scored.push(request.eventNumbers.length);
    return scanHits.call(scorer, request);
  };
  return scored;
}
