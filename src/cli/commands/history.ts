// `overround history`, `history export`, `history replay`, `import the-odds-api` and `import
// betfair-history`: the files of the price history. They need no running server.

import { DAY_MS, instantMs } from '../../clock.ts';
import { decodeId } from '../../domain/ids.ts';
import { loadConfig } from '../../settings/config.ts';
import { openAt } from '../../terminal/mirror-file.ts';
import { plainText } from '../../terminal/text.ts';
import { type Command, type CommandInput, FOLDER_FLAG, settingsOf, UsageError } from '../command.ts';

const FORMATS = ['parquet', 'csv', 'ndjson'] as const;
export const RANGE_FLAGS = {
  from: { value: 'time', help: 'the first instant, ISO-8601 with a zone; default: the first tick' },
  to: { value: 'time', help: 'the end, not included; default: now' },
} as const;

export const historyCommands: readonly Command[] = [
  {
    name: 'history export',
    summary: 'Writes price changes of the history to a file, one row each',
    flags: {
      ...RANGE_FLAGS,
      to: { ...RANGE_FLAGS.to, secondIs: 'out' },
      event: { value: 'evt_...', help: 'only this fixture' },
      league: { value: 'name', help: 'only fixtures of this league: its name, or its id' },
      format: { value: FORMATS.join('|'), help: 'default: by the name of the file' },
      out: { value: 'file', help: 'where to write; a second --to means the same', isRequired: true },
      ...FOLDER_FLAG,
    },
    examples: ['history export --from 2026-03-01T00:00:00Z --format csv --out march.csv'],
    run: exportHistory,
  },
  {
    name: 'history replay',
    summary: 'Writes a recording of the history to standard output, for FEED=replay:<file>',
    flags: { ...RANGE_FLAGS, ...FOLDER_FLAG },
    examples: ['history replay --from 2026-03-01T12:00:00Z --to 2026-03-01T18:00:00Z > day.ndjson'],
    run: replayHistory,
  },
  {
    name: 'history',
    summary: 'Shows what the price history holds, day by day',
    flags: FOLDER_FLAG,
    run: showHistory,
  },
  {
    name: 'import the-odds-api',
    summary:
      'Adds answers of The Odds API’s historical endpoint to the history: files with one answer, or one per line, and folders',
    arguments: ['files...'],
    flags: FOLDER_FLAG,
    run: importOdds,
  },
  {
    name: 'import betfair-history',
    summary: 'Adds historical stream files of Betfair to the history, and folders of them',
    arguments: ['files...'],
    flags: FOLDER_FLAG,
    run: importExchange,
  },
];

async function showHistory(input: CommandInput): Promise<number> {
  const { folder } = await openHistory(input);
  const { tapeCoverage } = await import('../../start/history/export-tape.ts');
  for (const line of await tapeCoverage(folder)) input.writeOutput(line);
  return 0;
}

async function exportHistory(input: CommandInput): Promise<number> {
  const { flags, writeError } = input;
  const path = flags.out!;
  const format = formatOf(path, flags.format);
  const event = flags.event ?? null;
  if (event !== null) decodeId('event', event);
  const { folder } = await openHistory(input);
  const { exportTape } = await import('../../start/history/export-tape.ts');
  const league = flags.league ?? null;
  const range = rangeOf(input);
  const count = await openAt(path, () => exportTape({ folder, range, event, league, format, path }));
  writeError(`Wrote ${count} ticks to ${path}`);
  return 0;
}

/** The format that --format or else the name of the file says. @throws UsageError */
function formatOf(path: string, named: string | undefined): (typeof FORMATS)[number] {
  const format = FORMATS.find((known) =>
    named === undefined ? path.toLowerCase().endsWith(`.${known}`) : known === named,
  );
  if (format !== undefined) return format;
  throw new UsageError(
    named === undefined
      ? `Cannot use --out "${path}": its name says no format. Let it end in ${FORMATS.map((known) => `.${known}`).join(', ')}, or add --format`
      : `Cannot use --format "${named}": allowed are ${FORMATS.join(', ')}`,
  );
}

async function replayHistory(input: CommandInput): Promise<number> {
  const { folder } = await openHistory(input);
  const { replayTape } = await import('../../start/history/export-tape.ts');
  for await (const line of replayTape(folder, rangeOf(input))) input.writeOutput(line.trimEnd());
  return 0;
}

async function importOdds(input: CommandInput): Promise<number> {
  const { folder, keptFromMs } = await openHistory(input);
  const { importOddsApi, importText } = await import('../../start/history/import-to-tape.ts');
  const done = await importOddsApi(folder, pathsOf(input));
  for (const line of importText(done, keptFromMs)) input.writeError(plainText(line));
  return 0;
}

async function importExchange(input: CommandInput): Promise<number> {
  const { folder, keptFromMs, config } = await openHistory(input);
  const { importBetfair, importText } = await import('../../start/history/import-to-tape.ts');
  const { commission } = config.betfair;
  const done = await importBetfair(folder, { paths: pathsOf(input), commission });
  for (const line of importText(done, keptFromMs)) input.writeError(plainText(line));
  return 0;
}

function pathsOf({ arguments: { files } }: CommandInput): string[] {
  return files!.split('\n');
}

/**
 * The settings, the folder of the history, and the time before which a server would delete the history: null
 * when the history is switched off.
 */
export async function openHistory(input: CommandInput) {
  const config = loadConfig(settingsOf(input));
  const { historyFolder } = await import('../../start/history/history-folder.ts');
  const { historyDays } = config;
  const keptFromMs = historyDays === 0 ? null : input.clock.wallMs() - historyDays * DAY_MS;
  return { config, folder: historyFolder(config), keptFromMs };
}

/** The range of --from and --to; from the first tick to now without them. @throws UsageError */
export function rangeOf({ flags, clock }: CommandInput) {
  const read = (name: 'from' | 'to', fallback: number): number => {
    const text = flags[name];
    if (text === undefined) return fallback;
    const ms = instantMs(text);
    if (!Number.isNaN(ms)) return ms;
    throw new UsageError(
      `Cannot use --${name} "${text}": allowed is an ISO-8601 time with its zone, such as 2026-03-01T18:45:00Z`,
    );
  };
  const range = { fromMs: read('from', Number.NEGATIVE_INFINITY), toMs: read('to', clock.wallMs() + 1) };
  if (range.fromMs < range.toMs) return range;
  throw new UsageError(
    flags.to === undefined
      ? `Cannot use --from "${flags.from}": it is in the future`
      : 'Cannot use --from and --to: --from is not earlier than --to',
  );
}
