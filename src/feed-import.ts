// `bun src/feed-import.ts football-data <csv>... [--out <file>] [--book <prefix>=<bookmaker>]... [--at <time>]`: season
// files of football-data.co.uk as one recording, to standard output or into a file.

import { parseArgs } from 'node:util';
import { BOOKMAKER_KEYS } from './domain/catalogue.ts';
import { rowsOf } from './feed/football-data/csv.ts';
import { DEFAULT_BOOKMAKERS, recordingOf } from './feed/football-data/recording.ts';
import { wireTimeMs } from './feed/wire-values.ts';
import { writeStandardError } from './log.ts';

const USAGE =
  'Usage: import football-data <csv>... [--out <file.ndjson[.gz]>] [--book <prefix>=<bookmaker>]... [--at <ISO time>]';

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { out: { type: 'string' }, book: { type: 'string', multiple: true }, at: { type: 'string' } },
  });
  const [format, ...paths] = positionals;
  if (format !== 'football-data' || paths.length === 0) throw new Error(USAGE);
  const helloAtMs = values.at === undefined ? null : wireTimeMs(values.at);
  if (Number.isNaN(helloAtMs))
    throw new Error(`Cannot import: --at is "${values.at}", not an ISO-8601 time with its zone`);
  const rows = [];
  for (const path of paths) {
    try {
      rows.push(...rowsOf(await Bun.file(path).text()));
    } catch (error) {
      throw new Error(`Cannot import ${path}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const season = recordingOf(rows, { bookmakers: bookmakersOf(values.book ?? []), helloAtMs });
  const text = `${season.messages.map((wire) => JSON.stringify(wire)).join('\n')}\n`;
  if (values.out === undefined) process.stdout.write(text);
  else await Bun.write(values.out, values.out.endsWith('.gz') ? Bun.gzipSync(text) : text);
  const { matches, quotes, refused, unmapped } = season;
  writeStandardError(`${matches} matches, ${quotes} quotes, ${refused} rows refused`);
  const names = [...unmapped].map(([prefix, count]) => `${prefix} (${count})`);
  if (names.length > 0) writeStandardError(`left out, map them with --book: ${names.join(', ')}`);
}

/** @throws Error for a pair that is none, or a bookmaker that is not on the roster */
function bookmakersOf(pairs: readonly string[]): ReadonlyMap<string, string> {
  const bookmakers = new Map(DEFAULT_BOOKMAKERS);
  for (const pair of pairs) {
    const [prefix = '', key = ''] = pair.split('=');
    if (prefix === '' || !BOOKMAKER_KEYS.some((known) => known === key)) {
      throw new Error(
        `Cannot import: --book is "${pair}", allowed is a prefix of the file, "=" and one of ${BOOKMAKER_KEYS.join(', ')}`,
      );
    }
    bookmakers.set(prefix, key);
  }
  return bookmakers;
}

main().catch((error: unknown) => {
  writeStandardError(error instanceof Error ? error.message : String(error));
  process.exit(1);
});
