// The queue of one endpoint: order, pace, merging and retries, also against random endpoints.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  EndpointPace,
  EndpointQueue,
  FAILURES_MAX,
  HOLD_MAX_MS,
  MERGED_MAX,
  type QueuedDelivery,
  RETRY_AFTER_MS,
} from '../../../src/alerts/outbox/endpoint-queue.ts';
import { DELIVERIES_PER_S } from '../../../src/alerts/outbox/routes.ts';

const MIDDLE = 0.5;

function delivery(number: number, life: string, ruleId = 'r'): QueuedDelivery {
  return { messageId: String(number), ruleId, life, body: '', merged: 1, tries: 0, dueAtMs: 0 };
}

const idsOf = (deliveries: readonly QueuedDelivery[] | null) =>
  deliveries?.map(({ messageId }) => messageId) ?? null;

/** A queue with the whole pace of its endpoint, because the endpoint has no other queue. */
class PacedQueue extends EndpointQueue {
  readonly #paces = [new EndpointPace(DELIVERIES_PER_S)];

  override take(nowMs: number): readonly QueuedDelivery[] | null {
    return super.take(nowMs, this.#paces);
  }
}

describe('EndpointQueue', () => {
  test('deliveries are sent one at a time, in order', () => {
    const queue = new PacedQueue();
    const first = delivery(1, 'a');
    queue.add(first);
    queue.add(delivery(2, 'a'));
    expect(idsOf(queue.take(0))).toEqual(['1']);
    expect(queue.take(0)).toBeNull();
    queue.settle(first, 'taken', 0, MIDDLE);
    expect(idsOf(queue.take(0))).toEqual(['2']);
  });

  test('a delivery is retried after each pause of RETRY_AFTER_MS, and then fails', () => {
    const queue = new PacedQueue();
    queue.add(delivery(1, 'a'));
    let nowMs = 0;
    for (const pauseMs of RETRY_AFTER_MS) {
      const [taken] = queue.take(nowMs)!;
      const { state, dueAtMs } = queue.settle(taken!, 'failed', nowMs, MIDDLE);
      expect([state, dueAtMs - nowMs]).toEqual(['waiting', pauseMs]);
      expect(queue.take(dueAtMs - 1)).toBeNull();
      nowMs = dueAtMs;
    }
    expect(queue.settle(queue.take(nowMs)![0]!, 'failed', nowMs, MIDDLE).state).toBe('failed');
    expect(queue.size).toBe(0);
  });

  test('retries are spread by up to a fifth of their pause', () => {
    const pauses = [0, 1].map((unit) => {
      const queue = new PacedQueue();
      queue.add(delivery(1, 'a'));
      return queue.settle(queue.take(0)![0]!, 'failed', 0, unit).dueAtMs;
    });
    expect(pauses).toEqual([4_000, 6_000]);
  });

  test('alerts of other signals overtake an alert that waits for its retry; those of the same signal do not', () => {
    const queue = new PacedQueue();
    for (const [number, life] of [
      [1, 'a'],
      [2, 'a'],
      [3, 'b'],
    ] as const)
      queue.add(delivery(number, life));
    queue.settle(queue.take(0)![0]!, 'failed', 0, MIDDLE);
    expect(idsOf(queue.take(0))).toEqual(['3']);
  });

  test('the queue is not searched again while all deliveries wait; each is sent when it is due', () => {
    const queue = new PacedQueue();
    let readCount = 0;
    for (let number = 1; number <= 100; number++) {
      queue.add({
        ...delivery(number, ''),
        ...{ tries: 1, dueAtMs: 10_000 * number },
        get life() {
          readCount += 1;
          return String(number);
        },
      });
    }
    for (let nowMs = 0; nowMs < 10_000; nowMs += 10) expect(queue.take(nowMs)).toBeNull();
    expect(readCount).toBeLessThanOrEqual(200);
    const [first] = queue.take(10_000)!;
    expect(first?.messageId).toBe('1');
    queue.settle(first!, 'taken', 10_000, MIDDLE);
    expect(queue.take(19_999)).toBeNull();
    expect(idsOf(queue.take(20_000))).toEqual(['2']);
  });

  test('after a merged delivery failed, no later alert of its signals is sent before it', () => {
    const queue = new PacedQueue();
    queue.add({ ...delivery(1, 'a\nb'), merged: 2 });
    queue.add(delivery(2, 'b'));
    queue.settle(queue.take(0)![0]!, 'failed', 0, MIDDLE);
    expect(queue.take(0)).toBeNull();
  });

  test('a delivery that a killed process may have sent is not merged: it keeps its id and its body', () => {
    const queue = new PacedQueue();
    for (let number = 1; number <= DELIVERIES_PER_S + 3; number++) {
      queue.add({ ...delivery(number, `life ${number}`), isLoaded: true });
    }
    for (let sent = 0; sent < DELIVERIES_PER_S; sent++) {
      const taken = queue.take(0)!;
      expect(taken).toHaveLength(1);
      queue.settle(taken[0]!, 'taken', 0, MIDDLE);
    }
    expect(queue.take(0)).toBeNull();
    expect(idsOf(queue.take(1_000))).toEqual([String(DELIVERIES_PER_S + 1)]);
  });

  test('ten alerts a second are sent, and waiting alerts of one rule are merged', () => {
    const queue = new PacedQueue();
    for (let number = 0; number < 40; number++) {
      queue.add(delivery(number, `s${number}`, number % 4 === 3 ? 'other' : 'r'));
    }
    const sizes: number[] = [];
    for (let index = 0; index < DELIVERIES_PER_S; index++) {
      const taken = queue.take(0)!;
      sizes.push(taken.length);
      queue.settle(taken[0]!, 'taken', 0, MIDDLE);
    }
    expect(sizes.slice(0, -1)).toEqual(Array(DELIVERIES_PER_S - 1).fill(1));
    expect(sizes.at(-1)).toBeGreaterThan(1);
    expect(queue.take(0)).toBeNull();
    expect(queue.take(999)).toBeNull();
    expect(queue.take(1_000)).not.toBeNull();
  });

  test('an endpoint that requests a pause gets nothing before the pause ends; a pause is an hour at most', () => {
    const queue = new PacedQueue();
    queue.add(delivery(1, 'x'));
    queue.add(delivery(2, 'y'));
    const [first] = queue.take(0)!;
    queue.hold(60_000, 0);
    const { dueAtMs } = queue.settle(first!, 'failed', 0, 0.5);
    expect([dueAtMs, queue.take(59_999)]).toEqual([60_000, null]);
    expect(queue.take(60_000)!.map(({ messageId }) => messageId)).toEqual(['1']);
    queue.hold(1e15, 60_000);
    queue.settle(first!, 'refused', 60_000, 0.5);
    expect([queue.take(60_000 + HOLD_MAX_MS - 1), queue.isIdle(70_000)]).toEqual([null, false]);
    expect(queue.take(60_000 + HOLD_MAX_MS)!.map(({ messageId }) => messageId)).toEqual(['2']);
  });

  test('a delivery that is refused permanently is not tried again', () => {
    const queue = new PacedQueue();
    queue.add(delivery(1, 'x'));
    const [first] = queue.take(0)!;
    expect(queue.settle(first!, 'refused', 0, 0.5)).toMatchObject({ state: 'failed', isPaused: false });
    expect(queue.size).toBe(0);
  });

  test('FAILURES_MAX failures in a row pause the endpoint; one success starts the count again', () => {
    const failing = (count: number, queue: PacedQueue): boolean[] =>
      Array.from({ length: count }, (_, index) => {
        queue.add(delivery(index, `s${index}`));
        const nowMs = index * 1_000;
        return queue.settle(queue.take(nowMs)![0]!, 'gone', nowMs, MIDDLE).isPaused;
      });
    expect(failing(FAILURES_MAX, new PacedQueue())).toEqual([...Array(FAILURES_MAX - 1).fill(false), true]);
    const queue = new PacedQueue();
    failing(FAILURES_MAX - 1, queue);
    queue.add(delivery(-1, 'good'));
    queue.settle(queue.take(1e6)![0]!, 'taken', 1e6, MIDDLE);
    queue.add(delivery(-2, 'bad'));
    expect(queue.settle(queue.take(2e6)![0]!, 'gone', 2e6, MIDDLE).isPaused).toBe(false);
  });

  test('any deliveries with any answers are all sent, in order, at most ten a second', () => {
    const acts = fc.array(
      fc.oneof(
        fc.record({
          act: fc.constant('add' as const),
          life: fc.integer({ min: 0, max: 3 }),
          rule: fc.integer({ min: 0, max: 1 }),
        }),
        fc.record({ act: fc.constant('try' as const), isTaken: fc.boolean() }),
        fc.record({ act: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 700_000 }) }),
      ),
      { maxLength: 300 },
    );
    fc.assert(
      fc.property(acts, (list) => {
        const queue = new PacedQueue();
        const lastTaken = new Map<string, number>();
        const sentAtMs: number[] = [];
        let [nowMs, added, settled] = [0, 0, 0];
        const attempt = (isTaken: boolean): void => {
          const taken = queue.take(nowMs);
          if (taken === null) return;
          sentAtMs.push(nowMs);
          expect(sentAtMs.filter((atMs) => atMs > nowMs - 1_000).length).toBeLessThanOrEqual(
            DELIVERIES_PER_S,
          );
          expect(taken.length).toBeLessThanOrEqual(MERGED_MAX);
          expect(new Set(taken.map(({ ruleId }) => ruleId)).size).toBe(1);
          for (const { ruleId, life, messageId } of taken) {
            for (const one of life.split('\n')) {
              expect(Number(messageId)).toBeGreaterThanOrEqual(lastTaken.get(`${ruleId} ${one}`) ?? -1);
              lastTaken.set(`${ruleId} ${one}`, Number(messageId));
            }
          }
          const lives = [...new Set(taken.flatMap(({ life }) => life.split('\n')))].join('\n');
          const { state } = queue.settle(
            { ...taken[0]!, life: lives },
            isTaken ? 'taken' : 'failed',
            nowMs,
            MIDDLE,
          );
          settled += taken.length - (state === 'waiting' ? 1 : 0);
        };
        for (const act of list) {
          if (act.act === 'add')
            queue.add({ ...delivery(added++, `s${act.life}`, `r${act.rule}`), dueAtMs: nowMs });
          else if (act.act === 'wait') nowMs += act.ms;
          else attempt(act.isTaken);
        }
        for (let step = 0; step < 3_000 && queue.size > 0; step++) {
          attempt(true);
          nowMs += 30_000;
        }
        expect([queue.size, settled]).toEqual([0, added]);
      }),
      { numRuns: 150 },
    );
  });
});
