// The plans of the URLs that one application answers (url-cache.ts). Each is stored with the Host header it
// was made for, because the URL of a request with several Host headers contains only the first.

import { type SharingPrincipal, sharerOf } from '../../domain/tiers.ts';
import { ERROR_FROM } from './error-reply.ts';
import type { RequestContext } from './request/request-context.ts';
import type { ReadyAnswers } from './route.ts';
import type { OpenPlan } from './server-parts.ts';
import { type Evictable, type PlanOwner, UrlCache } from './url-cache.ts';

export interface UrlPlan extends Evictable {
  readonly host: string | null;
  /** Path template of its route. */
  readonly path: string;
  readonly answers: ReadyAnswers | null;
  readonly run: OpenPlan<RequestContext>['run'];
}

export class UrlPlans {
  readonly #table = new UrlCache<UrlPlan>();
  /**
   * The host of the newest plan. Nearly all plans have the same host and share its string, which keeps it in
   * the processor's cache.
   */
  #host: string | null = null;

  get size(): number {
    return this.#table.size;
  }

  /** The plan of a request's URL; null if it has no plan. */
  find(request: Request): UrlPlan | null {
    const plan = request.method === 'GET' ? this.#table.find(request.url) : null;
    return plan !== null && plan.host === request.headers.get('host') ? plan : null;
  }

  /**
   * Answers with a plan. Unless the request is refused at once, the plan counts as used, so that it is not
   * evicted soon. If refusals counted, callers over their limit could keep plans that nobody else needs.
   */
  run(plan: UrlPlan, context: RequestContext): Response | Promise<Response> {
    const answer = plan.run(context);
    if (!(answer instanceof Response && answer.status >= ERROR_FROM)) plan.wasUsed = true;
    return answer;
  }

  /** Stores the plan of a request's URL if the URL is requested repeatedly. */
  remember({ request, principal, plan }: Pick<RequestContext, 'request' | 'principal' | 'plan'>): void {
    if (plan === null) return;
    this.#table.offer(request.url, ownerOf(principal), () => {
      const host = request.headers.get('host');
      if (host !== this.#host) this.#host = host;
      return { host: this.#host, path: plan.route.path, answers: plan.keep(), run: plan.run, wasUsed: false };
    });
  }
}

function ownerOf(principal: SharingPrincipal): PlanOwner {
  const sharer = sharerOf(principal);
  if (sharer === null) return KEYLESS_OWNER;
  return { name: sharer.name, isPaid: !sharer.isFree };
}

/** All callers without a key. */
const KEYLESS_OWNER: PlanOwner = { name: 'keyless', isPaid: false };
