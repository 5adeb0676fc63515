// The shortest path of a request: its URL has a plan with a cached answer, and its key is known. It then
// takes only a check of the key, its rate limit, a check that the fixture has not changed, and the headers.
// Any other request (no key, rate limit reached, an answer that is not ready) is processed in full, as if
// there were no cache.

import type { Caller } from '../../access/gate.ts';
import { etagMatches } from '../kit/headers.ts';
import { reportAnswer } from '../kit/report-answer.ts';
import { tagAs } from '../kit/representation.ts';
import type { ReadyAnswers } from '../kit/route.ts';
import { requestIdOf, type ServerParts } from '../kit/server-parts.ts';
import { HitHeaders } from './hit-headers.ts';

export class Hits {
  readonly #parts: ServerParts;
  readonly #headers: HitHeaders;

  constructor(parts: ServerParts) {
    this.#parts = parts;
    this.#headers = new HitHeaders(parts.deps.publicUrl.startsWith('https:'));
  }

  /**
   * Answers from the cache. Null when that is not possible; nothing has been charged or counted then, and the
   * request must be processed in full.
   */
  answer(answers: ReadyAnswers, { request, path, caller, monotonicMs }: HitRequest): Response | null {
    const parts = this.#parts;
    const { deps } = parts;
    const { gate, clock } = deps;
    const { headers } = request;
    const { principal: key } = caller;
    if (key.keyId === null || caller.needsAddress) return null;
    const ready = answers.ready(key, { nowMs: clock.wallMs(), monotonicMs });
    if (ready === null) return null;
    const form = parts.negotiator.of(headers.get('accept'), headers.get('accept-encoding'));
    const etag = tagAs(ready.etag, form);
    const tags = headers.get('if-none-match');
    const status = etagMatches(tags, etag) ? 304 : 200;
    if (status === 200 && tags !== null && answers.isAhead(key, tags)) return null;
    const admission = gate.charge(caller, '', 1, monotonicMs);
    if (admission.refusal !== null) return null;
    const body = status === 304 ? null : ready.body(form);
    const requestId = requestIdOf(request, deps);
    const latencyMs = clock.monotonicMs() - monotonicMs;
    const response = this.#headers.toResponse({
      body,
      status,
      form,
      etag,
      budget: admission,
      requestId,
      latencyMs,
      seesSharp: key.seesSharp,
      hasOrigin: headers.has('origin'),
    });
    const facts = { route: path, request, principal: key, status, latencyMs, requestId, errorCode: null };
    reportAnswer(deps, facts, parts.peerOf);
    return response;
  }
}

/** A request to a URL whose answers are kept. */
export interface HitRequest {
  readonly request: Request;
  /** Path template of the route. */
  readonly path: string;
  /** The caller by its Authorization header. */
  readonly caller: Caller;
  /** When the request arrived. */
  readonly monotonicMs: number;
}
