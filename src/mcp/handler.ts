// The MCP endpoint: stateless streamable HTTP, so any thread or node can answer any request. One handler
// serves protocol 2026-07-28 and the 2025 protocols. Untrusted input is checked here before the SDK sees it:
// Host and Origin, body size, batches, time. The HTTP layer has already identified the caller and charged the
// request.

import {
  createMcpHandler,
  hostHeaderValidationResponse,
  isJsonContentType,
  type McpHttpHandler,
  originValidationResponse,
  readRequestBody,
} from '@modelcontextprotocol/server';
import { assert } from '../errors.ts';
import { BODY_BYTES_MAX, REQUEST_DEADLINE_MS } from '../limits.ts';
import { isObject, JSON_DEPTH_MAX, JSON_FIELDS_MAX, parseJson } from '../parse-json.ts';
import type { ToolContext } from '../tools/kit/tool.ts';
import type { ServedTool } from './served-tool.ts';
import { createServerFactory, type ServerExtension } from './server-factory.ts';
import { isEventStream, singleAnswerAsJson } from './single-answer.ts';

export interface McpEndpointOptions {
  readonly tools: readonly ServedTool[];
  readonly version: string;
  /** Base of `documentation_url`, without a trailing slash. */
  readonly publicUrl: string;
  /** Host names (without port) that requests may be addressed to, such as `localhost`; IPv6 in brackets. */
  readonly allowedHostnames: readonly string[];
  /**
   * Host names of origins whose pages may call. A request without an Origin header does not come from a page
   * and is accepted.
   */
  readonly allowedOriginHostnames: readonly string[];
  /** Deadline of one request, body included; default REQUEST_DEADLINE_MS. */
  readonly deadlineMs?: number;
  /** Called with failures that are our own bugs, never with mistakes of a caller. */
  report(where: string, failure: unknown): void;
  readonly extension?: ServerExtension;
}

/** JSON-RPC error codes of answers made before the SDK. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const METHOD_NOT_FOUND = -32_601;
const SERVER_ERROR = -32_000;

const NOT_JSON = `Cannot read the body: it is not JSON, is nested more than ${JSON_DEPTH_MAX} levels deep, or has more than ${JSON_FIELDS_MAX} fields`;

/**
 * URL of every request passed to the SDK. The SDK only reads headers, method and signal, and a malformed Host
 * could make the real URL unusable.
 */
const INNER_URL = 'http://localhost/mcp';

/** Serves `/mcp`. Create one per thread and call `close()` at the end. */
export class McpEndpoint {
  readonly #options: McpEndpointOptions;
  readonly #handler: McpHttpHandler;
  readonly #contexts = new WeakMap<Request, ToolContext>();

  constructor(options: McpEndpointOptions) {
    this.#options = options;
    const factory = createServerFactory({
      ...options,
      contextOf: (request) => {
        const context = request === undefined ? undefined : this.#contexts.get(request);
        assert(context !== undefined, 'every request given to the SDK has its context');
        return context;
      },
    });
    this.#handler = createMcpHandler(factory, {
      maxRequestBodySize: BODY_BYTES_MAX,
      maxSubscriptions: 1,
    });
  }

  /**
   * Answers one HTTP request: POST with one JSON-RPC message; other methods get 405 with `Allow: POST`. The
   * request's body must be unread. Never rejects.
   */
  async fetch(request: Request, context: ToolContext): Promise<Response> {
    const { allowedHostnames, allowedOriginHostnames } = this.#options;
    const refusal =
      hostHeaderValidationResponse(request, [...allowedHostnames]) ??
      originValidationResponse(request, [...allowedOriginHostnames]);
    if (refusal !== undefined) return refusal;

    // One controller for both reasons to end. Bun 1.4.5 never frees an `AbortSignal.any` that has a listener,
    // and with that signal the request's server, 60 KB, would stay in memory.
    const end = new AbortController();
    if (request.signal.aborted) end.abort();
    request.signal.addEventListener('abort', () => end.abort(), { once: true });
    const deadlineMs = this.#options.deadlineMs ?? REQUEST_DEADLINE_MS;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<Response>((resolve) => {
      timer = setTimeout(() => {
        resolve(lateResponse(deadlineMs));
        end.abort();
      }, deadlineMs);
    });
    const answer = this.#answer(request, context, end.signal);
    const response = await Promise.race([answer, late]);
    // An open stream keeps its deadline.
    if (response.body === null || !isEventStream(response)) clearTimeout(timer);
    return response;
  }

  /** Ends the requests in progress. Afterwards the endpoint answers 500. */
  close(): Promise<void> {
    return this.#handler.close();
  }

  async #answer(request: Request, context: ToolContext, signal: AbortSignal): Promise<Response> {
    try {
      if (request.method !== 'POST') return await this.#serve(request, context, { signal });
      if (!isJsonContentType(request.headers.get('content-type'))) {
        return refuse(415, SERVER_ERROR, 'Cannot read the body: its content type is not application/json');
      }
      const body = await readRequestBody(request, BODY_BYTES_MAX);
      if (body.tooLarge) {
        return refuse(413, SERVER_ERROR, `Cannot read the body: it has more than ${BODY_BYTES_MAX} bytes`);
      }
      const message = parsed(body.text);
      if (message === undefined) return refuse(400, PARSE_ERROR, NOT_JSON);
      if (Array.isArray(message)) {
        return refuse(
          400,
          INVALID_REQUEST,
          'Cannot accept a JSON-RPC batch: send one message in each request',
        );
      }
      if (!isObject(message))
        return refuse(400, INVALID_REQUEST, 'Cannot read the body: it is not a JSON object');
      // There are no subscriptions over HTTP, so the method does not exist here.
      if (message.method === 'subscriptions/listen') {
        return refuse(404, METHOD_NOT_FOUND, 'Method not found', message.id);
      }
      return await this.#serve(request, context, { signal, message });
    } catch (failure) {
      if (!request.signal.aborted) this.#options.report('mcp', failure);
      return refuse(500, -32_603, 'Internal error');
    }
  }

  async #serve(
    request: Request,
    context: ToolContext,
    { signal, message }: { readonly signal: AbortSignal; readonly message?: unknown },
  ): Promise<Response> {
    const { method, headers } = request;
    const inner = new Request(INNER_URL, { method, headers, signal });
    this.#contexts.set(inner, context);
    const response = await this.#handler.fetch(inner, message === undefined ? {} : { parsedBody: message });
    return singleAnswerAsJson(response);
  }
}

function lateResponse(deadlineMs: number): Response {
  const response = refuse(503, SERVER_ERROR, `Cannot answer: it took longer than ${deadlineMs} ms`);
  response.headers.set('retry-after', '1');
  return response;
}

function refuse(status: number, code: number, message: string, id: unknown = null): Response {
  const knownId = typeof id === 'string' || typeof id === 'number' ? id : null;
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: knownId }, { status });
}

/** Undefined when the text is not JSON, is nested too deeply, or has too many fields. */
function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
