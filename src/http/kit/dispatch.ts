// The steps of one route, whoever has matched it: admit, validate, handle, answer.

import type { TObject } from '@sinclair/typebox';
import { compileInput, type InputParser } from '../../contract/input.ts';
import { ACCOUNT_BODY_BYTES_MAX, BODY_BYTES_MAX } from '../../limits.ts';
import { toReply } from './reply.ts';
import type { RequestContext } from './request-context.ts';
import { NO_INPUT, paramsReaderOf, queryReaderOf, readJsonBody } from './request-input.ts';
import type { Route, UntypedInput } from './route.ts';
import type { OpenPlan } from './server-parts.ts';

/** @param params of the path, as they were cut out of it */
export type Dispatch = (context: RequestContext, params: unknown) => Response | Promise<Response>;

/** Of a GET, what was read is the plan of its URL. The route's schemas are compiled here, once. */
export function dispatchOf(route: Route): Dispatch {
  const readParams = paramsReaderOf(route.params);
  const readRouteQuery = queryReaderOf(route.query);
  const bodyParser = route.body === null ? null : compileInput(route.body, 'body');
  return (context, rawParams) => {
    try {
      context.match(route);
      context.admit();
      const params = readParams(rawParams);
      const query = readRouteQuery(context.request.url);
      if (bodyParser !== null) return answerBody(route, context, { params, query, bodyParser });
      const input = { params, query, body: NO_INPUT };
      if (context.request.method === 'GET') context.planned(planOf(route, input));
      return answerInput(route, context, input);
    } catch (error) {
      return context.fail(error);
    }
  };
}

function planOf(route: Route, input: UntypedInput): OpenPlan {
  return {
    route,
    keep: () => route.keep?.(input) ?? null,
    run(context) {
      try {
        context.match(route);
        context.admit();
        return answerInput(route, context, input);
      } catch (error) {
        return context.fail(error);
      }
    },
  };
}

/** @throws what the handler throws at once */
function answerInput(
  route: Route,
  context: RequestContext,
  input: UntypedInput,
): Response | Promise<Response> {
  const result = route.handle(input, context);
  if (result instanceof Promise) return settle(result, context);
  return context.respond(toReply(result));
}

interface BodyInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly bodyParser: InputParser<TObject>;
}

async function answerBody(route: Route, context: RequestContext, input: BodyInput): Promise<Response> {
  try {
    const bytesMax = route.access === 'account' ? ACCOUNT_BODY_BYTES_MAX : BODY_BYTES_MAX;
    const body = input.bodyParser.parse(await receive(context, bytesMax));
    const result = await route.handle({ params: input.params, query: input.query, body }, context);
    return context.respond(toReply(result));
  } catch (error) {
    return context.fail(error);
  }
}

/** The JSON of a body. While it is on its way the request has a place of its own kind. */
async function receive(context: RequestContext, bytesMax: number): Promise<unknown> {
  context.beginBody();
  try {
    return await readJsonBody(context.request, bytesMax);
  } finally {
    context.endBody();
  }
}

async function settle(result: Promise<unknown>, context: RequestContext): Promise<Response> {
  try {
    return context.respond(toReply(await result));
  } catch (error) {
    return context.fail(error);
  }
}
