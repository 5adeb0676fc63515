// `overround feed serve`, `feed match`, `feed simulate`, `record` and `import football-data`: serve a feed
// to others, inspect joined fixtures, and make recordings.

import { HOUR_MS } from '../../clock.ts';
import { BOOKMAKER_KEYS } from '../../domain/catalogue.ts';
import { Random } from '../../domain/random.ts';
import { serviceLog } from '../../log.ts';
import { loadConfig } from '../../settings/config.ts';
import { plainText } from '../../terminal/text.ts';
import {
  type Command,
  type CommandInput,
  FOLDER_FLAG,
  SETTING_FLAGS,
  settingsOf,
  UsageError,
} from '../command.ts';
import { openHistory } from './history.ts';

const MEGABYTE = 1_000_000;
const SERVE_PORT = '3010';
const SIMULATED_BEGIN = '2026-03-07T14:45:00Z';

export const feedCommands: readonly Command[] = [
  {
    name: 'feed serve',
    summary: 'Serves a recording, or the simulator, over WebSocket until interrupted',
    arguments: ['recording|simulator'],
    flags: {
      port: { value: 'number', help: `default ${SERVE_PORT}; 0 takes any free port` },
      host: SETTING_FLAGS.host,
    },
    run: serve,
  },
  {
    name: 'feed match',
    summary:
      'Shows which fixtures of several sources the server of DATA_DIR has joined, and why it has not joined others',
    flags: {
      json: { help: 'as JSON' },
      ...FOLDER_FLAG,
    },
    run: match,
  },
  {
    name: 'feed simulate',
    summary: 'Writes a recording of the simulated market at once; the same seed gives the same recording',
    arguments: ['file'],
    flags: {
      seed: { value: 'number', help: 'default 1' },
      minutes: { value: '1-240', help: 'default 130, enough for a football match' },
      football: { value: '0-20', help: 'football fixtures at a time; default 6' },
      basketball: { value: '0-20', help: 'basketball fixtures at a time; default 0' },
      begin: { value: 'time', help: `the instant of its snapshot; default ${SIMULATED_BEGIN}` },
    },
    examples: [
      'feed simulate match.ndjson.gz --seed 7',
      'start --feed replay:match.ndjson.gz    (FEED_SPEED=30 plays it faster)',
    ],
    run: simulate,
  },
  {
    name: 'record',
    summary: 'Records what the server of DATA_DIR applies until interrupted; starts a server if none runs',
    arguments: ['file'],
    flags: {
      'rotate-mb': {
        value: 'number',
        help: 'starts a new file (file.0002.ndjson and so on) after this many megabytes',
      },
      'rotate-hours': { value: 'number', help: 'starts a new file after this many hours' },
      feed: SETTING_FLAGS.feed,
      ...FOLDER_FLAG,
    },
    run: record,
  },
  {
    name: 'import football-data',
    summary: 'Adds season files of football-data.co.uk to the history, or makes a recording of them',
    arguments: ['csv...'],
    flags: {
      ...FOLDER_FLAG,
      out: {
        value: 'file',
        help: 'makes a recording instead; compressed when it ends in .gz. Default: adds to the history',
      },
      books: {
        value: 'B365=crown,...',
        help: 'maps prefixes of bookmakers in the files to bookmaker keys; Pinnacle is mapped already',
      },
      at: {
        value: 'time',
        help: 'the instant at which a replay starts; default: the last day with a match',
      },
    },
    run: importSeason,
  },
];

async function serve(input: CommandInput): Promise<number> {
  const source = input.arguments['recording|simulator']!;
  const config = loadConfig({
    ...input.environment,
    ...(input.flags.host === undefined ? {} : { HOST: input.flags.host }),
    FEED: source === 'simulator' ? 'simulator' : `replay:${source}`,
    PORT: input.flags.port ?? SERVE_PORT,
  });
  const { takeAddress } = await import('../../start/requirements.ts');
  takeAddress(config).release(); // so that a taken port is refused with the same error as at a start
  const { startFeedServe } = await import('../../start/feed/feed-serve.ts'); // loaded here, because other commands do not need a feed
  const served = await startFeedServe({
    settings: config,
    hostname: config.host,
    port: config.port,
    clock: input.clock,
    log: serviceLog(config),
    seed: newSeed(),
  });
  await interrupted();
  await served.stop();
  return 0;
}

