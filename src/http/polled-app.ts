// The few routes of an HTTP thread. It has no Elysia, so that a new URL costs little and garbage collection
// stays short. A request that is unusual in any way (a wrong method, a path with characters that ids do not
// have) matches no route here. The query thread, which has these routes too, answers it.

import type { HttpApp } from './app.ts';
import { dispatchOf } from './kit/dispatch.ts';
import { pathOf } from './kit/matched-route.ts';
import { isOnHttpThread, type Route, type RouteNeed } from './kit/route.ts';
import { RouteTable } from './kit/route-table.ts';

/** Matches paths that are the same decoded and undecoded. */
const PLAIN_PATH = /^[A-Za-z0-9/_-]*$/;

/** Creates an application from those of the routes that HTTP threads answer. */
export function createPolledApp(all: readonly Route[]): HttpApp {
  const routes = all.filter(isOnHttpThread);
  const table = new RouteTable(
    routes.map((route) => ({ ...route, dispatch: dispatchOf(route, needsNothing) })),
  );
  return {
    routes,
    find({ method, url }) {
      const path = pathOf(url);
      const matched = PLAIN_PATH.test(path) ? table.at(path) : null;
      if (matched === null) return null;
      const { store: onPath, params } = matched;
      const asMethod = method === 'HEAD' ? 'GET' : method;
      const dispatch = onPath.find((route) => route.method === asMethod)?.dispatch;
      if (dispatch === undefined) return null;
      if (method === 'HEAD') return (context) => headOf(dispatch(context, params));
      return (context) => dispatch(context, params);
    },
  };
}

function needsNothing(need: RouteNeed): never {
  throw new Error(`Assertion failed: an HTTP thread has no ${need} to wait for`);
}

/** Answers a HEAD: the answer to GET without its body, but with its length. */
async function headOf(answer: Response | Promise<Response>): Promise<Response> {
  const response = await answer;
  const { status, headers } = response;
  headers.set('content-length', String((await response.arrayBuffer()).byteLength));
  return new Response(null, { status, headers });
}
