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
import { ResultQueries } from './results.ts';
import { Slate } from './slate.ts';

export interface Queries {
  readonly slate: Slate;
  readonly names: NameDirectory;
  readonly leagues: LeagueFilter;
  readonly events: EventQueries;
  readonly entities: EntityQueries;
  readonly resolve: ResolveQueries;
  readonly results: ResultQueries;
  readonly encoder: OddsEncoder;
}

export interface QuerySources {
  readonly reader: SlateReader;
  readonly archive: ArchiveReader;
  readonly windows: FreshnessWindows;
}

export function createQueries({ reader, archive, windows }: QuerySources): Queries {
  const slate = new Slate(reader, windows);
  const names = new NameDirectory(slate);
  const leagues = new LeagueFilter(names);
  return {
    slate,
    names,
    leagues,
    events: new EventQueries(slate, leagues),
    entities: new EntityQueries(names),
    resolve: new ResolveQueries(slate, names),
    results: new ResultQueries(archive, slate),
    encoder: new OddsEncoder(reader),
  };
}
