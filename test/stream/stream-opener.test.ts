// WebSocket messages are handled in the turns of their callers, so floods of messages leave turns to
// customers and requests.

import { describe, expect, test } from 'bun:test';
import { FairTurns, turnCallerOf } from '../../src/access/quotas/fair-turns.ts';
import { createStreamMemory, StreamPlaces } from '../../src/access/quotas/stream-places.ts';
import { KEYLESS, type Principal, type TierKey } from '../../src/domain/tiers.ts';
import { ServiceError } from '../../src/errors.ts';
import { ClassCounts } from '../../src/stream/class-counts.ts';
import {
  FREE_MESSAGES_WAITING_MAX,
  FREE_STREAMS_OPEN_MAX,
  KEYLESS_MESSAGES_WAITING_MAX,
  KEYLESS_STREAMS_OPEN_MAX,
  PAID_MESSAGES_WAITING_MAX,
  PAID_STREAMS_OPEN_MAX,
} from '../../src/stream/limits.ts';
import { StreamOpener, type StreamParts } from '../../src/stream/stream-opener.ts';
import { until } from '../support/condition.ts';

class Stage {
  readonly turns = new FairTurns({ monotonicMs: () => 0 });
  readonly #opener = new StreamOpener({ turns: this.turns } as StreamParts);

  /** Sends messages of many keys in one turn of the event loop. @returns how many were refused */
  flood(tier: TierKey, { keys, each }: { readonly keys: number; readonly each: number }): number {
    let refused = 0;
    for (let index = 0; index < keys * each; index++) {
      if (!this.message(tier, `${tier}-${index % keys}`)) refused += 1;
    }
    return refused;
  }

  message(tier: TierKey, keyId: string | null, clientAddress = '192.0.2.1'): boolean {
    const principal: Principal = { tier, keyId, seesSharp: tier !== 'free' };
    try {
      this.#opener.inTurn({ principal, clientAddress }, () => undefined);
      return true;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return false;
    }
  }
}

describe('messages at their turn', () => {
  test('a flood of messages of free keys leaves turns to a customer', async () => {
    const stage = new Stage();
    expect(stage.flood('free', { keys: 40, each: 100 })).toBe(4_000 - FREE_MESSAGES_WAITING_MAX);
    for (let sent = 0; sent < 500; sent++) expect(stage.message('enterprise', 'customer')).toBeTrue();
    await until('all messages had their turn', () => stage.turns.waitingCount === 0);
    expect(stage.flood('free', { keys: 1, each: FREE_MESSAGES_WAITING_MAX })).toBe(0);
  });

  test('a flood of messages from many addresses leaves turns to visitors', () => {
    const stage = new Stage();
    for (let index = 0; index < 4_000; index++) stage.message('free', null, `192.0.2.${index % 200}`);
    expect(stage.turns.waitingCount).toBe(KEYLESS_MESSAGES_WAITING_MAX);
    for (let asked = 0; asked < 60; asked++) {
      expect(stage.turns.tryTo(turnCallerOf(KEYLESS, '198.51.100.1'), () => undefined)).toBeTrue();
    }
  });

  test('floods of messages of all keys together leave turns to requests', () => {
    const stage = new Stage();
    stage.flood('free', { keys: 40, each: 100 });
    expect(stage.flood('enterprise', { keys: 40, each: 100 })).toBe(4_000 - PAID_MESSAGES_WAITING_MAX);
    const customer: Principal = { tier: 'standard', keyId: 'customer', seesSharp: true };
    for (let asked = 0; asked < 100; asked++) {
      expect(stage.turns.tryTo(turnCallerOf(customer, '192.0.2.1'), () => undefined)).toBeTrue();
    }
  });
});

