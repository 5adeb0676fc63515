// Answers a request of an HTTP thread through the query thread, and takes its places on the HTTP thread.

import { assert } from '../../errors.ts';
import { ERROR_FROM } from '../kit/error-reply.ts';
import { pathOf } from '../kit/matched-route.ts';
import type { RequestContext } from '../kit/request/request-context.ts';
import type { UnreadPlace } from '../kit/request/unread-place.ts';
import type { RemoteApp } from './remote-app.ts';

/** Answers through another thread, which counts and logs the request. */
export async function passOn(
  context: RequestContext,
  body: Uint8Array<ArrayBuffer> | null,
  remote: RemoteApp | undefined,
): Promise<Response> {
  let unsent: UnreadPlace | null;
  try {
    assert(remote !== undefined, 'where no other thread answers, the application answers everything');
    if (context.place.inFlightHolder.hasKey) refuseEarly(context, remote);
    // Take the place before the other thread charges the request and counts its answer.
    unsent = context.place.takeUnread();
  } catch (error) {
    // Do not use `refuse` here: it would count the refusal under no route and show the limit of another
    // caller.
    return context.fail(error);
  }
  function untilRead(bytes: Uint8Array<ArrayBuffer>, status: number) {
    if (status >= ERROR_FROM) {
      context.place.smallError = bytes;
      return bytes;
    }
    const place = unsent;
    unsent = null;
    return place?.body(bytes) ?? bytes;
  }
  try {
    const { requestId, clientAddress, place } = context;
    const holder = place.inFlightHolder;
    return await remote.answer(context.request, { requestId, clientAddress, holder, body, untilRead });
  } catch (error) {
    return Promise.resolve(context.whenKnown(() => context.refuse(error))).catch((failure: unknown) =>
      context.fail(failure),
    );
  } finally {
    unsent?.free();
  }
}

/**
 * Refuses a request whose key is over its limit before it takes a place on its way to the other thread.
 * @throws ServiceError 429
 */
function refuseEarly(context: RequestContext, { routes }: RemoteApp): void {
  const { method, url } = context.request;
  const route = routes?.at(pathOf(url))?.store.find((one) => one.method === method);
  if (route === undefined) return;
  context.match(route);
  context.refuseEarly();
}
