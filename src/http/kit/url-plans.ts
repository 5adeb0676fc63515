// The plans of the URLs that one application answers (plan-table.ts), each with the Host header that it was made for: the URL
// of a request has only the first of several.

import { PlanTable } from './plan-table.ts';
import type { RequestContext } from './request-context.ts';
import type { ReadyAnswers } from './route.ts';
import type { OpenPlan } from './server-parts.ts';

interface UrlPlan {
  readonly host: string | null;
  /** Path template of its route. */
  readonly path: string;
  readonly answers: ReadyAnswers | null;
  readonly run: OpenPlan['run'];
}

export class UrlPlans {
  readonly #table: PlanTable<UrlPlan>;
  /** Of the plan that was made last: nearly all have the same, and share it, so that it is in the processor's cache. */
  #host: string | null = null;

  /** @param max by default PLANS_MAX */
  constructor(max?: number) {
    this.#table = new PlanTable(max);
  }

  get size(): number {
    return this.#table.size;
  }

  /** What the URL of a request means; null when that is not kept. */
  find(request: Request): UrlPlan | null {
    const plan = request.method === 'GET' ? this.#table.find(request.url) : null;
    return plan !== null && plan.host === request.headers.get('host') ? plan : null;
  }

  /** Keeps what the route of a request has found out of its URL, if that is asked for again and again. */
  remember({ request, principal, plan }: RequestContext): void {
    if (plan === null) return;
    this.#table.offer(request.url, principal.keyId ?? 'keyless', () => {
      const host = request.headers.get('host');
      if (host !== this.#host) this.#host = host;
      return { host: this.#host, path: plan.route.path, answers: plan.keep(), run: plan.run };
    });
  }
}
