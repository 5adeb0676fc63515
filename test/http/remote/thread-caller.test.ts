// Calls over a message port: answers and errors keep their type, and no caller waits for ever.

import { afterEach, describe, expect, test } from 'bun:test';
import { type Holder, holderOf, strangerAt } from '../../../src/access/quotas/fair-shares.ts';
import { workingFor } from '../../../src/access/quotas/holder-now.ts';
import type { SharingPrincipal } from '../../../src/domain/tiers.ts';
import { ServiceError, ValidationError } from '../../../src/errors.ts';
import { serveCalls } from '../../../src/http/remote/serve-calls.ts';
import { ThreadCaller } from '../../../src/http/remote/thread-caller.ts';
import { until } from '../../support/condition.ts';

interface Sums {
  add(request: { readonly left: number; readonly right: number }): Promise<number>;
  refuse(request: { readonly how: 'service' | 'validation' | 'bug' }): Promise<number>;
  hang(request: object): Promise<number>;
}

const REFUSED = new ServiceError('plan_limit', 'Cannot add', {
  fix: 'Pay',
  retryAfterSeconds: 7,
  headers: { allow: 'GET' },
});
const INVALID = new ValidationError([
  { type: 'bad', loc: ['body', 'left'], msg: 'Should be even', input: null },
]);

let callers: ThreadCaller[] = [];
afterEach(() => {
  for (const caller of callers) caller.close();
  callers = [];
});

function connected({ pendingMax = 4 }: { pendingMax?: number } = {}) {
  const time = { nowMs: 0 };
  const clock = { wallMs: () => 0, monotonicMs: () => time.nowMs };
  const caller = new ThreadCaller({ clock, whom: 'the accounts', deadlineMs: 1_000, pendingMax });
  callers.push(caller);
  connect(caller);
  return { caller, time, sums: caller.functions<Sums>() };
}

function connect(caller: ThreadCaller): void {
  const { port1, port2 } = new MessageChannel();
  serveCalls(port1, {
    add: async ({ left, right }: { left: number; right: number }) => left + right,
    refuse: async ({ how }: { how: string }) => {
      if (how === 'service') throw REFUSED;
      if (how === 'validation') throw INVALID;
      throw new Error('a bug of ours');
    },
    hang: () => new Promise<number>(() => {}),
  });
  caller.connect(port2);
}