async function simulate(input: CommandInput): Promise<number> {
  const path = input.arguments.file!;
  const { writeSimulatedRecording } = await import('../../start/feed/feed-simulate.ts');
  const count = await writeSimulatedRecording({
    path,
    seed: wholeOf(input, 'seed', { fallback: 1, least: 0, most: 2_147_483_647 }),
    minutes: wholeOf(input, 'minutes', { fallback: 130, least: 1, most: 240 }),
    footballFixtures: wholeOf(input, 'football', { fallback: 6, least: 0, most: 20 }),
    basketballFixtures: wholeOf(input, 'basketball', { fallback: 0, least: 0, most: 20 }),
    begin: input.flags.begin ?? SIMULATED_BEGIN,
  });
  input.writeError(
    `Wrote ${count} messages to ${path}; FEED=replay:${path} plays them, FEED_SPEED=30 faster`,
  );
  return 0;
}

async function match(input: CommandInput): Promise<number> {
  const { dataDir } = loadConfig(settingsOf(input));
  const { askJoinReport, linesOfReport } = await import('../../start/feed/feed-match.ts');
  const report = await askJoinReport(dataDir);
  if (input.flags.json !== undefined) input.writeOutput(JSON.stringify(report, null, 2));
  else for (const line of linesOfReport(report)) input.writeOutput(line);
  return 0;
}

async function record(input: CommandInput): Promise<number> {
  const config = loadConfig(settingsOf(input));
  const path = input.arguments.file!;
  const { startRecording } = await import('../../start/feed/feed-record.ts');
  const recording = await startRecording({
    config,
    clock: input.clock,
    log: serviceLog(config),
    path,
    rotateBytes: amountOf(input, 'rotate-mb', MEGABYTE),
    rotateMs: amountOf(input, 'rotate-hours', HOUR_MS),
    random: new Random(newSeed()),
  });
  input.writeError(`Recording to ${path}${recording.startedServer ? ', from a server started for it' : ''}`);
  // Further signals are ignored until the file is complete. A terminal's Ctrl-C reaches this process twice:
  // directly, and through `bun run`, which forwards it.
  const stopped = Promise.withResolvers<void>();
  for (const signal of STOP_SIGNALS) process.on(signal, stopped.resolve);
  await Promise.race([stopped.promise, recording.failed]);
  await recording.stop();
  const { paths, messageCount } = recording.recorder;
  input.writeError(`Recorded ${messageCount} messages in ${paths.join(', ') || 'no file'}`);
  return 0;
}

async function importSeason(input: CommandInput): Promise<number> {
  const {
    arguments: { csv },
    flags,
    writeError,
  } = input;
  if (flags.out === undefined) {
    const { folder, keptFromMs } = await openHistory(input);
    const { importSeasons, importText } = await import('../../start/history/import-to-tape.ts');
    const bookmakers = (flags.books ?? '').split(',').filter(Boolean).map(bookOf);
    const done = await importSeasons(folder, { paths: csv!.split('\n'), bookmakers });
    for (const line of importText(done, keptFromMs)) writeError(plainText(line));
    return 0;
  }
  const { importFootballData } = await import('../../start/feed/feed-import.ts');
  const season = await importFootballData({
    paths: csv!.split('\n'),
    out: flags.out,
    bookmakers: (flags.books ?? '').split(',').filter(Boolean).map(bookOf),
    at: flags.at ?? null,
  });
  const { matches, quotes, refused, unmapped } = season;
  writeError(`Wrote ${matches} matches and ${quotes} quotes; ${refused} rows were refused`);
  const names = [...unmapped].map(([prefix, count]) => `${prefix} (${count} matches)`);
  if (names.length > 0) writeError(`Left out; map them with --books to include them: ${names.join(', ')}`);
  return 0;
}

function bookOf(pair: string): readonly [string, string] {
  const [prefix = '', key = ''] = pair.split('=');
  if (prefix !== '' && BOOKMAKER_KEYS.some((known) => known === key)) return [prefix, key];
  throw new UsageError(
    `Cannot use --books "${pair}": allowed is a prefix of the file, "=" and one of ${BOOKMAKER_KEYS.join(', ')}`,
  );
}

function amountOf({ flags }: CommandInput, name: string, unit: number): number | null {
  const text = flags[name];
  if (text === undefined) return null;
  if (/^\d+(\.\d+)?$/.test(text) && Number(text) > 0) return Number(text) * unit;
  throw new UsageError(`Cannot use --${name} "${text}": allowed is a number above 0`);
}

function wholeOf(
  { flags }: CommandInput,
  name: string,
  { fallback, least, most }: { readonly fallback: number; readonly least: number; readonly most: number },
): number {
  const text = flags[name];
  if (text === undefined) return fallback;
  if (/^\d+$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
  throw new UsageError(`Cannot use --${name} "${text}": allowed is a whole number from ${least} to ${most}`);
}

function newSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0]!;
}

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Resolves with the first signal to stop. A second one ends the process, as by default. */
function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of STOP_SIGNALS) process.once(signal, () => resolve());
  });
}
