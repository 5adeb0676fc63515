// Calls to the public API and their failures.

import { systemClock } from '../../../clock.ts';
import type { ErrorEnvelope, ValidationErrorBody } from '../../../contract/errors.ts';
import { texts } from '../texts.ts';
import { apiKey, recall, remember } from './choices.ts';
import { earlyAnswer } from './early-stream.ts';

/** A call that was refused, failed, or got no answer. */
export class ApiFailure extends Error {
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  readonly code: string;
  readonly fix: string | null;
  readonly retryAfterMs: number | null;
  /** X-RateLimit-Scope: the limit that was reached. */
  readonly scope: string | null;
  /** Messages by body field, from a 422. */
  readonly fields: ReadonlyMap<string, string>;

  constructor(message: string, facts: Partial<Omit<ApiFailure, 'name' | 'message'>> = {}) {
    super(message);
    this.status = facts.status ?? 0;
    this.code = facts.code ?? 'unreachable';
    this.fix = facts.fix ?? null;
    this.retryAfterMs = facts.retryAfterMs ?? null;
    this.scope = facts.scope ?? null;
    this.fields = facts.fields ?? new Map();
  }
}

export interface ApiCallOptions {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * How far the server's clock is ahead of this machine's, from the Date header of the latest answer, which has
 * whole seconds only; null before the first answer.
 */
let serverAheadMs: number | null = null;

/** The server's time, to the precision of `serverAheadMs`; this machine's before the first answer. */
export function serverNowMs(): number {
  return systemClock.wallMs() + (serverAheadMs ?? 0);
}

/** This machine's time for a timestamp that the server wrote. */
export function localMsOf(isoText: string): number {
  return Date.parse(isoText) - (serverAheadMs ?? 0);
}

/**
 * Ends the session of a visitor who logged out while the server did not answer. The page cannot delete the
 * session cookie, so until the session has ended, every call is still made in the visitor's name. @throws
 * ApiFailure when the server still does not answer
 */
export async function endLeftSession(): Promise<void> {
  if (recall('leaving') === null) return;
  try {
    await send('/platform/logout', { method: 'POST' });
  } catch (error) {
    // 401: the session has already ended.
    if (!(error instanceof ApiFailure) || error.status !== 401) throw error;
  }
  remember('leaving', null);
}

/** Reports to the server that a signed-in visitor opened a page, so that the session counts as used. */
export async function noteVisit(): Promise<void> {
  if (recall('signed-in') === null) return;
  try {
    await callApi('/platform/me');
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    // Without an account, or if the server does not answer, the page works without this report.
    if (error.status === 401) remember('signed-in', null);
  }
}

/**
 * Calls the API with the visitor's key, if there is one. The browser adds the session cookie. @throws
 * ApiFailure
 */
export async function callApi(path: string, options: ApiCallOptions = {}): Promise<Response> {
  await endLeftSession();
  return await send(path, options);
}

async function send(path: string, options: ApiCallOptions): Promise<Response> {
  const headers: Record<string, string> = { ...options.headers };
  // Account endpoints use the session, not a key.
  if (apiKey.value !== null && path.startsWith('/v1/')) headers.authorization = `Bearer ${apiKey.value}`;
  if (options.body !== undefined) headers['content-type'] = 'application/json';
  let response: Response;
  try {
    response =
      (await earlyAnswer(path, apiKey.value, options.signal)) ??
      (await fetch(path, {
        method: options.method ?? 'GET',
        headers,
        ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      }));
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new ApiFailure(texts.unreachable);
  }
  const date = Date.parse(response.headers.get('date') ?? '');
  // The header has no fraction of a second; adding half a second is the best estimate.
  if (!Number.isNaN(date)) serverAheadMs = date + 500 - systemClock.wallMs();
  if (!response.ok) throw await failureOf(response);
  return response;
}

/** The JSON body of an answer. @throws ApiFailure */
export async function callJson<T>(path: string, options: ApiCallOptions = {}): Promise<T> {
  const response = await callApi(path, options);
  return (await response.json()) as T;
}

async function failureOf(response: Response): Promise<ApiFailure> {
  const { status, headers } = response;
  const retryAfter = headers.get('retry-after');
  const facts = {
    status,
    retryAfterMs: retryAfter === null ? null : Number(retryAfter) * 1_000,
    scope: headers.get('x-ratelimit-scope'),
  };
  const body = (await response.json().catch(() => null)) as ErrorEnvelope | ValidationErrorBody | null;
  if (body !== null && 'error' in body) {
    const { code, message, fix } = body.error;
    return new ApiFailure(message, { ...facts, code, fix });
  }
  if (body !== null && 'detail' in body) {
    const fields = new Map(body.detail.map(({ loc, msg }) => [String(loc.at(-1)), msg]));
    return new ApiFailure(texts.checkFields, { ...facts, code: 'validation_error', fields });
  }
  return new ApiFailure(texts.answered(status), { ...facts, code: 'unknown' });
}
