// What one HTTP thread is made of: its own reader of the store, its queries, its routes and its listener. Main runs the
// first; http-worker.ts runs the others on the same port.

import type { Gate } from './access/gate.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import { createApp } from './http/app.ts';
import type { FinishedExchange } from './http/deps.ts';
import { OddsAnswers } from './http/odds-answers.ts';
import { catalogueRoutes } from './http/routes/catalogue.ts';
import { convertRoutes } from './http/routes/convert.ts';
import { eventRoutes } from './http/routes/events.ts';
import { oddsRoutes } from './http/routes/odds.ts';
import { operationsRoutes } from './http/routes/operations.ts';
import { resolveRoutes } from './http/routes/resolve.ts';
import { type HttpServer, startHttp } from './http/serve.ts';
import type { Log } from './log.ts';
import { createQueries } from './query/queries.ts';
import { SlateReader } from './store/reader.ts';

export interface HttpThreadOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly storeBuffer: SharedArrayBuffer;
  readonly gate: Gate;
  readonly nextRequestId: () => string;
  readonly observe: (finished: FinishedExchange) => void;
}

export function startHttpThread(options: HttpThreadOptions): HttpServer {
  const { config, clock, log, gate } = options;
  const windows = { liveMs: config.liveFreshnessMs, prematchMs: config.prematchFreshnessMs };
  const queries = createQueries(new SlateReader(options.storeBuffer), windows);
  const answers = new OddsAnswers(queries.slate, queries.encoder);
  const app = createApp([
    operationsRoutes(queries),
    catalogueRoutes(queries),
    eventRoutes(queries),
    oddsRoutes(queries, answers),
    resolveRoutes(queries),
    convertRoutes(),
  ]);
  return startHttp({
    app,
    deps: {
      clock,
      gate,
      publicUrl: config.publicUrl,
      log: { error: (message, fields) => log.error(message, fields as Record<string, string>) },
      nextRequestId: options.nextRequestId,
      observe: options.observe,
    },
    hostname: config.host,
    port: config.port,
    reusePort: config.httpThreads > 1,
    allowedHosts: config.allowedHosts,
    trustedProxies: config.trustedProxies,
  });
}
