// `import football-data`: reads season files and writes a recording.

import { messageOf } from '../../errors.ts';
import { type CsvRow, rowsOf } from '../../feed/football-data/csv.ts';
import { DEFAULT_BOOKMAKERS, type ImportedSeason, recordingOf } from '../../feed/football-data/recording.ts';
import { wireTimeMs } from '../../feed/wire-time.ts';

export interface ImportFiles {
  readonly paths: readonly string[];
  /** The path of the recording; compressed with gzip if its name ends in .gz. */
  readonly out: string;
  /** Bookmakers besides Pinnacle: the provider's column prefix, and our key. */
  readonly bookmakers: readonly (readonly [string, string])[];
  /** ISO-8601 text of the time that a replay maps to now; null for the last day with a match. */
  readonly at: string | null;
}

/** Writes the recording. @throws Error that names the file or the time that cannot be read */
export async function importFootballData(options: ImportFiles): Promise<ImportedSeason> {
  const { paths, out, bookmakers, at } = options;
  const helloAtMs = at === null ? null : wireTimeMs(at);
  if (Number.isNaN(helloAtMs)) {
    throw new Error(`Cannot import: --at is "${at}", allowed is an ISO-8601 time with its zone`);
  }
  const rows: CsvRow[] = [];
  for (const path of paths) {
    try {
      rows.push(...rowsOf(await Bun.file(path).text()));
    } catch (error) {
      const why = messageOf(error);
      throw new Error(`Cannot import ${path}: ${why}`, { cause: error });
    }
  }
  const season = recordingOf(rows, {
    bookmakers: new Map([...DEFAULT_BOOKMAKERS, ...bookmakers]),
    helloAtMs,
  });
  const text = `${season.messages.map((wire) => JSON.stringify(wire)).join('\n')}\n`;
  await Bun.write(out, out.endsWith('.gz') ? Bun.gzipSync(text) : text);
  return season;
}
