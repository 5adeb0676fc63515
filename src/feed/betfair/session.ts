// The operator's log-in session: its token, which may be replaced in its file while the source runs, and the
// request that keeps the session alive.

import { readFile } from 'node:fs/promises';
import { failureOfException } from '../poll/http-client.ts';

export interface SessionOptions {
  readonly appKey: string;
  /** The token as it was when the service started. */
  readonly session: string;
  /** The file that the token was read from; null when the settings have the token itself. */
  readonly sessionFile: string | null;
  /** Base address of the log-in service without a path. */
  readonly loginUrl: string;
}

const DEADLINE_MS = 10_000;
const ANSWER_CHARS_MAX = 10_000;

/** The token as it is in the file now; the last known one if the file cannot be read or is empty. */
export async function readSession({ sessionFile }: SessionOptions, last: string): Promise<string> {
  if (sessionFile === null) return last;
  const token = await readFile(sessionFile, 'utf8').catch(() => ''); // the file is being replaced, and is read again later
  return token.trim() || last;
}

/** Keeps the session alive. @returns why it failed, as a code or an HTTP status; null on success */
export async function keepAlive(
  { appKey, loginUrl }: SessionOptions,
  session: string,
  signal: AbortSignal,
): Promise<string | null> {
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  try {
    const response = await fetch(`${loginUrl}/api/keepAlive`, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.any([signal, deadline]),
      headers: { accept: 'application/json', 'x-application': appKey, 'x-authentication': session },
    });
    const text = (await response.text()).slice(0, ANSWER_CHARS_MAX);
    if (/"status"\s*:\s*"SUCCESS"/.test(text)) return null;
    // The reason is Betfair's error code, which is a word in capitals. It contains nothing else of the
    // answer.
    return /"error"\s*:\s*"([A-Z_]{1,60})"/.exec(text)?.[1] ?? `status ${response.status}`;
  } catch (error) {
    return failureOfException(error, deadline.aborted).reason;
  }
}
