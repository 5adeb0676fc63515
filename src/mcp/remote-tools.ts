// Tools of a running server, called over its REST endpoints. The stdio server uses them if OVERROUND_URL is
// set or a server runs on this machine. That server is not trusted: each answer is bounded in time and size,
// and checked.

import { documentationUrl, type ErrorBody, envelopeOf } from '../errors.ts';
import { boundedText, isObject } from '../parse-json.ts';
import { type ServedTool, type ToolOutcome, validationEnvelope } from './served-tool.ts';

export interface RemoteToolsOptions {
  /** Base address of the running server, without a trailing slash. */
  readonly baseUrl: string;
  /** The API key that calls send; null: they are answered on the free tier. */
  readonly apiKey: string | null;
  readonly deadlineMs: number;
  /** Called with the reason when there is no answer; the caller of the tool only learns that it may retry. */
  report(toolName: string, failure: unknown): void;
}

/** Maximum bytes of one answer; the server's own lists are far smaller. With a larger one, the call fails. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Reads the manifest `GET /v1/mcp/tools`.
 * @throws Error for the operator, when the server cannot be reached or its answer is not a manifest
 */
export async function loadRemoteTools(options: RemoteToolsOptions): Promise<readonly ServedTool[]> {
  const address = `${options.baseUrl}/v1/mcp/tools`;
  const { status, body } = await ask(options, address, { method: 'GET' }).catch((failure: unknown) => {
    throw new Error(`Cannot read the tools of ${address}: ${String(failure)}`);
  });
  const tools = isObject(body) ? body.tools : undefined;
  if (status !== 200 || !Array.isArray(tools)) {
    throw new Error(`Cannot read the tools of ${address}: ${describeFailure(status, body)}`);
  }
  return tools.map((entry) => toServedTool(entry, options));
}

function toServedTool(entry: unknown, options: RemoteToolsOptions): ServedTool {
  if (
    !isObject(entry) ||
    typeof entry.name !== 'string' ||
    typeof entry.title !== 'string' ||
    typeof entry.description !== 'string' ||
    typeof entry.path !== 'string' ||
    !entry.path.startsWith('/') ||
    entry.method !== 'POST' ||
    !isObject(entry.input_schema) ||
    !isObject(entry.output_schema)
  ) {
    throw new Error(`Cannot read the tools of ${options.baseUrl}: an entry of the manifest is incomplete`);
  }
  const { name } = entry;
  const address = options.baseUrl + entry.path;
  return {
    name,
    title: entry.title,
    description: entry.description,
    inputSchema: entry.input_schema,
    outputSchema: entry.output_schema,
    call: (input) => callRemote(options, { name, address }, input),
  };
}

async function callRemote(
  options: RemoteToolsOptions,
  { name, address }: { readonly name: string; readonly address: string },
  input: unknown,
): Promise<ToolOutcome> {
  try {
    const { status, body } = await ask(options, address, { method: 'POST', body: JSON.stringify(input) });
    if (status === 200 && isObject(body)) return { kind: 'result', value: body };
    return { kind: 'error', envelope: toRemoteEnvelope(options, status, body) };
  } catch (failure) {
    // The server is unreachable or too slow, or its answer is too long or not JSON.
    options.report(name, failure);
    return { kind: 'error', envelope: unreachable(options) };
  }
}

async function ask(
  { apiKey, deadlineMs }: RemoteToolsOptions,
  address: string,
  request: { readonly method: 'GET' } | { readonly method: 'POST'; readonly body: string },
): Promise<{ readonly status: number; readonly body: unknown }> {
  const headers = new Headers({ accept: 'application/json', 'content-type': 'application/json' });
  if (apiKey !== null) headers.set('authorization', `Bearer ${apiKey}`);
  const signal = AbortSignal.timeout(deadlineMs);
  const response = await fetch(address, { ...request, headers, signal, redirect: 'error' });
  return {
    status: response.status,
    body: JSON.parse(await boundedText(response, ANSWER_BYTES_MAX, tooLarge)),
  };
}

function tooLarge(bytesMax: number): Error {
  return new Error(`Cannot read an answer: more than ${bytesMax} bytes`);
}

/** The server's own error envelope. A 422 has `{detail}` instead and is converted to an envelope. */
function toRemoteEnvelope(options: RemoteToolsOptions, status: number, body: unknown): ErrorBody {
  if (isObject(body) && isObject(body.error) && typeof body.error.code === 'string') {
    const { code, message, fix, is_retriable, retry_after_seconds, documentation_url } = body.error;
    return {
      error: {
        code,
        message: typeof message === 'string' ? message : 'Cannot answer',
        fix: typeof fix === 'string' ? fix : null,
        is_retriable: is_retriable === true,
        retry_after_seconds: typeof retry_after_seconds === 'number' ? retry_after_seconds : null,
        documentation_url:
          typeof documentation_url === 'string' ? documentation_url : documentationUrl(options.baseUrl, code),
      },
    };
  }
  if (status === 422 && isObject(body) && Array.isArray(body.detail)) {
    return validationEnvelope(body.detail.map(toProblem), options.baseUrl);
  }
  return unreachable(options);
}

function toProblem(item: unknown): { readonly loc: readonly (string | number)[]; readonly msg: string } {
  const { loc, msg } = isObject(item) ? item : {};
  return { loc: Array.isArray(loc) ? loc.map(String) : [], msg: typeof msg === 'string' ? msg : 'invalid' };
}

function unreachable({ baseUrl }: RemoteToolsOptions): ErrorBody {
  return envelopeOf('upstream_unavailable', baseUrl, {
    message: 'Cannot answer: the Overround server is out of reach',
    fix: 'Check that the server at OVERROUND_URL is running, then retry',
    retryAfterSeconds: 5,
  });
}

function describeFailure(status: number, body: unknown): string {
  const error = isObject(body) && isObject(body.error) ? body.error : null;
  return error === null ? `status ${status}` : `status ${status}, ${String(error.message)}`;
}
