// A separate listener for /metrics, if the operator sets a port for it: metrics collectors can reach it, API
// clients cannot.

import { METRICS_TYPES, type MetricsType, metricsTypeFor } from '../../telemetry/metrics-page.ts';
import { pathOf } from '../kit/matched-route.ts';
import { bearerOf, isSameText } from '../routes/operations.ts';

export interface MetricsListenerOptions {
  readonly host: string;
  readonly port: number;
  /** The bearer token that a caller must send; null allows everyone who can reach the port. */
  readonly token: string | null;
  readonly page: (nowMs: number, type: MetricsType) => Blob;
  readonly nowMs: () => number;
}

const IDLE_TIMEOUT_S = 10;

/** Starts the listener. @returns the function that stops it @throws when the port is taken */
export function startMetricsListener(options: MetricsListenerOptions): () => Promise<void> {
  const { host, port, token, page, nowMs } = options;
  const server = Bun.serve({
    hostname: host,
    port,
    // Share the port, because the thread that replaces this one may start to listen before the operating
    // system has closed this socket.
    reusePort: true,
    development: false,
    idleTimeout: IDLE_TIMEOUT_S,
    fetch(request) {
      if (pathOf(request.url) !== '/metrics') return new Response('Only /metrics is here\n', { status: 404 });
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        return new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } });
      }
      const sent = bearerOf(request.headers.get('authorization'));
      if (token !== null && (sent === null || !isSameText(sent, token))) {
        return new Response('Send Authorization: Bearer <METRICS_TOKEN>\n', {
          status: 401,
          headers: { 'www-authenticate': 'Bearer' },
        });
      }
      const type = metricsTypeFor(request.headers.get('accept'));
      return new Response(page(nowMs(), type), {
        headers: { 'content-type': METRICS_TYPES[type], 'cache-control': 'no-store', vary: 'Accept' },
      });
    },
  });
  return () => server.stop(true);
}
