// Answers requests with a body: receives the body, unless the headers already decide that the request is
// refused.

import { BODY_BYTES_MAX } from '../../../limits.ts';
import type { Turns } from '../../../pause.ts';
import type { HttpApp } from '../../app.ts';
import { pathOf } from '../../kit/matched-route.ts';
import type { RequestContext } from '../../kit/request/request-context.ts';
import { isJson, requireJson, tooLarge } from '../../kit/request/request-input.ts';
import { type RouteSign, RouteTable, signOf } from '../../kit/route-table.ts';
import type { RemoteApp } from '../../remote/remote-app.ts';
import type { CallerPaces } from '../caller-paces.ts';
import { type Load, limitAt } from '../load.ts';
import { countOf, isPacedWithBody } from '../paced-requests.ts';
import { refuseUnrouted, tooManyWait } from '../refusals.ts';
import type { BodyIntake, ReceivedBody } from './body-intake.ts';
import { closeIfLarge, isLarge, isLong } from './body-size.ts';

export interface BodyRequestsOptions {
  readonly app: Pick<HttpApp, 'routes'>;
  /** See MissesOptions. */
  readonly remote?: RemoteApp | undefined;
  readonly bodies: BodyIntake;
  readonly loadNow: () => Load;
  readonly paces: CallerPaces;
  /** Delays answers to requests whose body may be unread. */
  readonly sends: Turns;
  /** Answers a request whose body has arrived in full. */
  readonly answerWhole: (
    context: RequestContext,
    body: Uint8Array<ArrayBuffer>,
  ) => Response | Promise<Response> | undefined;
}

export class BodyRequests {
  readonly #options: BodyRequestsOptions;
  readonly #own: RouteTable<RouteSign>;

  constructor(options: BodyRequestsOptions) {
    this.#options = options;
    this.#own = new RouteTable(options.app.routes.map(signOf));
  }

  /**
   * Receives the body, unless the request is refused without it. Everything that the headers decide happens
   * before the first `await`. Until then Bun has read only those bytes of the body that came with the
   * headers, and a response that closes the connection stops the rest.
   */
  async answer(context: RequestContext, size: number): Promise<Response> {
    const { answerWhole, bodies, loadNow, sends } = this.#options;
    let received: ReceivedBody | null = null;
    let isOnItsWay = false;
    try {
      // Another thread may have to look up the key. Do not wait for that if the body is too long anyway.
      const known = isLarge(size) ? undefined : context.whenKnown(() => undefined);
      if (known instanceof Promise) await known;
      const bytesMax = this.#bytesMaxOf(context, size);
      const { holder, request, place } = context;
      const usesReserve = place.isKeylessAccount;
      isOnItsWay = true;
      received = await bodies
        .receive(request, { holder, size, bytesMax, usesReserve })
        .catch((error: unknown) => refuseCharged(context, error));
      if (isPacedWithBody(request)) await this.#pacedLate(request, received.bytes.byteLength);
      limitAt(loadNow(), context);
      return (await answerWhole(context, received.bytes)) ?? new Response(null);
    } catch (error) {
      if (received !== null) return context.fail(error);
      // Frees the part of the body that came with the headers, up to half a megabyte, before the answer waits
      // for its turn.
      if (!isOnItsWay && isLong(size)) void context.request.body?.cancel();
      if (isOnItsWay) await sends.next();
      // A body that has stalled may never arrive, so close the connection even if the body is small.
      return closeIfLarge(context.fail(error), isOnItsWay ? Number.POSITIVE_INFINITY : size);
    } finally {
      received?.release();
    }
  }

  /** Makes a request whose body has arrived wait at its pace. @throws ServiceError 503 when too many wait */
  async #pacedLate(request: Request, bodyBytes: number): Promise<void> {
    const { paces } = this.#options;
    const authorization = request.headers.get('authorization');
    const pace = paces.of(request, authorization);
    if (pace?.isFull === true) throw tooManyWait(authorization);
    await pace?.arrive(request.signal, countOf(request, bodyBytes));
  }

  /**
   * The maximum size of the body.
   * @throws ServiceError the refusal, if the request can be refused without its body
   */
  #bytesMaxOf(context: RequestContext, size: number): number {
    const { remote } = this.#options;
    const { method, url, headers } = context.request;
    const path = pathOf(url);
    const table = remote === undefined ? this.#own : remote.routes;
    const routes = table?.at(path)?.store ?? [];
    const route = routes.find((one) => one.method === method);
    if (route === undefined) {
      // Elysia's router decodes the path and may still find a route. So receive a body of at most
      // BODY_BYTES_MAX: no route takes more.
      if (size <= BODY_BYTES_MAX) return BODY_BYTES_MAX;
      return refuseUnrouted(context, routes, path);
    }
    context.match(route);
    context.refuseEarly();
    const { bodyBytesMax, takesJson } = route;
    const isInChunks = size === Number.POSITIVE_INFINITY;
    if (size <= bodyBytesMax || (isInChunks && !(takesJson && !isJson(headers)))) return bodyBytesMax;
    context.admit();
    if (takesJson) requireJson(headers);
    throw tooLarge(bodyBytesMax);
  }
}

/**
 * Charges the request although its body did not arrive, so that a client cannot stall repeatedly for free.
 */
function refuseCharged(context: RequestContext, error: unknown): never {
  context.admit();
  throw error;
}
