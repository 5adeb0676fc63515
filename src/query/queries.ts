// Every use case of one thread, connected once. All are called in the same way: `queries.<subject>` has a
// method that takes the input (a request, or a fixture that was found) and, if time matters, the instant. The
// store's reader is passed to the subjects here and nowhere else.

import type { FreshnessWindows } from '../domain/signal-gate.ts';
import type { SlateReader } from '../store/reader.ts';
import type { ArchiveCalls } from './lists/archive-calls.ts';
import { EntityQueries } from './lists/entities.ts';
import { EventQueries } from './lists/events.ts';
import { type HistoryCalls, NO_HISTORY } from './lists/history-calls.ts';
import { ResultQueries } from './lists/results.ts';
import { LeagueFilter } from './lookup/league-filter.ts';
import { NameDirectory } from './lookup/name-directory.ts';
import { ResolveQueries } from './lookup/resolve-names.ts';
import { type ScorelineQuestion, scorelineOf } from './markets/fixture-scoreline.ts';
import { MarketQueries } from './markets/market-comparison.ts';
import { MovementQueries } from './markets/movements.ts';
import { LiquidityQueries } from './odds/liquidity.ts';
import { OddsQueries } from './odds/odds.ts';
import { OddsChangeReader } from './odds/odds-changes.ts';
import { OddsEncoder } from './odds/odds-encoder.ts';
import { OpeningQueries } from './odds/openings.ts';
import { KindQueries } from './signals/kind-queries.ts';
import { type Scorer, SignalQueries } from './signals/signals.ts';
import type { FixtureNow } from './slate/fixture-view.ts';
import { FixtureWatch } from './slate/fixture-watch.ts';
import { Slate } from './slate/slate.ts';
import { SlateCopier } from './slate/slate-copy.ts';

export type Queries = Readonly<ReturnType<typeof createQueries>>;

interface QuerySources {
  readonly reader: SlateReader;
  readonly archive: ArchiveCalls;
  /** Calls about the past; without them every question about it is refused. */
  readonly history?: HistoryCalls;
  readonly windows: FreshnessWindows;
  /** The scoring pool, for work on the whole slate. */
  readonly scorer: Scorer;
}

/** Connects the use cases. Nothing is read until one of them is called. */
export function createQueries({ reader, archive, history = NO_HISTORY, windows, scorer }: QuerySources) {
  const slate = new Slate(reader, windows, history !== NO_HISTORY);
  const names = new NameDirectory(slate);
  const leagues = new LeagueFilter(names);
  const events = new EventQueries(slate, leagues);
  const encoder = new OddsEncoder(reader);
  const copier = new SlateCopier(reader);
  const openings = new OpeningQueries(reader);
  const markets = new MarketQueries(reader);
  return {
    slate,
    history,
    names,
    leagues,
    events,
    odds: new OddsQueries(reader),
    oddsChanges: new OddsChangeReader({ reader, slate, copier, encoder, windows }),
    openings,
    liquidity: new LiquidityQueries(reader),
    markets,
    movements: new MovementQueries({ slate, markets, openings }),
    scorelineOf: (fixture: FixtureNow, question: ScorelineQuestion) => scorelineOf(reader, fixture, question),
    kinds: new KindQueries(reader),
    signals: new SignalQueries({ reader, events, scorer }),
    entities: new EntityQueries(names),
    resolve: new ResolveQueries(slate, names),
    results: new ResultQueries(archive, slate),
    encoder,
    watch: new FixtureWatch(reader, windows),
  };
}
