// The console's form has every field of every kind of rule.

import { expect, test } from 'bun:test';
import { AlertWhere } from '../../../../src/contract/alerts/alert-rules.ts';
import { ALERT_KIND_FIELDS } from '../../../../src/domain/alerts/alert-fields.ts';
import { ALERT_KINDS } from '../../../../src/domain/signal-gate.ts';
import { draftOfAddress, fieldsOf, ruleOf } from '../../../../src/web/client/console/alert-fields.ts';

test.each(ALERT_KINDS)('the form has the fields of a rule of kind %s', (kind) => {
  const { when, whenMore, where, whereMore } = fieldsOf(kind);
  const { takes, refuses = [] } = ALERT_KIND_FIELDS[kind];
  expect([...when, ...whenMore].sort()).toEqual([...takes].sort());
  // The API accepts in_play false for steam, although it has no effect there.
  const left: readonly string[] = [...refuses, ...(kind === 'steam' ? ['in_play'] : [])];
  const expected = Object.keys(AlertWhere.properties).filter((field) => !left.includes(field));
  expect([...where, ...whereMore].map(String).sort()).toEqual(expected.sort());
});

test('an address is read as a rule with numbers, booleans and lists as the API accepts them, and without a webhook URL', () => {
  const draft = draftOfAddress(
    '?kind=value&min_edge_pct=3,5&min_ev_pct=&closed=true&in_play=false&markets=totals,1x2&url=https://a.test&format=slack&pct=4&id=x',
  );
  expect(ruleOf({ ...draft, name: 'n', url: 'https://b.test' })).toEqual({
    name: 'n',
    when: { kind: 'value', min_edge_pct: 3.5, closed: true },
    where: { in_play: false, markets: 'totals,1x2' },
    to: { url: 'https://b.test', format: 'raw' },
  } as never);
});
