// Asks the server with these settings whether it is ready. For health checks where no HTTP client is
// installed: in containers and under service managers.

import type { Config } from '../../settings/config.ts';
import { urlOf } from '../requirements.ts';
import { whyOf } from './finding.ts';

const ANSWER_WITHIN_MS = 4_000;
/** The address at which to reach a server that listens on every address. */
const LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** @returns the status and body of /ready; if the server did not answer, status 0 and the reason */
export async function askReady(config: Config): Promise<{ readonly status: number; readonly said: string }> {
  const url = `${urlOf({ ...config, host: LOOPBACK[config.host] ?? config.host })}/ready`;
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      // Do not check the certificate: it is for the server's name, but this request goes to an IP address.
      tls: { rejectUnauthorized: false },
    });
    return { status: response.status, said: await response.text() };
  } catch (error) {
    return { status: 0, said: `Cannot ask ${url}: ${whyOf(error)}` };
  }
}
