// Every use case of one thread, wired once: general to specific.

import type { ArchiveReader } from '../archive/archive-reader.ts';
import type { SlateReader } from '../store/reader.ts';
import { EntityQueries } from './entities.ts';
import { EventQueries } from './events.ts';
import type { FreshnessWindows } from './freshness.ts';
import { LeagueFilter } from './league-filter.ts';
import { NameDirectory } from './name-directory.ts';
import { OddsEncoder } from './odds-encoder.ts';
import { ResolveQueries } from './resolve-names.ts';
import { ResultLookups } from './result-lookup.ts';
import { ResultQueries } from './results.ts';
import { Slate } from './slate.ts';
import { type Scorer, SlateScans } from './slate-scan.ts';

export interface Queries {
  readonly slate: Slate;
  readonly names: NameDirectory;
  readonly leagues: LeagueFilter;
  readonly events: EventQueries;
  readonly entities: EntityQueries;
  readonly resolve: ResolveQueries;
  readonly results: ResultQueries;
  readonly resultLookups: ResultLookups;
  readonly scans: SlateScans;
  readonly encoder: OddsEncoder;
}

export interface QuerySources {
  readonly reader: SlateReader;
  readonly archive: ArchiveReader;
  readonly windows: FreshnessWindows;
  /** Whole-slate work: the scoring pool. */
  readonly scorer: Scorer;
}

/** Wires the use cases. Nothing is read before one of them is asked. */
export function createQueries({ reader, archive, windows, scorer }: QuerySources): Queries {
  const slate = new Slate(reader, windows);
  const names = new NameDirectory(slate);
  const leagues = new LeagueFilter(names);
  const events = new EventQueries(slate, leagues);
  return {
    slate,
    names,
    leagues,
    events,
    scans: new SlateScans(events, scorer),
    entities: new EntityQueries(names),
    resolve: new ResolveQueries(slate, names),
    results: new ResultQueries(archive, slate),
    resultLookups: new ResultLookups(archive),
    encoder: new OddsEncoder(reader),
  };
}
