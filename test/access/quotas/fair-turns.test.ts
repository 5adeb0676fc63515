// Work that is divided into turns: the order of callers, which jobs are refused, and that the event loop runs
// in between.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { FairTurns, type TurnCaller } from '../../../src/access/quotas/fair-turns.ts';
import { Questions } from '../../../src/http/kit/questions.ts';
import { until } from '../../support/condition.ts';

const KEY: TurnCaller = { name: 'key', hasKey: true };
const FREE_KEY: TurnCaller = { name: 'free', hasKey: true, isFree: true };
const STRANGER: TurnCaller = { name: '10.0.0.1', hasKey: false };

/** Turns on a clock that moves only by the cost of each job, and the order in which jobs ran. */
class Stage {
  nowMs = 0;
  readonly done: string[] = [];
  slices = 0;
  readonly turns = new FairTurns({ monotonicMs: () => this.nowMs, onWork: () => this.slices++ });

  ask(caller: TurnCaller, costMs = 10): void {
    this.turns.do(caller, () => {
      this.nowMs += costMs;
      this.done.push(caller.name);
    });
  }

  finished(): Promise<void> {
    return until('all jobs are done', () => this.turns.waitingCount === 0);
  }
}

describe('FairTurns', () => {
  test('a key waits for at most one caller without a key, no matter how many there are', async () => {
    const stage = new Stage();
    for (let index = 0; index < 500; index++) stage.ask({ name: `10.0.0.${index}`, hasKey: false });
    stage.ask(KEY);
    await stage.finished();
    expect(stage.done.indexOf('key')).toBeLessThanOrEqual(1);
    expect(stage.done.length).toBe(501);
  });

  /** Queues a job of many steps that pauses between them. */
  function askForSteps(
    stage: Stage,
    caller: TurnCaller,
    { steps, onStep }: { readonly steps: number; readonly onStep?: (step: number) => void },
  ): void {
    stage.turns.do(caller, async () => {
      for (let step = 0; step < steps; step++) {
        const paused = stage.turns.pause(caller);
        if (paused !== null) await paused;
        onStep?.(step);
        stage.nowMs += 1;
      }
      stage.done.push(caller.name);
    });
  }

  test('a key that comes while a long job runs is served before that job ends', async () => {
    for (const long of [STRANGER, FREE_KEY, { name: 'other', hasKey: true }]) {
      const stage = new Stage();
      const onStep = (step: number): void => {
        if (step === 10) stage.ask(KEY);
      };
      askForSteps(stage, long, { steps: 50, onStep });
      await until('both are done', () => stage.done.length === 2);
      expect(stage.done).toEqual(['key', long.name]);
    }
  });

  test('a paused job of a caller without a key continues before a job of any other address begins', async () => {
    const stage = new Stage();
    const addresses = Array.from({ length: 20 }, (_, index) => `10.0.0.${index}`);
    for (const name of addresses) askForSteps(stage, { name, hasKey: false }, { steps: 10 });
    await until('all are done', () => stage.done.length === addresses.length);
    expect(stage.done).toEqual(addresses);
  });

  test('a key with many jobs is served no more often than another key', async () => {
    const stage = new Stage();
    for (let index = 0; index < 300; index++) stage.ask(KEY);
    for (let index = 0; index < 5; index++) stage.ask({ name: 'other', hasKey: true });
    await stage.finished();
    expect(stage.done.lastIndexOf('other')).toBeLessThanOrEqual(10);
  });

  test('free keys together get one turn in four while a key of a paid plan waits, no matter how many they are', async () => {
    const stage = new Stage();
    for (let index = 0; index < 400; index++) stage.ask({ ...FREE_KEY, name: `free ${index}` });
    for (let index = 0; index < 30; index++) stage.ask(KEY);
    await stage.finished();
    const untilLast = stage.done.slice(0, stage.done.lastIndexOf('key'));
    expect(untilLast.filter((name) => name !== 'key').length).toBeLessThanOrEqual(10);
    expect(stage.done.length).toBe(430);
  });

  test('a free key gets turns while keys of paid plans keep a thread busy', async () => {
    const stage = new Stage();
    for (let index = 0; index < 100; index++) stage.ask(KEY);
    stage.ask(FREE_KEY);
    await stage.finished();
    expect(stage.done.indexOf('free')).toBeLessThanOrEqual(4);
  });

  test('free keys can fill only a queue of their own', () => {
    const stage = new Stage();
    const ask = (index: number): boolean =>
      stage.turns.tryTo({ ...FREE_KEY, name: `free ${index % 40}` }, () => undefined);
    expect(Array.from({ length: 4_000 }, (_, index) => ask(index)).every(Boolean)).toBe(false);
    expect(stage.turns.tryTo(KEY, () => undefined)).toBe(true);
  });

  test('callers without a key still get turns while keys keep a thread busy', async () => {
    const stage = new Stage();
    for (let index = 0; index < 100; index++) stage.ask(KEY);
    stage.ask(STRANGER);
    await stage.finished();
    expect(stage.done.indexOf(STRANGER.name)).toBeLessThanOrEqual(4);
  });

  test('each job runs once, in the order of its caller, no matter what other callers queue', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ who: fc.nat(4), hasKey: fc.boolean() }), { maxLength: 60 }),
        async (asked) => {
          const stage = new Stage();
          const done: { name: string; index: number }[] = [];
          for (const [index, { who, hasKey }] of asked.entries()) {
            const name = `${who} ${hasKey}`;
            stage.turns.do({ name, hasKey }, () => done.push({ name, index }));
          }
          await stage.finished();
          expect(done.length).toBe(asked.length);
          for (const name of new Set(done.map((one) => one.name))) {
            const own = done.filter((one) => one.name === name).map(({ index }) => index);
            expect(own).toEqual(own.toSorted((left, right) => left - right));
          }
        },
      ),
    );
  });

  test('one caller cannot fill the queue: it is refused while another is accepted', () => {
    const stage = new Stage();
    for (let index = 0; index < 64; index++) stage.ask(STRANGER);
    expect(() => stage.ask(STRANGER)).toThrow('too many requests are waiting');
    stage.ask({ name: '10.0.0.2', hasKey: false });
    for (let index = 0; index < 512; index++) stage.ask(KEY);
    expect(() => stage.ask(KEY)).toThrow('too many requests are waiting');
    stage.ask({ name: 'other', hasKey: true });
  });

  test('timers and messages run between slices of work, and each slice is reported', async () => {
    let slices = 0;
    const turns = new FairTurns({ monotonicMs: () => performance.now(), onWork: () => slices++ });
    let doneCount = 0;
    for (let index = 0; index < 20; index++) {
      turns.do(KEY, () => {
        const startMs = performance.now();
        while (performance.now() - startMs < 3) doneCount += 0;
        doneCount += 1;
      });
    }
    let doneWhenTimed = -1;
    setTimeout(() => {
      doneWhenTimed = doneCount;
    }, 0);
    await until('all are done', () => doneCount === 20);
    expect(doneWhenTimed).toBeGreaterThanOrEqual(0);
    expect(doneWhenTimed).toBeLessThan(20);
    expect(slices).toBe(20);
  });
});

