// Calls to the public API, and what became of them.

import { systemClock } from '../../../clock.ts';
import type { ErrorEnvelope, ValidationErrorBody } from '../../../contract/errors.ts';
import { texts } from '../texts.ts';
import { apiKey, recall, remember } from './choices.ts';

/** A call that was not answered with 200. */
export class ApiFailure extends Error {
  /** 0 when there was no answer at all. */
  readonly status: number;
  readonly code: string;
  readonly fix: string | null;
  readonly retryAfterMs: number | null;
  /** X-RateLimit-Scope: which limit was reached. */
  readonly scope: string | null;
  /** Messages by field of the body, of a 422. */
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

export interface CallOptions {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Milliseconds that the server's clock is ahead of this one, by its last answer; its Date header counts whole seconds. */
let serverAheadMs: number | null = null;

/** The server's time as well as it is known here. */
export function serverNowMs(): number {
  return systemClock.wallMs() + (serverAheadMs ?? 0);
}

/** What this clock showed at a time that the server wrote. */
export function localMsOf(isoText: string): number {
  return Date.parse(isoText) - (serverAheadMs ?? 0);
}

/**
 * Ends the session of a visitor who logged out while the server did not answer. Its cookie is out of a page's reach, so
 * that any other call would still be made in the visitor's name. @throws ApiFailure when it does not answer now either
 */
export async function endLeftSession(): Promise<void> {
  if (recall('leaving') === null) return;
  try {
    await send('/platform/logout', { method: 'POST' });
  } catch (error) {
    // 401: the session has ended already.
    if (!(error instanceof ApiFailure) || error.status !== 401) throw error;
  }
  remember('leaving', null);
}

/** Tells the server that a signed-in person has opened a page, so that the session counts as used. */
export async function noteVisit(): Promise<void> {
  if (recall('signed-in') === null) return;
  try {
    await callApi('/platform/me');
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    // The page goes on without an account, or without this note when the server does not answer.
    if (error.status === 401) remember('signed-in', null);
  }
}

/** Calls the API, with the visitor's key where there is one; a session goes along by itself. @throws ApiFailure */
export async function callApi(path: string, options: CallOptions = {}): Promise<Response> {
  await endLeftSession();
  return await send(path, options);
}

async function send(path: string, options: CallOptions): Promise<Response> {
  const headers: Record<string, string> = { ...options.headers };
  // Accounts are asked by session: a key says nothing there.
  if (apiKey.value !== null && path.startsWith('/v1/')) headers.authorization = `Bearer ${apiKey.value}`;
  if (options.body !== undefined) headers['content-type'] = 'application/json';
  let response: Response;
  try {
    response = await fetch(path, {
      method: options.method ?? 'GET',
      headers,
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new ApiFailure(texts.unreachable);
  }
  const date = Date.parse(response.headers.get('date') ?? '');
  // The header is cut to the second; half of it is the best guess of the rest.
  if (!Number.isNaN(date)) serverAheadMs = date + 500 - systemClock.wallMs();
  if (!response.ok) throw await failureOf(response);
  return response;
}

/** The JSON of an answer. @throws ApiFailure */
export async function callJson<T>(path: string, options: CallOptions = {}): Promise<T> {
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
