// What the HTTP layer is handed by main: time, the gate, a source of request ids, a log and a place to count.

import type { Gate } from '../../access/gate.ts';
import type { Clock } from '../../clock.ts';
import type { Log } from '../../log.ts';
import type { FinishedRequest } from '../../telemetry/access-log.ts';

/** Where failures that are no caller's are told. Fields never hold a secret. */
export type HttpLog = Pick<Log, 'error'>;

export interface HttpDeps {
  readonly clock: Clock;
  readonly gate: Gate;
  /** Base of links in answers, no trailing slash. */
  readonly publicUrl: string;
  readonly log: HttpLog;
  /** A fresh request id, for requests that bring none. */
  nextRequestId(): string;
  /** Told of every answer. Must be cheap. */
  observe(finished: FinishedRequest): void;
}
