// What happens when more signals, or more combinations of filters, are followed than the bounds allow.

import { describe, expect, test } from 'bun:test';
import type { StreamSignals } from '../../../src/contract/stream/stream-signals.ts';
import { decodeId } from '../../../src/domain/ids.ts';
import { ServiceError } from '../../../src/errors.ts';
import { HEARTBEAT_MS, SIGNAL_CHANNELS_MAX } from '../../../src/stream/limits.ts';
import { FIXTURES_PER_STEP } from '../../../src/stream/signals/signal-follower.ts';
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

describe('choices of signals beyond the bound', () => {
  test('once as many comparisons of prices are followed as allowed, another is refused with 503; a new follower of one of them is not', () => {
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

  test('once as many thresholds are followed as allowed, another is refused with 503, until one is no longer followed', () => {
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

test('channels compare and send one after another, those of paid plans first', async () => {
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

test('goal grids of many fixtures with value are fitted in steps, and other work runs between them', async () => {
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

test('a first comparison takes turns with other work, even if a turn is refused or its fixtures change', async () => {
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

test('followers that have thresholds of their own do not cause the slate to be scored again', async () => {
  const stage = new SignalStage();
  const hits = new Map<string, number>();
  const scored: number[] = [];
  const { scanHits } = stage.scorer;
  stage.scorer.scanHits = (request) => {
    scored.push(request.eventNumbers.length);
    return scanHits.call(stage.scorer, request);
  };
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

test('a slate whose feed is silent is not scored again until the next heartbeat', async () => {
  const stage = new SignalStage();
  const scored: number[] = [];
  const { scanHits } = stage.scorer;
  stage.scorer.scanHits = (request) => {
    scored.push(request.eventNumbers.length);
    return scanHits.call(stage.scorer, request);
  };
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
