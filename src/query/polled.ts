// The use cases of polling and streaming, for a thread with a small heap: odds of fixtures by id, changes of
// the slate, and signals. It has no names, and lists the slate only for followers of signals.

import type { Clock } from '../clock.ts';
import type { FreshnessWindows } from '../domain/signal-gate.ts';
import type { SlateReader } from '../store/reader.ts';
import { OddsChangeReader } from './odds/odds-changes.ts';
import { OddsEncoder } from './odds/odds-encoder.ts';
import { WholeSlates } from './odds/whole-slates.ts';
import { type Scorer, SignalQueries } from './signals/signals.ts';
import { FixtureWatch } from './slate/fixture-watch.ts';
import { Slate } from './slate/slate.ts';
import { SlateCopier } from './slate/slate-copy.ts';

interface PolledSources {
  readonly reader: SlateReader;
  readonly windows: FreshnessWindows;
  readonly scorer: Scorer;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** Whether the service answers about fixtures that have left the slate. */
  readonly keepsHistory?: boolean;
}

export type PolledQueries = Readonly<ReturnType<typeof createPolledQueries>>;

/** Connects the use cases. Nothing is read until one of them is called. */
export function createPolledQueries({ reader, windows, scorer, clock, keepsHistory = false }: PolledSources) {
  const slate = new Slate(reader, windows, keepsHistory);
  const encoder = new OddsEncoder(reader);
  const events = { urgent: scannedElsewhere };
  const signals = new SignalQueries({ reader, events, scorer });
  const copier = new SlateCopier(reader);
  const oddsChanges = new OddsChangeReader({ reader, slate, copier, encoder, windows });
  return {
    slate,
    encoder,
    watch: new FixtureWatch(reader, windows),
    oddsChanges,
    wholeSlates: new WholeSlates({ changes: oddsChanges, clock }),
    signals,
  };
}

function scannedElsewhere(): never {
  throw new Error('Assertion failed: only a thread that lists the slate can scan it');
}