describe('places of streams', () => {
  const open = (opener: StreamOpener, principal: Principal, clientAddress: string): boolean => {
    try {
      opener.takePlace({ principal, clientAddress, nowMs: 0 });
      return true;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      expect(error.status).toBe(503);
      return false;
    }
  };
  const keyOf = (tier: TierKey, keyId: string): Principal => ({ tier, keyId, seesSharp: tier !== 'free' });

  test('callers without a key and free keys each have a part of the places for streams, and a /48 has a quarter of the first part; a customer still opens a stream', () => {
    const counts = new ClassCounts();
    const opened = (count: number, one: (index: number) => unknown): number =>
      Array.from({ length: count }, (_, index) => one(index)).filter((leave) => leave instanceof Function)
        .length;
    const ofNetwork = (index: number) => counts.add(KEYLESS, `2001:db8:7:${index.toString(16)}::1`);
    expect(opened(KEYLESS_STREAMS_OPEN_MAX, ofNetwork)).toBe(KEYLESS_STREAMS_OPEN_MAX / 4);
    const ofOthers = (index: number) => counts.add(KEYLESS, `10.${index >> 8}.${index & 0xff}.1`);
    expect(opened(KEYLESS_STREAMS_OPEN_MAX, ofOthers)).toBe((KEYLESS_STREAMS_OPEN_MAX * 3) / 4);
    const free = (index: number) => counts.add(keyOf('free', `free ${index}`), '192.0.2.1');
    expect(opened(FREE_STREAMS_OPEN_MAX + 10, free)).toBe(FREE_STREAMS_OPEN_MAX);
    expect(counts.add(keyOf('standard', 'customer'), '192.0.2.1')).toBeFunction();
  });

  test('the twenty keys of one account have a third of the places of all accounts; another account still opens one', () => {
    const opener = new StreamOpener({
      places: new StreamPlaces(createStreamMemory(16_384), 0),
    } as StreamParts);
    const ofAccount = (index: number): Principal => {
      return { ...keyOf('enterprise', `key ${index % 20}`), ownerId: 'account' };
    };
    let count = 0;
    while (count < 10_000 && open(opener, ofAccount(count), `192.0.2.${count % 256}`)) count += 1;
    expect(count).toBe(Math.floor(PAID_STREAMS_OPEN_MAX / 3));
    expect(open(opener, { ...keyOf('standard', 'key 20'), ownerId: 'account' }, '192.0.2.1')).toBe(false);
    expect(open(opener, { ...keyOf('standard', 'other key'), ownerId: 'other' }, '192.0.2.1')).toBe(true);
  });

  test('a stream that ends, or that is refused, leaves its place to the next stream', () => {
    const places = new StreamPlaces(createStreamMemory(8_192), 0);
    const opener = new StreamOpener({ places } as StreamParts);
    const stranger = (index: number) => ({
      ...{ principal: KEYLESS, nowMs: 0, clientAddress: `10.${index >> 8}.${index & 0xff}.1` },
    });
    const leave = opener.takePlace(stranger(0));
    for (let index = 1; index < KEYLESS_STREAMS_OPEN_MAX; index++) opener.takePlace(stranger(index));
    expect(open(opener, KEYLESS, '198.51.100.1')).toBe(false);
    leave();
    expect(open(opener, KEYLESS, '198.51.100.1')).toBe(true);
    expect(open(opener, keyOf('standard', 'customer'), '192.0.2.1')).toBe(true);
  });
});

test('a stream with signals counts as three whole slates for a caller without a key, and is not counted for a key', () => {
  const counted: (number | undefined)[] = [];
  const slatePace = {
    slate: (_left: AbortSignal, slates?: number) => {
      counted.push(slates);
      return null;
    },
  };
  const opener = new StreamOpener({ slatePace } as unknown as StreamParts);
  const left = new AbortController().signal;
  const stranger: Principal = { tier: 'free', keyId: null, seesSharp: false };
  opener.pace({ principal: stranger }, {}, left);
  opener.pace({ principal: stranger }, { signals: ['value'] }, left);
  opener.pace({ principal: { ...stranger, keyId: 'a' } }, { signals: ['value'] }, left);
  expect(counted).toEqual([1, 3]);
});
