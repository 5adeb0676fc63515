// One request whose answer should be JSON, bounded in time and size. Every failure becomes a PollFailure with
// a fixed word. The address contains the key, so no part of the address or of an exception's text is passed
// on.

import { HOUR_MS } from '../../clock.ts';
import { codeOf } from '../../errors.ts';
import { boundedText, jsonOrUndefined } from '../../parse-json.ts';
import { failureOfStatus, PollFailure } from './failure.ts';

/**
 * Most bytes of an answer; a longer one fails as `too_large`. One answer of /odds with sixty-seven bookmakers
 * of twenty fixtures takes 600 KB; the largest full answers take some MB.
 */
export const ANSWER_BYTES_MAX = 32 * 1024 * 1024;
/**
 * Time limit from the request to the last byte of its answer. After it, the request has failed: `timed_out`.
 */
const ANSWER_DEADLINE_MS = 10_000;
/**
 * The longest Retry-After that is obeyed. If an upstream asks for more, it is tried again after this time.
 */
const RETRY_AFTER_MS_MAX = HOUR_MS;

export interface JsonRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Aborts the request when the source closes. */
  readonly signal: AbortSignal;
  readonly deadlineMs?: number;
  readonly bytesMax?: number;
  /** Sent with POST; without one it is a GET. */
  readonly body?: string;
}

export interface JsonAnswer {
  readonly body: unknown;
  readonly headers: Headers;
  /** The upstream's clock by its Date header, Unix ms, null without one. Whole seconds. */
  readonly serverAtMs: number | null;
}

/** Reads the body of a refusal and returns its meaning, or null to use the meaning of the status. */
export type RefusalReader = (status: number, body: unknown, headers: Headers) => PollFailure | null;

/**
 * Sends the request and waits for the whole answer.
 * @param refusal what the source knows about answers other than success
 * @throws PollFailure
 */
export async function askJson(request: JsonRequest, refusal: RefusalReader): Promise<JsonAnswer> {
  const deadline = AbortSignal.timeout(request.deadlineMs ?? ANSWER_DEADLINE_MS);
  try {
    const response = await fetch(request.url, {
      ...(request.body === undefined ? {} : { method: 'POST', body: request.body }),
      headers: { accept: 'application/json', 'user-agent': 'overround', ...request.headers },
      redirect: 'manual',
      signal: AbortSignal.any([request.signal, deadline]),
    });
    const text = await boundedText(response, request.bytesMax ?? ANSWER_BYTES_MAX, tooLarge);
    if (response.status !== 200) {
      const value = jsonOrUndefined(text);
      const known = refusal(response.status, value, response.headers);
      const isJson = typeof value === 'object' && value !== null;
      throw known ?? failureOfStatus(response.status, retryAfterMs(response.headers), isJson);
    }
    return { body: jsonOf(text), headers: response.headers, serverAtMs: serverAtMs(response.headers) };
  } catch (error) {
    throw error instanceof PollFailure ? error : failureOfException(error, deadline.aborted);
  }
}

/**
 * The pause of a Retry-After header in ms, null without a usable one. It has two forms: seconds, or a date.
 */
export function retryAfterMs(headers: Headers): number | null {
  const value = headers.get('retry-after')?.trim();
  if (value === undefined || value === '') return null;
  if (/^\d{1,9}$/.test(value)) return Math.min(Number(value) * 1_000, RETRY_AFTER_MS_MAX);
  const now = serverAtMs(headers);
  const at = Date.parse(value);
  // A date is by the upstream's clock, so it means nothing unless that clock's time is known.
  if (Number.isNaN(at) || now === null) return null;
  return Math.min(Math.max(0, at - now), RETRY_AFTER_MS_MAX);
}

function serverAtMs(headers: Headers): number | null {
  const at = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(at) ? null : at;
}

function tooLarge(): PollFailure {
  return new PollFailure('too_large');
}

function jsonOf(text: string): unknown {
  if (text.trim() === '') throw new PollFailure('empty');
  const body = jsonOrUndefined(text);
  if (body !== undefined) return body;
  // A body that begins like JSON and cannot be parsed was cut off on the way. Other bodies are mostly HTML
  // pages.
  throw new PollFailure(/^\s*[[{]/.test(text) ? 'cut_short' : 'not_json');
}

/** Codes that Bun's fetch gives to a connection that ended during an answer. */
const CUT_SHORT = new Set(['ECONNRESET', 'ConnectionClosed', 'UND_ERR_SOCKET', 'InvalidHTTPResponse']);

/** The meaning of an exception of fetch. @param isLate whether the deadline was over */
export function failureOfException(error: unknown, isLate: boolean): PollFailure {
  if (isLate) return new PollFailure('timed_out');
  const code = String(codeOf(error) ?? '');
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY/i.test(code)) return new PollFailure('tls_failed');
  if (CUT_SHORT.has(code) || /Decompress|Zlib|Brotli/i.test(code)) return new PollFailure('cut_short');
  return new PollFailure('unreachable');
}
