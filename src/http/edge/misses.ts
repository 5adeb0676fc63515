// Answers a request that no cached answer fits: with a route of this thread, or by asking another thread.

import type { Caller } from '../../access/gate.ts';
import { workingFor } from '../../access/quotas/holder-now.ts';
import type { CallerClass } from '../../domain/tiers.ts';
import { Turns } from '../../pause.ts';
import type { Handle, HttpApp } from '../app.ts';
import { RequestContext } from '../kit/request/request-context.ts';
import { refuseKeyInQuery, refuseOddPath } from '../kit/request/request-input.ts';
import type { ServerParts } from '../kit/server-parts.ts';
import type { UrlPlan, UrlPlans } from '../kit/url-plans.ts';
import { passOn } from '../remote/pass-on.ts';
import type { RemoteApp } from '../remote/remote-app.ts';
import type { BodyIntake } from './bodies/body-intake.ts';
import { BodyRequests } from './bodies/body-requests.ts';
import { bodySizeOf, closeIfLarge, isLong } from './bodies/body-size.ts';
import type { CallerPaces } from './caller-paces.ts';
import type { HostCheck } from './host-check.ts';
import { asSent, settled } from './in-time.ts';
import { type Load, limitAt } from './load.ts';
import { isPacedWithBody } from './paced-requests.ts';
import { connectRefused, readWithBody } from './refusals.ts';

export interface MissesOptions {
  readonly parts: ServerParts;
  readonly app: HttpApp;
  /** Answers the requests that `app` does not answer. Without it, `app` answers all requests. */
  readonly remote?: RemoteApp | undefined;
  readonly hosts: HostCheck;
  readonly plans: UrlPlans;
  readonly bodies: BodyIntake;
  readonly deadlineMs: number;
  /** How many requests are in flight now. */
  readonly loadNow: () => Load;
}

/** A request without a ready answer, and what is known about it. */
export interface Miss {
  readonly load: Load;
  readonly plan: UrlPlan | null;
  readonly caller: Caller | null;
  /** The class that decides at which pace refusals are sent. A session of a paid plan counts as a key. */
  readonly callerClass: CallerClass;
}

export class Misses {
  readonly #options: MissesOptions;
  readonly #paces: CallerPaces;
  readonly #sends = new Turns(SENDS_A_TURN_MAX);
  readonly #bodyRequests: BodyRequests;

  constructor(options: MissesOptions, paces: CallerPaces) {
    this.#options = options;
    this.#paces = paces;
    const { app, remote, bodies, loadNow } = options;
    this.#bodyRequests = new BodyRequests({
      ...{ app, remote, bodies, loadNow, paces, sends: this.#sends },
      answerWhole: (context, body) => this.#answerWhole(context, body),
    });
  }

  /**
   * Answers a request that has no ready answer, and delays the answer if it is a refusal and there are many.
   * Undefined when its connection has become a WebSocket.
   */
  answer(request: Request, miss: Miss): Response | Promise<Response> | undefined {
    const context = new RequestContext(this.#options.parts, request, miss.caller);
    const bodySize = bodySizeOf(request);
    let answer: Response | Promise<Response> | undefined;
    try {
      answer = this.#answerContext(context, miss, bodySize);
    } catch (error) {
      const size = isReadWithBody(request) ? Number.POSITIVE_INFINITY : (bodySize ?? 0);
      const refusal = closeIfLarge(context.fail(error), size);
      return asSent(this.#paces.afterUncharged(refusal, request, miss.callerClass), context);
    }
    return asSent(this.#paces.after(answer, request, miss.callerClass), context);
  }

  /** @throws ServiceError when the request is refused before a route has charged it, or gets no place */
  #answerContext(
    context: RequestContext,
    { load, plan }: Miss,
    bodySize: number | null,
  ): Response | Promise<Response> | undefined {
    const { hosts, plans } = this.#options;
    const { request } = context;
    if (isReadWithBody(request) && (isLong(bodySize) || !context.holder.hasKey)) throw readWithBody();
    limitAt(load, context);
    if (plan !== null) {
      return this.#send(
        this.#answerHere((known) => plans.run(plan, known), context),
        bodySize,
      );
    }
    hosts.check(request);
    refuseOddPath(request.url);
    refuseKeyInQuery(request.url);
    if (request.method === 'CONNECT') throw connectRefused();
    if (bodySize !== null && !isRead(request.method)) return this.#bodyRequests.answer(context, bodySize);
    return this.#send(this.#answerWhole(context), bodySize);
  }

  /**
   * Delays a late answer to a request with a body, which may be unread, if several such answers were already
   * sent in this turn of the event loop.
   */
  #send(
    response: Response | Promise<Response> | undefined,
    bodySize: number | null,
  ): Response | Promise<Response> | undefined {
    if (!(response instanceof Promise) || bodySize === null) return response;
    return response.then((made) => this.#sends.next()?.then(() => made) ?? made);
  }

  /** Answers a request whose body, if any, has arrived in full. */
  #answerWhole(
    context: RequestContext,
    body: Uint8Array<ArrayBuffer> | null = null,
  ): Response | Promise<Response> | undefined {
    const handle = this.#options.app.find(context.request);
    if (handle === null) return passOn(context, body, this.#options.remote);
    if (body !== null) context.receive(body);
    return this.#answerHere(handle, context);
  }

  /** Answers on this thread. What the handler asks of other threads counts against the caller. */
  #answerHere(handle: Handle, context: RequestContext): Response | Promise<Response> | undefined {
    const { deadlineMs } = this.#options;
    return workingFor(
      () => context.holder,
      () => settled(this.#whenKnown(handle, context), context, deadlineMs),
    );
  }

  /** Answers with a route once the caller's key is known, and keeps the plan of the URL. */
  #whenKnown(handle: Handle, context: RequestContext): Response | Promise<Response> {
    return context.whenKnown(() => {
      const response = handle(context);
      this.#options.plans.remember(context);
      return response;
    });
  }
}

/**
 * Maximum number of delayed answers to requests with bodies that are sent in one turn of the event loop;
 * further ones wait for the next turn. While Bun answers a request with an unread body, it runs all waiting
 * promise callbacks, so answers that are released together are nested calls. Two thousand overflow the stack,
 * and Bun ends the thread.
 */
const SENDS_A_TURN_MAX = 128;

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Whether a GET or HEAD has a body of some kilobytes or in chunks. It is never read. */
export function isReadWithBody(request: Request): boolean {
  return isRead(request.method) && isPacedWithBody(request);
}
