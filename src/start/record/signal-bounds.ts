// The settings that decide what counts as a signal: how old a price may be, and what is implausible.

import type { FreshnessWindows } from '../../domain/signal-gate.ts';
import type { PlausibleLimits } from '../../query/signals/signals.ts';
import type { Config } from '../../settings/config.ts';

export function windowsOf(config: Pick<Config, 'liveFreshnessMs' | 'prematchFreshnessMs'>): FreshnessWindows {
  return { liveMs: config.liveFreshnessMs, prematchMs: config.prematchFreshnessMs };
}

/** An edge or a margin above these fractions counts as implausible. */
export function plausibleLimitsOf(
  config: Pick<Config, 'valueEdgeMaxPct' | 'arbitrageMarginMaxPct'>,
): PlausibleLimits {
  return { maxEdge: config.valueEdgeMaxPct / 100, maxMargin: config.arbitrageMarginMaxPct / 100 };
}
