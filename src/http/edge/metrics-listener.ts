// A listener for /metrics alone, where the operator gives it a port of its own: reached by whoever collects metrics, not
// by clients.

import { METRICS_TYPES, type MetricsType, metricsTypeFor } from '../../telemetry/metrics-page.ts';
import { pathOf } from '../kit/server-parts.ts';
import { bearerOf, isSameText } from '../routes/operations.ts';

export interface MetricsListenerOptions {
  readonly host: string;
  readonly port: number;
  /** What a caller sends as a bearer; null lets everybody read who reaches the port. */
  readonly token: string | null;
  readonly page: (nowMs: number, type: MetricsType) => Blob;
  readonly nowMs: () => number;
}

const IDLE_TIMEOUT_S = 10;

/** Starts it. @returns how to stop it @throws when the port is taken */
export function startMetricsListener(options: MetricsListenerOptions): () => Promise<void> {
  const { host, port, token, page, nowMs } = options;
  const server = Bun.serve({
    hostname: host,
    port,
    // The thread that replaces this one may listen before the system has closed its socket.
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
