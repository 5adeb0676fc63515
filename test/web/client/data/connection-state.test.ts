// Which state a page shows after a call failed.

import { expect, test } from 'bun:test';
import { ERRORS } from '../../../../src/errors.ts';
import { stateAfter } from '../../../../src/web/client/data/connection-state.ts';

function stateAfterStatus(status: number, scope: string | null = null) {
  return stateAfter({ status, scope });
}

test('only 503 means that there are no prices yet; any other server error is shown as a failure', () => {
  expect(stateAfterStatus(ERRORS.upstream_unavailable.status)).toBe('unavailable');
  for (const status of [ERRORS.internal.status, 502, 504]) expect(stateAfterStatus(status)).toBe('failed');
});

test('a call without an answer, one beyond a limit, and a refused one each have a state of their own', () => {
  expect(stateAfter(null)).toBe('reconnecting');
  expect(stateAfterStatus(0)).toBe('reconnecting');
  expect(stateAfterStatus(429)).toBe('limited');
  expect(stateAfterStatus(429, 'streams')).toBe('polling');
  for (const status of [400, 401, 403, 422]) expect(stateAfterStatus(status)).toBe('refused');
});
