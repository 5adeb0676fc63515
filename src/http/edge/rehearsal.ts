// Answers made-up polls when a thread starts. The engine parses code on its first call, and text tables are
// made when first used. Without this rehearsal, the first poll of a thread, and those that arrive meanwhile,
// would wait ten milliseconds. No request of a rehearsal is charged, counted or logged.
//
// The gate of a rehearsal is a real one, with memory of its own. With a substitute, the code of the real gate
// would stay unparsed. Also, the engine would for ever compile each call of a gate for two classes, which
// slows every cache hit.

import { type Gate, SharedGate } from '../../access/gate.ts';
import { createAccessMemory } from '../../access/quotas/memory.ts';
import { mintKey } from '../../accounts/credentials/secrets.ts';
import type { Clock } from '../../clock.ts';
import type { TierKey } from '../../domain/tiers.ts';
import type { HttpApp } from '../app.ts';
import { createServerParts } from '../kit/create-server-parts.ts';
import { createPlaces } from '../kit/in-flight.ts';
import type { HttpDeps } from '../kit/server-parts.ts';
import { UrlPlans } from '../kit/url-plans.ts';
import { Answerer } from './answerer.ts';
import { BodyIntake } from './bodies/body-intake.ts';
import { HostCheck } from './host-check.ts';

export interface RehearsalOptions {
  /** An application for this rehearsal alone: the answers that it keeps are thrown away. */
  readonly app: HttpApp;
  readonly deps: HttpDeps;
  /** The paths to request, with query strings. */
  readonly paths: readonly string[];
}

/**
 * How often each path is requested. A URL gets a plan at the second request, and its answer is cached at the
 * third. Later rounds use both.
 */
const ROUNDS = 8;
/** A key that only the gate of a rehearsal knows. */
const KEY = mintKey((bytes: Uint8Array<ArrayBuffer>) => bytes.fill(1));
const AUTHORIZATION = `Bearer ${KEY.text}`;
/** One tier that sees the sharp book, and one that does not. */
const TIERS: readonly TierKey[] = ['enterprise', 'free'];

/** Requests each path several times, to warm up three cases: a URL not cached yet, a cache hit and a 304. */
export function rehearse({ app, deps, paths }: RehearsalOptions): void {
  // Requests use only the origin of the public URL. Its path, if it has one, is removed by a proxy.
  const { origin, host } = new URL(deps.publicUrl);
  for (const tier of TIERS) {
    const answerer = answererOf(app, { ...deps, gate: gateFor(tier, deps.clock), ...QUIET });
    for (const path of paths) {
      let tag: string | null = null;
      for (let round = 0; round < ROUNDS; round += 1) {
        const headers = { host, authorization: AUTHORIZATION };
        const request = new Request(origin + path, {
          headers: tag === null || round % 2 === 0 ? headers : { ...headers, 'if-none-match': tag },
        });
        const answer = answerer.answer(request, 'free');
        if (answer instanceof Response) tag = answer.headers.get('etag');
      }
    }
  }
}

const QUIET: Pick<HttpDeps, 'nextRequestId' | 'count' | 'reportsRequests' | 'observe'> = {
  nextRequestId: () => 'rehearsal',
  count: () => undefined,
  reportsRequests: false,
  observe: () => undefined,
};

function answererOf(app: HttpApp, deps: HttpDeps): Answerer {
  const parts = createServerParts({ deps, peerOf: () => '127.0.0.1' });
  const hosts = new HostCheck([], deps.publicUrl);
  // Polls have no body.
  const bodies = new BodyIntake(deps.clock, createPlaces(1));
  const plans = new UrlPlans();
  return new Answerer({ parts, app, hosts, bodies, plans, deadlineMs: 0, loadNow: () => 'free' });
}

/** A gate whose only key has this tier. */
function gateFor(tier: TierKey, clock: Clock): Gate {
  const live = {
    ...{
      number: 1,
      keyId: 'rehearsal',
      ownerId: 'rehearsal',
      tier,
      lastFour: KEY.lastFour,
      isOfAccount: false,
    },
    ...{ expiresAtMs: null, allowedAddresses: [] },
  };
  return new SharedGate({
    memory: createAccessMemory({ capacity: { keys: 4, addresses: 4 }, seed: 0, startedAtMs: clock.wallMs() }),
    directory: { findLive: (hash) => (hash === KEY.hash ? live : null), epoch: () => 0 },
    clock,
  });
}
