// The archive calls that use cases make. They wait for the disk and walk tables, so an HTTP thread sends them
// to another thread as messages; the embedded stdio server runs them on its own thread.

import type { ArchiveReader, ResultsFilter } from '../../archive/archive-reader.ts';
import type { ArchivedResult } from '../../archive/tables.ts';

/**
 * Calls with plain values as arguments and results.
 * @throws ServiceError `upstream_unavailable` when the archive's thread does not answer
 */
export interface ArchiveCalls {
  /** Finished matches that pass the filter, the last to finish first. */
  results(filter: ResultsFilter): Promise<ArchivedResult[]>;
  /** One result, or null when the archive has none. */
  result(request: { readonly eventNumber: number }): Promise<ArchivedResult | null>;
}

/** The calls, run on this thread. */
export function createArchiveCalls(archive: ArchiveReader): ArchiveCalls {
  return {
    results: (filter) => archive.results(filter),
    result: ({ eventNumber }) => archive.result(eventNumber),
  };
}