describe('ThreadCaller', () => {
  test('every answer reaches its own call', async () => {
    const { sums } = connected();
    const answers = await Promise.all([1, 2, 3].map((left) => sums.add({ left, right: 10 })));
    expect(answers).toEqual([11, 12, 13]);
  });

  test('the object of remote functions can be awaited, which calls none of them', async () => {
    const { sums } = connected();
    expect(await (await sums).add({ left: 1, right: 2 })).toBe(3);
  });

  test('expected failures reach the caller unchanged; a bug reaches it as an Error with its message', async () => {
    const { sums } = connected();
    const [service, validation, bug] = await Promise.all(
      (['service', 'validation', 'bug'] as const).map((how) => sums.refuse({ how }).catch((error) => error)),
    );
    expect(service).toBeInstanceOf(ServiceError);
    expect({ ...service, message: service.message }).toEqual({ ...REFUSED, message: REFUSED.message });
    expect(validation).toBeInstanceOf(ValidationError);
    expect(validation.detail).toEqual(INVALID.detail);
    expect(bug.message).toContain('a bug of ours');
    expect(bug).not.toBeInstanceOf(ServiceError);
  });

  test('a call is refused if the queue is full, the thread is missing or no answer comes in time', async () => {
    const { caller, sums, time } = connected({ pendingMax: 8 });
    const hanging = [sums.hang({}), sums.hang({}), ...Array.from({ length: 4 }, () => sums.hang({}))].map(
      (call) => call.catch((error) => error.message),
    );
    await expect(sums.add({ left: 1, right: 1 })).rejects.toThrow('too many requests wait');
    time.nowMs = 1_001;
    expect(await Promise.all(hanging)).toEqual(
      Array(6).fill('Cannot reach the accounts: it did not answer in time'),
    );
    expect(await sums.add({ left: 1, right: 1 })).toBe(2);
    caller.close();
    await expect(sums.add({ left: 1, right: 1 })).rejects.toThrow('its thread is starting');
  });

  test('callers without a key share a quarter of the open calls, so no key is refused because of them', async () => {
    const { sums } = connected({ pendingMax: 64 });
    const hang = (holder: Holder) =>
      workingFor(
        () => holder,
        () => sums.hang({}),
      ).catch(() => {});
    const add = (holder: Holder) =>
      workingFor(
        () => holder,
        () => sums.add({ left: 1, right: 1 }),
      );
    for (let address = 0; address < 200; address++) void hang(strangerAt(`10.0.0.${address}`));
    await expect(add(strangerAt('10.0.1.1'))).rejects.toMatchObject({
      message: expect.stringContaining('too many requests wait'),
      fix: expect.stringContaining('Use a key'),
    });
    const key = holderOf({ keyId: 'key', tier: 'standard' }, '');
    for (let call = 0; call < 15; call++) void hang(key);
    expect(await add(key)).toBe(2);
    void hang(key);
    await expect(add(key)).rejects.toThrow('too many requests wait');
    expect(await add(holderOf({ keyId: 'another', tier: 'standard' }, ''))).toBe(2);
  });

  test('keys of the free plan share a quarter of the open calls of keys, so no paid key is refused because of them', async () => {
    const { sums } = connected({ pendingMax: 64 });
    const call = (name: 'hang' | 'add', principal: SharingPrincipal) =>
      workingFor(
        () => holderOf(principal, ''),
        () => (name === 'hang' ? sums.hang({}) : sums.add({ left: 1, right: 1 })),
      );
    const refusals = { one: 0, many: 0 };
    for (let key = 0; key < 20; key++) {
      call('hang', { keyId: `key ${key}`, ownerId: 'account', tier: 'free' }).catch(() => refusals.one++);
    }
    await until('an account has its share', () => refusals.one === 16);
    expect(await call('add', { keyId: 'other', ownerId: 'other', tier: 'free' })).toBe(2);
    for (let key = 0; key < 200; key++) {
      call('hang', { keyId: `key ${key}`, ownerId: `account ${key}`, tier: 'free' }).catch(
        () => refusals.many++,
      );
    }
    await until('free keys have their share', () => refusals.many === 192);
    for (let key = 0; key < 35; key++) {
      void call('hang', { keyId: `paid ${key % 4}`, tier: 'standard' }).catch(() => {});
    }
    expect(await call('add', { keyId: 'customer', tier: 'standard' })).toBe(2);
  });

  test('twenty keys of one customer hold no more open calls than one key may, so no other customer is refused because of them', async () => {
    const { sums } = connected({ pendingMax: 64 });
    const call = (name: 'hang' | 'add', keyId: string, ownerId: string) =>
      workingFor(
        () => holderOf({ keyId, ownerId, tier: 'standard' }, ''),
        () => (name === 'hang' ? sums.hang({}) : sums.add({ left: 1, right: 1 })),
      );
    let refused = 0;
    for (let index = 0; index < 60; index++) {
      call('hang', `key ${index % 20}`, 'greedy').catch(() => refused++);
    }
    await until('the customer has its share', () => refused === 44);
    await expect(call('add', 'key 1', 'greedy')).rejects.toThrow('too many requests wait');
    expect(await call('add', 'key', 'customer')).toBe(2);
  });

  test('when a thread is replaced, open calls are refused and new calls go to the new thread', async () => {
    const { caller, sums } = connected();
    let lost = '';
    sums.hang({}).catch((error) => {
      lost = error.message;
    });
    connect(caller);
    await until('the call is refused', () => lost !== '');
    expect(lost).toContain('its thread was replaced');
    expect(await sums.add({ left: 2, right: 2 })).toBe(4);
  });
});
