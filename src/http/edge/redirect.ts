// Plain HTTP beside HTTPS, if the operator turns it on. A browser is redirected to the same path over HTTPS.
// A program is refused: if it were redirected it would seem to work, and its key would cross the network
// unencrypted with every call.

import { ERRORS, envelopeOf } from '../../errors.ts';
import { pathOf } from '../kit/matched-route.ts';

export interface RedirectOptions {
  readonly hostname: string;
  readonly port: number;
  /**
   * The redirect target, without a trailing slash. The Host header is not used, because a client could set it
   * to any site.
   */
  readonly publicUrl: string;
}

/** Seconds without any traffic after which a connection is closed. */
const IDLE_TIMEOUT_S = 5;

/** Starts the redirect. @returns the function that stops it @throws when the port is taken */
export function startRedirect({ hostname, port, publicUrl }: RedirectOptions): () => Promise<void> {
  const server = Bun.serve({
    hostname,
    port,
    reusePort: true,
    development: false,
    idleTimeout: IDLE_TIMEOUT_S,
    fetch: (request) => (opensPage(request) ? sentOn(request, publicUrl) : refused(publicUrl)),
  });
  return () => server.stop(true);
}

/** Only a browser that navigates to an address asks for HTML. */
function opensPage({ method, headers }: Request): boolean {
  return (method === 'GET' || method === 'HEAD') && headers.get('accept')?.includes('text/html') === true;
}

function sentOn({ url }: Request, publicUrl: string): Response {
  const search = url.indexOf('?');
  const location = publicUrl + pathOf(url) + (search < 0 ? '' : url.slice(search));
  return new Response(null, { status: 308, headers: { location, connection: 'close' } });
}

function refused(publicUrl: string): Response {
  const body = envelopeOf('invalid_request', publicUrl, {
    message: 'Cannot answer over plain HTTP',
    fix: `Use ${publicUrl}, and make a new key in place of one that was sent without TLS`,
    retryAfterSeconds: null,
  });
  return Response.json(body, { status: ERRORS.invalid_request.status, headers: { connection: 'close' } });
}
