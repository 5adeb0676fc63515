import { expect, test } from 'bun:test';
import {
  type AlertItem,
  bodyOf,
  ITEMS_MAX,
  mergedBody,
  parseBody,
} from '../../../src/alerts/delivery/payload.ts';

const RULE = { id: 'alr_1', name: 'A rule', secretVersion: 2, rotatedAtMs: null };
const item: AlertItem = { kind: 'match', change: 'live', id: 'a', text: '', event: null, details: {} };

test('merged bodies hold the first items in order, and count the rest', () => {
  const many = Array.from({ length: ITEMS_MAX + 5 }, (_, index) =>
    bodyOf(RULE, [{ ...item, text: `n${index}` }], index),
  );
  const { data } = parseBody(mergedBody(many));
  expect([data.merged, data.left_out, data.items.length]).toEqual([ITEMS_MAX + 5, 5, ITEMS_MAX]);
  expect(data.items[3]!.text).toBe('n3');
  expect(parseBody(mergedBody([mergedBody(many), many[0]!])).data.merged).toBe(ITEMS_MAX + 6);
});
