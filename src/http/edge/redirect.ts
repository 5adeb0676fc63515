// Plain HTTP beside HTTPS, where the operator asks for it: a person who opens a page is sent to the same path over HTTPS. A
// program is refused: sent on, it would work, and its key would cross the network in the clear at every call.

import { ERRORS, envelopeOf } from '../../errors.ts';
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
    fetch: (request) => (opensPage(request) ? sentOn(request, publicUrl) : refused(publicUrl)),
  });
  return () => server.stop(true);
}

/** Only a browser that goes to an address asks for HTML. */
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
