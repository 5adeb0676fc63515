// How a thread answers a request: from what is kept for its URL, by a route of its own, or by asking another thread.

import { assert, ServiceError } from '../../errors.ts';
import type { Handle, HttpApp } from '../app.ts';
import { busy } from '../kit/in-flight.ts';
import { RequestContext } from '../kit/request-context.ts';
import { refuseKeyInQuery } from '../kit/request-input.ts';
import type { ServerParts } from '../kit/server-parts.ts';
import type { UrlPlans } from '../kit/url-plans.ts';
import type { RemoteApp } from '../remote/query-caller.ts';
import { Hits } from './hits.ts';
import type { HostCheck } from './host-check.ts';
import { settled } from './in-time.ts';

export interface AnswererOptions {
  readonly parts: ServerParts;
  readonly app: HttpApp;
  /** Answers what `app` leaves to others; without it `app` answers everything. */
  readonly remote?: RemoteApp | undefined;
  readonly hosts: HostCheck;
  readonly plans: UrlPlans;
  readonly deadlineMs: number;
}

export class Answerer {
  readonly #options: AnswererOptions;
  readonly #hits: Hits;

  constructor(options: AnswererOptions) {
    this.#options = options;
    this.#hits = new Hits(options.parts);
  }

  /**
   * Nothing for a request whose connection has become a WebSocket.
   * @param isBusy whether there are too many requests in flight for another one
   */
  answer(request: Request, isBusy: boolean): Response | Promise<Response> | undefined {
    const { parts, app, hosts, plans, deadlineMs } = this.#options;
    const plan = isBusy ? null : plans.find(request);
    let context: RequestContext | null = null;
    try {
      if (plan !== null && plan.answers !== null) {
        const response = this.#hits.answer(plan.answers, plan.path, request);
        if (response !== null) return response;
      }
      context = new RequestContext(parts, request);
      if (plan !== null) return settled(this.#whenKnown(plan.run, context), context, deadlineMs);
      hosts.check(request);
      refuseKeyInQuery(request.url);
      if (request.method === 'CONNECT') throw connectRefused();
      if (isBusy) throw busy();
      const handle = app.find(request);
      if (handle === null) return this.#passOn(context);
      return settled(this.#whenKnown(handle, context), context, deadlineMs);
    } catch (error) {
      return (context ?? new RequestContext(parts, request)).fail(error);
    }
  }

  /** The answer of a route, once it is known who asks. What its URL means is kept. */
  #whenKnown(handle: Handle, context: RequestContext): Response | Promise<Response> {
    return context.whenKnown(() => {
      const response = handle(context);
      this.#options.plans.remember(context);
      return response;
    });
  }

  /** The answer of another thread, which has counted and logged it. */
  async #passOn(context: RequestContext): Promise<Response> {
    const { remote } = this.#options;
    try {
      assert(remote !== undefined, 'where no other thread answers, the application answers everything');
      return await remote.answer(context.request, context);
    } catch (error) {
      return Promise.resolve(context.whenKnown(() => context.refuse(error))).catch((failure: unknown) =>
        context.fail(failure),
      );
    }
  }
}

function connectRefused(): ServiceError {
  return new ServiceError('invalid_request', 'Cannot use CONNECT: this is not a proxy', {
    status: 405,
    fix: 'Use GET or POST on a path of /openapi.json',
    headers: { allow: 'GET, HEAD, POST, DELETE, OPTIONS' },
  });
}
