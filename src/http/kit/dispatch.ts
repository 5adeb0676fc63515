// The steps of a request once its route is matched, by Elysia or by a RouteTable: admit, validate, handle,
// answer.

import type { TObject, TSchema } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';
import { compileInput, type InputParser, misfitOf } from '../../contract/input.ts';
import { Reply, toReply } from './reply.ts';
import type { RequestContext } from './request/request-context.ts';
import { NO_INPUT, paramsReaderOf, queryReaderOf, readJsonBody } from './request/request-input.ts';
import { bodyBytesMaxOf, isDescribed, type Route, type RouteNeed, type UntypedInput } from './route.ts';
import type { OpenPlan } from './server-parts.ts';

/** @param params the parameters of the path, still as text */
export type Dispatch = (context: RequestContext, params: unknown) => Response | Promise<Response>;

/** Resolves when a need is met; null if it is met now. */
export type WhenMet = (need: RouteNeed, nowMs: number) => Promise<void> | null;

/** A route on a thread that serves it. */
interface ServedRoute {
  readonly route: Route;
  readonly whenMet: WhenMet;
}

/**
 * Compiles the route's schemas, once. For a GET, the validated input becomes the plan of the request's URL.
 */
export function dispatchOf(route: Route, whenMet: WhenMet): Dispatch {
  const served = { route, whenMet };
  const readParams = paramsReaderOf(route.params);
  const readRouteQuery = queryReaderOf(route.query);
  const bodyParser = route.body === null ? null : compileInput(route.body, 'body');
  return (context, rawParams) => {
    try {
      context.match(route);
      context.admit();
      const params = readParams(rawParams);
      const query = readRouteQuery(context.request.url);
      if (bodyParser !== null) return answerBody(served, context, { params, query, bodyParser });
      const input = { params, query, body: NO_INPUT };
      if (context.request.method === 'GET') context.planned(planOf(served, input));
      return answerInput(served, context, input);
    } catch (error) {
      return context.fail(error);
    }
  };
}

function planOf(served: ServedRoute, input: UntypedInput): OpenPlan<RequestContext> {
  const { route } = served;
  return {
    route,
    // A deprecated route keeps no answers, because kept answers are sent without the headers of a
    // deprecation.
    keep: () => (route.deprecation === undefined ? (route.keep?.(input) ?? null) : null),
    run(context) {
      try {
        context.match(route);
        context.admit();
        return answerInput(served, context, input);
      } catch (error) {
        return context.fail(error);
      }
    },
  };
}

/** @throws anything that the handler throws synchronously */
function answerInput(
  served: ServedRoute,
  context: RequestContext,
  input: UntypedInput,
): Response | Promise<Response> {
  const result = replyOf(served, context, input);
  if (result instanceof Promise) return settle(result, context);
  return context.respond(result);
}

/**
 * Runs the handler once it has what it needs: at the caller's turn if this thread answers in turns, otherwise
 * immediately.
 */
function replyOf(
  { route, whenMet }: ServedRoute,
  context: RequestContext,
  input: UntypedInput,
): Reply | Promise<Reply> {
  const reply = (result: unknown): Reply => checkedReply(route, result);
  const need = typeof route.waitsFor === 'function' ? route.waitsFor(input) : route.waitsFor;
  const work = (): Reply | Promise<Reply> => {
    const waited = need === null ? null : whenMet(need, context.nowMs);
    const result =
      waited === null ? route.handle(input, context) : waited.then(() => route.handle(input, context));
    return result instanceof Promise ? result.then(reply) : reply(result);
  };
  return route.takesTurns ? work() : context.inTurn(questionOf(route, input), work);
}

/** Validators of answers, compiled when a route first answers with an object. */
const answerChecks = new WeakMap<Route, TypeCheck<TSchema>>();

/**
 * Makes the reply from a handler's result. An object is checked against the route's schema, because clients
 * rely on it. Bytes that the handler encoded, such as polled odds, are not checked here: tests check those
 * encoders.
 * @throws Error if an object does not fit its schema: the client gets 500, and the log names the field
 */
function checkedReply(route: Route, result: unknown): Reply {
  const value = result instanceof Reply ? result.value : result;
  const isEncoded = result instanceof Reply && value === undefined;
  if (route.response !== null && !isEncoded) {
    const check = answerChecks.get(route) ?? TypeCompiler.Compile(route.response);
    answerChecks.set(route, check);
    if (!check.Check(value)) throw misfitOf(route.operationId, check.Errors(value));
  }
  return toReply(result);
}

/**
 * The key under which equal requests share one answer. Null when the answer may depend on more than the input
 * and the caller's tier. Only metered routes are shared: they cost one unit with or without a key.
 */
function questionOf(route: Route, input: UntypedInput): string | null {
  const isShared = route.access === 'metered' && isDescribed(route);
  return isShared ? `${route.method} ${route.path} ${JSON.stringify(input)}` : null;
}

interface BodyInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly bodyParser: InputParser<TObject>;
}

async function answerBody(served: ServedRoute, context: RequestContext, input: BodyInput): Promise<Response> {
  const { route } = served;
  try {
    const body = input.bodyParser.parse(await readJsonBody(context.request, bodyBytesMaxOf(route)));
    const { params, query } = input;
    return context.respond(await replyOf(served, context, { params, query, body }));
  } catch (error) {
    return context.fail(error);
  }
}

async function settle(result: Promise<Reply>, context: RequestContext): Promise<Response> {
  try {
    return context.respond(await result);
  } catch (error) {
    return context.fail(error);
  }
}
