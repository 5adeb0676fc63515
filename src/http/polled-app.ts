// The few routes of an HTTP thread, matched by hand. So a new URL costs no router, and the thread's heap
// contains none, which keeps garbage collection short. A request that is unusual in any way (a wrong method,
// a path with characters that ids do not have) matches nothing here: the query thread has these routes too
// and answers it.

import type { HttpApp } from './app.ts';
import { type Dispatch, dispatchOf } from './kit/dispatch.ts';
import { isOnHttpThread, type Route, type RouteGroup } from './kit/route.ts';
import { pathOf } from './kit/server-parts.ts';

/** Matches paths that are the same decoded and undecoded. */
const PLAIN_PATH = /^[A-Za-z0-9/_-]*$/;

/** A route with the segments of its path. The segment of a parameter begins with a colon. */
interface Matcher {
  readonly method: string;
  readonly segments: readonly string[];
  readonly dispatch: Dispatch;
}

/** Creates an application from those routes of the groups that HTTP threads answer. */
export function createPolledApp(groups: readonly RouteGroup[]): HttpApp {
  const routes = groups.flatMap((group) => group.routes.filter(isOnHttpThread));
  const matchers = routes.map(matcherOf);
  return {
    routes,
    find({ method, url }) {
      const path = pathOf(url);
      if (!PLAIN_PATH.test(path)) return null;
      const segments = path.split('/');
      const asMethod = method === 'HEAD' ? 'GET' : method;
      for (const matcher of matchers) {
        const params = matcher.method === asMethod ? paramsOf(matcher.segments, segments) : null;
        if (params === null) continue;
        const { dispatch } = matcher;
        if (method === 'HEAD') return (context) => headOf(dispatch(context, params));
        return (context) => dispatch(context, params);
      }
      return null;
    },
  };
}

function matcherOf(route: Route): Matcher {
  return { method: route.method, segments: route.path.split('/'), dispatch: dispatchOf(route) };
}

/** The parameters of a path, or null when it does not match the template. */
function paramsOf(template: readonly string[], segments: readonly string[]): Record<string, string> | null {
  if (template.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (let index = 0; index < template.length; index += 1) {
    const [named, segment] = [template[index]!, segments[index]!];
    if (named.startsWith(':')) {
      if (segment === '') return null;
      params[named.slice(1)] = segment;
    } else if (named !== segment) return null;
  }
  return params;
}

/** Answers a HEAD: the answer to GET without its body, but with its length. */
async function headOf(answer: Response | Promise<Response>): Promise<Response> {
  const response = await answer;
  const { status, headers } = response;
  headers.set('content-length', String((await response.arrayBuffer()).byteLength));
  return new Response(null, { status, headers });
}
