// The archive calls that use cases make. They wait for the disk and walk tables, so an HTTP thread sends them
// to another thread as messages; the embedded stdio server runs them on its own thread.

import type { ArchiveReader, ResultsFilter } from '../../archive/archive-reader.ts';
import type { ArchivedResult } from '../../archive/tables.ts';
import type { FixtureQuestion } from '../lookup/fixture-lookup.ts';
import type { ResultLookup, ResultLookups } from '../lookup/result-lookup.ts';

/**
 * Calls with plain values as arguments and results.
 * @throws ServiceError `upstream_unavailable` when the archive's thread does not answer
 */
export interface ArchiveCalls {
  /** Finished matches that pass the filter, the last to finish first. */
  results(filter: ResultsFilter): Promise<ArchivedResult[]>;
  /** One result, or null when the archive has none. */
  result(request: { readonly eventNumber: number }): Promise<ArchivedResult | null>;
  /**
   * The finished match that a question means.
   * @throws ServiceError `invalid_request` for a bad id or inline date
   */
  lookUp(request: { readonly question: FixtureQuestion; readonly nowMs: number }): Promise<ResultLookup>;
}

/**
 * The calls, run on this thread. The code that reads names is loaded by the first question in words, so that
 * it does not delay the start.
 */
export function createArchiveCalls(archive: ArchiveReader): ArchiveCalls {
  let lookups: ResultLookups | null = null;
  // Only what was loaded is kept: after a failure, the next question tries again.
  const load = async (): Promise<ResultLookups> => {
    const loaded = await import('../lookup/result-lookup.ts');
    lookups ??= new loaded.ResultLookups(archive);
    return lookups;
  };
  return {
    results: async (filter) => archive.results(filter),
    result: async ({ eventNumber }) => archive.result(eventNumber),
    lookUp: async ({ question, nowMs }) => (lookups ?? (await load())).find(question, nowMs),
  };
}
