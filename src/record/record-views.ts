// The views whose signals the live record writes down: value against the sharp bookmaker and against the
// consensus, and arbitrage. They are recorded once as callers with the sharp bookmaker see them, and once as
// callers without it do.

import type { Clock } from '../clock.ts';
import { SHARP_BOOKMAKERS } from '../domain/catalogue.ts';
import type { FreshnessWindows } from '../domain/signal-gate.ts';
import { RECORD_MIN_EDGE_PCT } from '../domain/signal-gate.ts';
import { KEYLESS, type Principal, principalOf } from '../domain/tiers.ts';
import { assert } from '../errors.ts';
import { RECORD_OPEN_MAX } from '../limits.ts';
import { NO_LEAGUES, oddsView } from '../query/odds/odds-view.ts';
import { createPolledQueries } from '../query/polled.ts';
import type { HitScorer, PlausibleLimits } from '../query/signals/signals.ts';
import type { SlateReader } from '../store/reader.ts';
import { LiveSignals } from '../stream/signals/live-signals.ts';
import type { SignalWords } from '../stream/signals/signal-view.ts';
import { scannerOf } from './scan-here.ts';
import { SignalRecorder } from './signal-recorder.ts';

/** Signals as one kind of caller finds them. */
export interface RecordView {
  readonly seesSharp: boolean;
  readonly recorder: SignalRecorder;
}

export interface RecordViewsOptions {
  readonly reader: SlateReader;
  readonly windows: FreshnessWindows;
  readonly limits: PlausibleLimits;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

const SEEING = principalOf('enterprise');
/** Fixtures scored in one step, without other work in between: about a millisecond. */
const FIXTURES_PER_STEP = 8;
const VALUE = { signals: ['value'], min_edge_pct: RECORD_MIN_EDGE_PCT } as const;
const BOTH = { ...VALUE, signals: ['value', 'arbitrage'], min_margin_pct: 0 } as const;
/** Without a sharp bookmaker in the roster all callers see the same. */
const VIEWS: readonly { readonly principal: Principal; readonly words: SignalWords }[] = [
  { principal: KEYLESS, words: { ...BOTH, reference: 'consensus' } },
  ...(SHARP_BOOKMAKERS.length === 0
    ? []
    : [
        { principal: SEEING, words: { ...BOTH, reference: 'sharp' } },
        { principal: SEEING, words: { ...VALUE, reference: 'consensus' } },
      ]),
];

/** Whether a caller gets the signals that were found with the sharp bookmaker's prices. */
export function seesSharpRecord({ seesSharp }: Pick<Principal, 'seesSharp'>): boolean {
  return seesSharp && SHARP_BOOKMAKERS.length > 0;
}

export function recordViews({ reader, windows, limits, clock }: RecordViewsOptions): readonly RecordView[] {
  const scorer: HitScorer = { scanHits: scannerOf(reader, FIXTURES_PER_STEP) };
  const { slate, signals } = createPolledQueries({
    reader,
    windows,
    clock,
    scorer: { scan: scorer.scanHits },
  });
  const bounds = { signals: RECORD_OPEN_MAX, watches: VIEWS.length };
  return VIEWS.map(({ principal, words }) => {
    const live = new LiveSignals({ reader, slate, signals, scorer }, limits, bounds);
    const view = live.view(
      words,
      oddsView({ slate, leagues: NO_LEAGUES }, words, { principal, nowMs: 0 }),
      principal,
    );
    assert(view !== null, 'the record follows signals');
    return { seesSharp: principal.seesSharp, recorder: new SignalRecorder(slate, live.follow(view, false)) };
  });
}
