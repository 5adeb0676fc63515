// Whose plans are counted together, and which requests count as a use of a plan.

import { expect, test } from 'bun:test';
import { systemClock } from '../../../src/clock.ts';
import type { Principal } from '../../../src/domain/tiers.ts';
import { ServiceError } from '../../../src/errors.ts';
import { createApp } from '../../../src/http/app.ts';
import { Answerer } from '../../../src/http/edge/answerer.ts';
import { BodyIntake } from '../../../src/http/edge/bodies/body-intake.ts';
import { HostCheck } from '../../../src/http/edge/host-check.ts';
import { createServerParts, ownBudget } from '../../../src/http/kit/create-server-parts.ts';
import { FormedAnswer } from '../../../src/http/kit/forms.ts';
import { Reply } from '../../../src/http/kit/reply.ts';
import { RequestContext } from '../../../src/http/kit/request/request-context.ts';
import { definePage } from '../../../src/http/kit/route.ts';
import { UrlPlans } from '../../../src/http/kit/url-plans.ts';
import { GOOD_KEY, TestGate, testRoutes } from '../kit.ts';

const FREE: Principal = { tier: 'free', seesSharp: false, keyId: 'key_1', ownerId: 'acc_1' };
const app = createApp(testRoutes());
const gate = new TestGate();
const parts = createServerParts({
  deps: {
    ...{ clock: systemClock, gate, publicUrl: 'http://odds.example', log: { error: () => {} } },
    ...{ nextRequestId: () => 'id', count: () => {}, reportsRequests: false, observe: () => {} },
  },
  peerOf: () => '127.0.0.1',
});

/**
 * Answers a request as a server does.
 * @returns the status
 */
async function ask(plans: UrlPlans, path: string): Promise<number> {
  const request = new Request(`http://localhost${path}`, { headers: { authorization: 'Bearer any' } });
  const context = new RequestContext(parts, request, { principal: FREE, needsAddress: false });
  const plan = plans.find(request);
  if (plan !== null) return (await plans.run(plan, context)).status;
  const answer = await app.find(request)(context);
  plans.remember(context);
  return answer.status;
}

test('the free keys of an account own a quarter of all plans together, the paid keys of an account half of them', async () => {
  const plans = new UrlPlans();
  const request = new Request('http://localhost/v1/things');
  const context = new RequestContext(parts, request);
  await app.find(request)(context);
  const addAll = (principal: Partial<Principal>) => {
    const before = plans.size;
    for (let url = 0; url < 4_200; url++) {
      const asked = new Request(`http://localhost/v1/things?q=${principal.keyId}${url}`);
      const seen = { request: asked, principal: { ...FREE, ...principal }, plan: context.plan };
      for (let sight = 0; sight < 2; sight++) plans.remember(seen);
    }
    return plans.size - before;
  };
  expect(addAll({ keyId: 'key_1' })).toBe(4_096);
  expect(addAll({ keyId: 'key_2' })).toBe(0);
  const paid = { ownerId: 'acc_3', tier: 'standard' } as const;
  expect(addAll({ ...paid, keyId: 'key_4' })).toBe(4_200);
  expect(addAll({ ...paid, keyId: 'key_5' })).toBe(8_192 - 4_200);
  expect(addAll({ keyId: 'key_3', ownerId: 'acc_2' })).toBe(4_096);
});

test('a refused request does not count as a use of a plan', async () => {
  const plans = new UrlPlans();
  const path = '/v1/things?q=a';
  for (let sight = 0; sight < 2; sight++) await ask(plans, path);
  const plan = plans.find(new Request(`http://localhost${path}`))!;
  gate.refusal = new ServiceError('rate_limit_exceeded', 'Cannot answer: too many requests');
  expect(await ask(plans, path)).toBe(429);
  expect(plan.wasUsed).toBe(false);
  gate.refusal = null;
  expect(await ask(plans, path)).toBe(200);
  expect(plan.wasUsed).toBe(true);
});

class ReadyAnswer extends FormedAnswer {
  readonly etag = '"v1"';

  body() {
    return { body: new Uint8Array(2), coding: null };
  }
}

test('a cached answer counts as a use of its plan', async () => {
  const plans = new UrlPlans();
  const kept = {
    ...definePage({ path: '/v1/kept', access: 'metered', handle: () => Reply.json({}) }),
    keep: () => ({ ready: () => new ReadyAnswer(), isAhead: () => false }),
  };
  const answerer = new Answerer({
    ...{ parts, plans, app: createApp([kept]), deadlineMs: 1_000 },
    hosts: new HostCheck([], 'http://odds.example'),
    bodies: new BodyIntake(systemClock, ownBudget()),
    loadNow: () => 'free',
  });
  const request = new Request('http://localhost/v1/kept', {
    headers: { host: 'localhost', authorization: GOOD_KEY },
  });
  const poll = async () => (await answerer.answer(request, 'free'))?.headers.get('etag');
  expect([await poll(), await poll()]).toEqual([null, null]);
  const plan = plans.find(request)!;
  expect(plan.wasUsed).toBe(false);
  expect(await poll()).toBe('"v1"');
  expect(plan.wasUsed).toBe(true);
});
