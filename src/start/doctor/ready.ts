// Whether the server of these settings says that it is ready: for the health checks of containers and service managers,
// which have no other program to ask with.

import type { Config } from '../../config.ts';
import { urlOf } from '../requirements.ts';
import { whyOf } from './finding.ts';

const ANSWER_WITHIN_MS = 4_000;
/** Where a server is reached that listens on every address. */
const LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** @returns the status and body of /ready, or status 0 and why there is none */
export async function askReady(config: Config): Promise<{ readonly status: number; readonly said: string }> {
  const url = `${urlOf({ ...config, host: LOOPBACK[config.host] ?? config.host })}/ready`;
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      // Its certificate is for its own name, and it is asked here under another.
      tls: { rejectUnauthorized: false },
    });
    return { status: response.status, said: await response.text() };
  } catch (error) {
    return { status: 0, said: `Cannot ask ${url}: ${whyOf(error)}` };
  }
}
