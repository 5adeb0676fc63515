// A rehearsal calls a thread's routes like callers of both views; it is not charged, counted or logged.

import { expect, test } from 'bun:test';
import { systemClock } from '../../../src/clock.ts';
import { rehearse } from '../../../src/http/edge/rehearsal.ts';
import { Reply } from '../../../src/http/kit/reply.ts';
import { definePage } from '../../../src/http/kit/route.ts';
import { createPolledApp } from '../../../src/http/polled-app.ts';
import { TestGate } from '../kit.ts';

function never(): never {
  throw new Error('a rehearsal is seen');
}

class UntouchedGate extends TestGate {
  override identify = never;
  override charge = never;
  override record = never;
}

test('rehearse: requests each path for both views, a second time with the tag of the first answer, and counts no request', () => {
  const asked: string[] = [];
  const page = definePage({
    path: '/v1/rehearsed',
    handle: ({ principal, ifNoneMatch }) => {
      asked.push(`${principal.tier} ${principal.seesSharp} ${ifNoneMatch}`);
      return new Reply('{}', { etag: '"as it is"' });
    },
  });
  const route = { ...page, access: 'metered', thread: 'http' } as const;
  rehearse({
    app: createPolledApp([route]),
    deps: {
      clock: systemClock,
      gate: new UntouchedGate(),
      publicUrl: 'https://odds.example/behind/a/proxy',
      log: { error: never },
      nextRequestId: never,
      count: never,
      reportsRequests: true,
      observe: never,
    },
    paths: ['/v1/rehearsed'],
  });
  const views = ['enterprise true', 'free false'];
  expect(asked).toEqual(
    views.flatMap((view) => Array.from({ length: 4 }, () => [`${view} null`, `${view} "as it is"`]).flat()),
  );
});
