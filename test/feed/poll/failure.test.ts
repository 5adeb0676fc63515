// HTTP statuses of upstreams that are failures.

import { expect, test } from 'bun:test';
import { failureOfStatus, PollFailure } from '../../../src/feed/poll/failure.ts';

test('no status of a failure is taken for a success', () => {
  for (let status = 300; status < 600; status++)
    expect(failureOfStatus(status, null)).toBeInstanceOf(PollFailure);
});