describe('Questions', () => {
  function open() {
    const stage = new Stage();
    const state = { version: 1, computed: 0 };
    const questions = new Questions({
      turns: stage.turns,
      slateVersion: () => state.version,
      wallMs: () => stage.nowMs,
    });
    const ask = (caller: TurnCaller, options: { key?: string | null; isWanted?: boolean } = {}) =>
      questions.ask({
        caller,
        key: options.key === undefined ? 'sweep' : options.key,
        isWanted: () => options.isWanted ?? true,
        work: async () => ++state.computed,
      });
    return { ask, state, stage };
  }

  test('a question that many callers ask while it waits is computed once', async () => {
    const { ask, state } = open();
    const callers = Array.from({ length: 50 }, (_, index) => ({ name: `10.0.0.${index}`, hasKey: false }));
    expect(new Set(await Promise.all(callers.map((caller) => ask(caller))))).toEqual(new Set([1]));
    expect(state.computed).toBe(1);
  });

  test('a question that comes after the slate has changed does not get the earlier answer', async () => {
    const { ask, state, stage } = open();
    const { promise, resolve } = Promise.withResolvers<number>();
    const questions = new Questions({
      turns: stage.turns,
      slateVersion: () => state.version,
      wallMs: () => 0,
    });
    let started = 0;
    const slow = () =>
      questions.ask({
        caller: KEY,
        key: 'slow',
        isWanted: () => true,
        work: () => {
          started += 1;
          return started === 1 ? promise : Promise.resolve(2);
        },
      });
    const first = slow();
    await until('its work began', () => started === 1);
    const same = slow();
    state.version = 2;
    const later = slow();
    expect(await later).toBe(2);
    resolve(1);
    expect(await Promise.all([first, same])).toEqual([1, 1]);
    expect(await ask(KEY)).toBe(1);
  });

  test('a key does not wait for the turn of a caller without one, and a private question is not shared', async () => {
    const { ask, state } = open();
    await Promise.all([ask(STRANGER), ask(KEY), ask(KEY, { key: null }), ask(KEY, { key: null })]);
    expect(state.computed).toBe(4);
  });

  test('a question that waits in one caller’s long queue is computed earlier if a caller with a short queue asks it too', async () => {
    for (const [busy, other] of [
      [KEY, { name: 'other', hasKey: true }],
      [STRANGER, { name: '10.0.0.2', hasKey: false }],
    ] as const) {
      const { ask, stage, state } = open();
      for (let index = 0; index < 60; index++) stage.ask(busy);
      const answers = [ask(busy), ask(other), ask(other)];
      expect(await answers[1]).toBe(1);
      expect(stage.done.length).toBeLessThan(10);
      expect([await Promise.all(answers), state.computed]).toEqual([[1, 1, 1], 1]);
    }
  });

  test('a job that nobody waits for is not computed', async () => {
    const { ask, state } = open();
    await expect(ask(KEY, { isWanted: false })).rejects.toThrow('nobody waits');
    expect(state.computed).toBe(0);
    await Promise.all([ask(KEY, { isWanted: false }), ask(KEY)]);
    expect(state.computed).toBe(1);
  });
});
