// Plain HTTP beside HTTPS, where the operator asks for it: every request is sent to the same path over HTTPS.

import { pathOf } from '../kit/server-parts.ts';

export interface RedirectOptions {
  readonly hostname: string;
  readonly port: number;
  /** Where to, no trailing slash. The Host header is not asked, or anybody could be sent anywhere. */
  readonly publicUrl: string;
}

/** Who has not sent a whole request by then is gone. */
const IDLE_TIMEOUT_S = 5;

/** Starts it. @returns how to stop it @throws when the port is taken */
export function startRedirect({ hostname, port, publicUrl }: RedirectOptions): () => Promise<void> {
  const server = Bun.serve({
    hostname,
    port,
    reusePort: true,
    development: false,
    idleTimeout: IDLE_TIMEOUT_S,
    fetch({ url }) {
      const search = url.indexOf('?');
      const location = publicUrl + pathOf(url) + (search < 0 ? '' : url.slice(search));
      return new Response(null, { status: 308, headers: { location, connection: 'close' } });
    },
  });
  return () => server.stop(true);
}
