// Polls that nobody sent, answered to nobody. The engine reads code when it is called for the first time, and tables of texts are
// made when they are first needed; without a rehearsal the first poll of a thread, and all that come meanwhile, wait ten
// milliseconds for that. Nothing of it is charged, counted or told.

import type { Admission, Gate } from '../../access/gate.ts';
import type { Principal } from '../../domain/tiers.ts';
import type { HttpApp } from '../app.ts';
import { createServerParts } from '../kit/create-server-parts.ts';
import type { HttpDeps } from '../kit/server-parts.ts';
import { UrlPlans } from '../kit/url-plans.ts';
import { Answerer } from './answerer.ts';
import { HostCheck } from './host-check.ts';

export interface RehearsalOptions {
  /** Of this rehearsal alone: what it keeps of answers is thrown away. */
  readonly app: HttpApp;
  readonly deps: HttpDeps;
  /** With queries. */
  readonly paths: readonly string[];
}

/** An URL has a plan from the second time on, and an answer is kept from the third on; then a few with all of that. */
const ROUNDS = 8;
const AUTHORIZATION = 'Bearer rehearsal';
const CALLERS: readonly Principal[] = [
  { tier: 'enterprise', seesSharp: true, keyId: 'rehearsal' },
  { tier: 'free', seesSharp: false, keyId: 'rehearsal' },
];
const BUDGET = { limit: 1, remaining: 1, resetAtS: 0 };

/** Answers GET of each path a few times, as a hit, as a 304 and without a plan. */
export function rehearse({ app, deps, paths }: RehearsalOptions): void {
  // A public address may have a path, which a proxy takes off.
  const { origin, host } = new URL(deps.publicUrl);
  for (const caller of CALLERS) {
    const answerer = answererOf(app, { ...deps, gate: openTo(caller), ...QUIET });
    for (const path of paths) {
      let tag: string | null = null;
      for (let round = 0; round < ROUNDS; round += 1) {
        const headers = { host, authorization: AUTHORIZATION };
        const request = new Request(origin + path, {
          headers: tag === null || round % 2 === 0 ? headers : { ...headers, 'if-none-match': tag },
        });
        const answer = answerer.answer(request, false);
        if (answer instanceof Response) tag = answer.headers.get('etag');
      }
    }
  }
}

const QUIET: Pick<HttpDeps, 'nextRequestId' | 'count' | 'tellsRequests' | 'observe'> = {
  nextRequestId: () => 'rehearsal',
  count: () => undefined,
  tellsRequests: false,
  observe: () => undefined,
};

function answererOf(app: HttpApp, deps: HttpDeps): Answerer {
  const parts = createServerParts({ deps, peerOf: () => '127.0.0.1' });
  const hosts = new HostCheck([], deps.publicUrl);
  return new Answerer({ parts, app, hosts, plans: new UrlPlans(), deadlineMs: 0 });
}

/** Lets everybody in as this caller, for nothing. */
function openTo(principal: Principal): Gate {
  const admission: Admission = { ...BUDGET, principal, refusal: null, daily: null };
  return {
    isFar: false,
    lookUp: () => null,
    lookUpTicket: () => null,
    admit: () => admission,
    admitTicket: () => admission,
    issueTicket: () => ({ ticket: '', expiresAtMs: 0 }),
    isLive: () => true,
    keyOf: () => principal,
    needsAddress: () => false,
    take: () => BUDGET,
    record: () => undefined,
    usage: () => null,
  };
}
