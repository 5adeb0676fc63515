// What tools are handed: the use cases of this thread and the settings that bound what they report.

import type { Queries } from '../../query/queries.ts';
import type { PlausibleLimits } from '../../query/signals.ts';

export interface ToolServices extends PlausibleLimits {
  readonly queries: Queries;
}
