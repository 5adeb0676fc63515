// What the HTTP layer is handed by main: time, the gate, a source of request ids, a log and a place to count.

import type { Gate } from '../../access/gate.ts';
import type { Clock } from '../../clock.ts';
import type { Principal } from '../../domain/tiers.ts';
import type { Log } from '../../log.ts';

/** Where failures that are no caller's are told. Fields never hold a secret. */
export type HttpLog = Pick<Log, 'error'>;

/** A request that has been answered, for the access log and the metrics. */
export interface FinishedExchange {
  readonly method: string;
  /** Path template such as `/v1/events/:event_id`, or `unmatched`: a bounded label. */
  readonly route: string;
  /** Path as requested, without the query. */
  readonly path: string;
  readonly status: number;
  readonly latencyMs: number;
  readonly principal: Principal;
  readonly clientAddress: string;
  readonly requestId: string;
  /** What went wrong inside, when something did: for the log, never for the answer. */
  readonly errorCode: string | null;
}

export interface HttpDeps {
  readonly clock: Clock;
  readonly gate: Gate;
  /** Base of links in answers, no trailing slash. */
  readonly publicUrl: string;
  readonly log: HttpLog;
  /** A fresh request id, for requests that bring none. */
  nextRequestId(): string;
  /** Told of every answer. Must be cheap. */
  observe(finished: FinishedExchange): void;
}
