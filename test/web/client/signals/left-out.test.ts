// The line below the signals that reports what the search left out.

import { expect, test } from 'bun:test';
import { EXCLUSIONS, type Excluded } from '../../../../src/domain/signal-gate.ts';
import type { SignalKind } from '../../../../src/web/client/data/signal-book.ts';
import { leftOutText } from '../../../../src/web/client/signals/left-out.ts';

const OTHER_KINDS: readonly SignalKind[] = ['arbitrage', 'middle', 'low_hold'];

function counts(some: Partial<Excluded>): Excluded {
  return { ...(Object.fromEntries(EXCLUSIONS.map((reason) => [reason, 0])) as Excluded), ...some };
}

test('every reason is written in words, and not by its name in the contract', () => {
  for (const reason of EXCLUSIONS) {
    const text = leftOutText(counts({ [reason]: 2 }), 'value');
    expect(text).toMatch(/^Left out: 2 [a-z][a-z, ]+\.$/);
    expect(text).not.toContain('undefined');
  }
  expect(leftOutText(counts({ no_reference: 2, suspended: 1 }), 'value')).toBe(
    'Left out: 1 suspended, 2 no price of the reference to compare with.',
  );
});

test('only the line below value counts lines without a sharp or reference price', () => {
  for (const kind of OTHER_KINDS) {
    expect(leftOutText(counts({ no_sharp: 3, no_reference: 2 }), kind)).toBeNull();
    expect(leftOutText(counts({ no_sharp: 3, suspended: 1 }), kind)).toBe('Left out: 1 suspended.');
  }
});
