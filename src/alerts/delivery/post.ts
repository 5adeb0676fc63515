// Sends one request to the endpoint of a rule. The host name is resolved once, each of its addresses is
// checked, and the connection goes to a checked address. So a name server cannot redirect the connection with
// a different second answer. TLS still checks the certificate of the name.

import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { parseAddress } from '../../ip-address.ts';
import type { FormedRequest } from './formats.ts';
import { type AlertTarget, type AllowedTargets, addressRefusal } from './target.ts';

/** Time limit to resolve the name, send, and read the answer. After it, the attempt fails. */
const POST_DEADLINE_MS = 10_000;
/** Bytes of an answer that are read. The rest of a longer answer is ignored. */
export const ANSWER_BYTES_MAX = 4_096;

/** Maximum number of interim answers (1xx) before the answer. With more, the attempt fails. */
export const INTERIM_ANSWERS_MAX = 10;

export interface PostParts {
  /** Every address of a name, as texts. */
  readonly resolve: (host: string) => Promise<readonly string[]>;
  readonly allowed: AllowedTargets;
  /** The deadline of one attempt; default POST_DEADLINE_MS. */
  readonly deadlineMs?: number;
  /** Certificates that are trusted instead of the usual ones; for tests. */
  readonly ca?: string;
}

export interface PostOutcome {
  /** HTTP status of the answer; null when there was none. */
  readonly status: number | null;
  /** Why the attempt failed; null when the endpoint accepted the delivery. */
  readonly error: string | null;
  /** The beginning of the answer, as text; null without one. */
  readonly answer: string | null;
  /** How long the endpoint asks to wait before the next request; absent if it does not ask. */
  readonly retryAfterMs?: number;
}

/** Never rejects: every failure is reported as an outcome. */
export async function postAlert(
  target: AlertTarget,
  formed: FormedRequest,
  parts: PostParts,
): Promise<PostOutcome> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), parts.deadlineMs ?? POST_DEADLINE_MS);
  try {
    const address = await orAborted(checkedAddress(target, parts), abort.signal);
    return await exchange({ target, address, formed, ca: parts.ca, signal: abort.signal });
  } catch (error) {
    return { status: null, error: reasonOf(error), answer: null };
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Resolves the target's name and returns its first address.
 * @throws RefusedError when the name has no address, or any of its addresses is not allowed
 */
async function checkedAddress(target: AlertTarget, { resolve, allowed }: PostParts): Promise<string> {
  const texts = target.address === null ? await resolve(target.host) : [target.host];
  const addresses = texts.map(parseAddress);
  for (const address of addresses) {
    const reason = address === null ? 'its address cannot be read' : addressRefusal(target, address, allowed);
    if (reason !== null) throw new RefusedError(`not sent: ${reason}`);
  }
  const [first] = addresses;
  if (first === undefined || first === null) throw new RefusedError('not sent: the name has no address');
  return first.toString();
}

/** The request was not sent, or was abandoned. Its message is shown to the owner of the rule. */
class RefusedError extends Error {}

interface Exchange {
  readonly target: AlertTarget;
  readonly address: string;
  readonly formed: FormedRequest;
  readonly ca: string | undefined;
  readonly signal: AbortSignal;
}

function exchange({ target, address, formed, ca, signal }: Exchange): Promise<PostOutcome> {
  const body = Buffer.from(formed.body);
  const isNamed = target.address === null;
  const options: RequestOptions = {
    method: 'POST',
    host: address,
    port: target.port,
    path: formed.path,
    agent: false,
    headers: {
      ...formed.headers,
      host: new URL(target.href).host,
      'user-agent': 'Overround',
      'content-length': body.byteLength,
      connection: 'close',
    },
    ...(isNamed && target.isSecure ? { servername: target.host } : {}),
    ...(ca === undefined ? {} : { ca }),
  };
  return new Promise((resolve, reject) => {
    const send = target.isSecure ? httpsRequest : httpRequest;
    const request = send(options, (response) => {
      readAnswer(response)
        .then(resolve, reject)
        .finally(() => request.destroy());
    });
    const stop = (): void => {
      reject(new RefusedError('no answer in time'));
      request.destroy();
    };
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    let interimAnswers = 0;
    request.on('information', () => {
      interimAnswers += 1;
      if (interimAnswers <= INTERIM_ANSWERS_MAX) return;
      reject(new RefusedError('it sends interim answers without end'));
      request.destroy();
    });
    request.on('error', reject);
    request.end(body);
  });
}

function readAnswer(response: IncomingMessage): Promise<PostOutcome> {
  const status = response.statusCode ?? 0;
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve, reject) => {
    const finish = (): void => {
      const answer = Buffer.concat(chunks).subarray(0, ANSWER_BYTES_MAX).toString('utf8');
      const retryAfterMs = retryAfterOf(status, response.headers, answer);
      resolve({
        ...{ status, error: problemOf(status), answer: answer.replaceAll('\0', '') },
        ...(retryAfterMs === null ? {} : { retryAfterMs }),
      });
    };
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.byteLength;
      if (bytes < ANSWER_BYTES_MAX) return;
      finish();
      response.destroy();
    });
    response.on('end', finish);
    response.on('error', reject);
  });
}

function problemOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `answered ${status}: redirects are not followed`;
  return `answered ${status}`;
}

/** Statuses whose `Retry-After` header is respected. */
const WAITING_STATUSES: readonly number[] = [429, 503];

/**
 * The wait that the endpoint asks for. The header has it in seconds, or as a date by the endpoint's clock;
 * Telegram puts it into the body.
 */
function retryAfterOf(status: number, headers: IncomingHttpHeaders, answer: string): number | null {
  if (!WAITING_STATUSES.includes(status)) return null;
  const given = headers['retry-after'] ?? /"retry_after":\s*(\d+)/.exec(answer)?.[1];
  if (given === undefined) return null;
  const seconds = Number(given);
  const ms = Number.isNaN(seconds)
    ? Date.parse(given) - Date.parse(headers.date ?? '')
    : Math.ceil(seconds * 1_000);
  return Number.isFinite(ms) && ms > 0 ? ms : null;
}

/** The reason of a failure as shown to the owner. It never contains an address that the name resolved to. */
function reasonOf(error: unknown): string {
  if (error instanceof RefusedError) return error.message;
  const code = (error as { readonly code?: unknown }).code;
  return typeof code === 'string' ? `not delivered: ${code}` : 'not delivered: the connection failed';
}

function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new RefusedError('no answer in time')), { once: true });
    work.then(resolve, reject);
  });
}
