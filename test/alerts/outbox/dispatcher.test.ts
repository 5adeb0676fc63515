// The dispatcher with a database and endpoints that the test controls.

import { expect, test } from 'bun:test';
import { bodyOf } from '../../../src/alerts/delivery/payload.ts';
import type { ShareHolder } from '../../../src/alerts/outbox/account-shares.ts';
import type { DeliveryRow } from '../../../src/alerts/outbox/delivery.ts';
import { Dispatcher } from '../../../src/alerts/outbox/dispatcher.ts';
import type { QueuedDelivery } from '../../../src/alerts/outbox/endpoint-queue.ts';
import type { DeliveryOutcome, OutboxStore } from '../../../src/alerts/outbox/outbox-store.ts';
import { DELIVERIES_PER_S } from '../../../src/alerts/outbox/routes.ts';
import type { AlertRule } from '../../../src/alerts/rules/alert-rule.ts';
import { until } from '../../support/condition.ts';

const RULE: AlertRule = {
  ...{ id: 'rule', accountId: 'account', name: 'rule', when: { kind: 'match' }, where: {}, names: {} },
  ...{ to: { url: 'https://one.example/', format: 'raw' }, status: 'active', note: null },
  ...{ secretVersion: 1, rotatedAtMs: null, createdAtMs: 0 },
};

function delivery(id: string): QueuedDelivery {
  const body = bodyOf(RULE, [{ kind: 'match', change: 'live', id, text: id, event: null, details: {} }], 0);
  return { messageId: id, ruleId: RULE.id, life: id, body, merged: 1, tries: 0, dueAtMs: 0 };
}

function rowOf({ messageId, ruleId, life, body }: QueuedDelivery): DeliveryRow {
  const result = { sent_at_ms: null, status: null, error: null, answer: null };
  const times = { due_at_ms: 0, created_at_ms: 0 };
  return {
    ...{ id: 1, message_id: messageId, rule_id: ruleId, life, body },
    ...{ merged: 1, state: 'waiting', tries: 0, ...times, ...result },
  };
}

const OWNED = { rule: RULE, plan: 'enterprise', email: 'a@example.com', isVerified: true } as const;

/** A dispatcher whose endpoints accept everything, with what it sent and stored, and what it pruned. */
function opened(nowMs: () => number, answer = '') {
  const sent: QueuedDelivery[] = [];
  const pruned: ShareHolder[] = [];
  const stored: DeliveryOutcome[] = [];
  const settle = async (outcomes: readonly DeliveryOutcome[]): Promise<void> => void stored.push(...outcomes);
  const prune = async (holder: ShareHolder): Promise<void> => void pruned.push(holder);
  const dispatcher = new Dispatcher({
    store: { settle, merge: async () => {}, prune } as unknown as OutboxStore,
    clock: { wallMs: nowMs, monotonicMs: nowMs },
    random: () => 0,
    maySend: () => true,
    post: async (_rule, one) => {
      sent.push(one);
      return { status: 200, error: null, answer };
    },
    onStopped: async () => {},
    onError: (error) => expect(error).toBeNull(),
  });
  const allSent = () =>
    until('all are sent', () => {
      dispatcher.pump();
      return dispatcher.size === 0;
    });
  return { dispatcher, allSent, sent, pruned, stored };
}

test('deliveries that were merged after the database was read are not queued again', async () => {
  const { dispatcher, allSent, sent } = opened(() => 0);
  dispatcher.setRules([OWNED]);
  const all = Array.from({ length: DELIVERIES_PER_S + 5 }, (_, index) => delivery(`a${index}`));
  for (const each of all) dispatcher.add(each);
  const rows = all.map(rowOf);
  await allSent();
  expect(sent.at(-1)?.merged).toBe(6);
  dispatcher.load(rows);
  expect(dispatcher.size).toBe(0);
  await dispatcher.flush();
});

test('the store is pruned after 50 deliveries of an account; an account whose rules were removed and came back counts from 0', async () => {
  let nowMs = 0;
  const { dispatcher, allSent, pruned } = opened(() => nowMs);
  let count = 0;
  const finish = async (deliveries: number): Promise<void> => {
    for (const end = count + deliveries; count < end; count++) {
      nowMs += 1_000;
      dispatcher.add(delivery(`a${count}`));
      await allSent();
    }
    await dispatcher.flush();
  };
  dispatcher.setRules([OWNED]);
  await finish(49);
  dispatcher.setRules([]);
  dispatcher.setRules([OWNED]);
  await finish(1);
  expect(pruned).toEqual([]);
  await finish(49);
  expect(pruned).toEqual([{ accountId: RULE.accountId, isPaid: true }]);
  // Deliveries that failed without being sent count too.
  dispatcher.setRules([{ ...OWNED, plan: 'free' }]);
  dispatcher.noteFinished(RULE.id, 60);
  await dispatcher.flush();
  expect(pruned.slice(1)).toEqual([{ accountId: RULE.accountId, isPaid: false }]);
});

test('at most 512 characters of an answer are stored, with control characters replaced', async () => {
  const { dispatcher, allSent, stored } = opened(
    () => 0,
    `a\r\n\t\0\x07\x85é${'\x01'.repeat(504)}😀${'z'.repeat(3_000)}`,
  );
  dispatcher.setRules([OWNED]);
  dispatcher.add(delivery('a'));
  await allSent();
  await dispatcher.flush();
  const bad = '\u{fffd}';
  expect(stored.map(({ answer }) => answer)).toEqual([`a\r\n\t${bad.repeat(3)}é${bad.repeat(504)}`]);
});
