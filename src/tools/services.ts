// What tools are handed: the use cases of this thread and the settings that bound what they report.

import type { Queries } from '../query/queries.ts';

export interface ToolServices {
  readonly queries: Queries;
  /** Value edges above this are implausible and dropped, as a fraction: 0.1 is 10 %. */
  readonly maxEdge: number;
  /** Arbitrage margins above this likewise. */
  readonly maxMargin: number;
}
