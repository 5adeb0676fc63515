// What use cases ask of the archive. It waits for the disk and walks tables, so HTTP threads ask another thread, by
// message; the embedded stdio server asks here.

import type { ResultSource, ResultsFilter } from '../archive/archive-reader.ts';
import type { ArchivedResult } from '../archive/tables.ts';
import type { FixtureQuestion } from './fixture-lookup.ts';
import { type ResultLookup, ResultLookups } from './result-lookup.ts';

/**
 * Calls that take and answer plain values. @throws ServiceError `upstream_unavailable` when the archive's thread does not
 * answer
 */
export interface ArchiveCalls {
  /** Finished matches that pass the filter, the last to finish first. */
  results(filter: ResultsFilter): Promise<ArchivedResult[]>;
  /** One result, or null when none is kept. */
  result(request: { readonly eventNumber: number }): Promise<ArchivedResult | null>;
  /** The finished match that a question means. @throws ServiceError `invalid_request` for a bad id or inline date */
  lookUp(request: { readonly question: FixtureQuestion; readonly nowMs: number }): Promise<ResultLookup>;
}

/** The name of every call. */
export const ARCHIVE_CALLS = [
  'results',
  'result',
  'lookUp',
] as const satisfies readonly (keyof ArchiveCalls)[];

/** The calls, answered on this thread. */
export function createArchiveCalls(archive: ResultSource): ArchiveCalls {
  const lookups = new ResultLookups(archive);
  return {
    results: async (filter) => archive.results(filter),
    result: async ({ eventNumber }) => archive.result(eventNumber),
    lookUp: async ({ question, nowMs }) => lookups.find(question, nowMs),
  };
}
