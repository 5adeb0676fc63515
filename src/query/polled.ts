// The use cases of what is polled and pushed, for a thread that has nothing else in its heap: odds of fixtures by id, changes
// of the slate, and signals as they come and go. No names, no lists of the slate but for who follows signals.

import type { FreshnessWindows } from '../domain/signal-gate.ts';
import type { SlateReader } from '../store/reader.ts';
import { ScorelineQueries } from './fixture-scoreline.ts';
import { FixtureWatch } from './fixture-watch.ts';
import { LiveSignals } from './live-signals.ts';
import { OddsChanges } from './odds-changes.ts';
import { OddsEncoder } from './odds-encoder.ts';
import { type HitScorer, type PlausibleLimits, type Scorer, SignalQueries } from './signals.ts';
import { Slate } from './slate.ts';
import { SlateCopier } from './slate-copy.ts';

export interface PolledQueries {
  readonly slate: Slate;
  readonly encoder: OddsEncoder;
  readonly watch: FixtureWatch;
  readonly oddsChanges: OddsChanges;
  readonly liveSignals: LiveSignals;
}

interface PolledSources {
  readonly reader: SlateReader;
  readonly windows: FreshnessWindows;
  readonly scorer: Scorer & HitScorer;
  readonly limits: PlausibleLimits;
}

/** Wires them. Nothing is read before one of them is asked. */
export function createPolledQueries({ reader, windows, scorer, limits }: PolledSources): PolledQueries {
  const slate = new Slate(reader, windows);
  const encoder = new OddsEncoder(reader);
  const events = { urgent: scannedElsewhere };
  const signals = new SignalQueries({ reader, events, scorelines: new ScorelineQueries(reader), scorer });
  return {
    slate,
    encoder,
    watch: new FixtureWatch(reader, windows),
    oddsChanges: new OddsChanges({ reader, slate, copier: new SlateCopier(reader), encoder, windows }),
    liveSignals: new LiveSignals({ reader, slate, signals, scorer }, limits),
  };
}

function scannedElsewhere(): never {
  throw new Error('Assertion failed: the slate is scanned on a thread that lists it');
}
