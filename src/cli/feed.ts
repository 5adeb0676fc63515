// `overround feed serve`, `record` and `import football-data`: feeds for others to follow, and recordings.

import { loadConfig } from '../config.ts';
import { BOOKMAKER_KEYS } from '../domain/catalogue.ts';
import { Random } from '../domain/random.ts';
import { serviceLog } from '../log.ts';
import { type Command, type CommandInput, SETTING_FLAGS, settingsOf, UsageError } from './command.ts';

const MEGABYTE = 1_000_000;
const HOUR_MS = 3_600_000;
const SERVE_PORT = '3010';
const SIMULATED_BEGIN = '2026-03-07T14:45:00Z';

export const feedCommands: readonly Command[] = [
  {
    name: 'feed serve',
    summary: 'Serves a recording, or the simulator, over WebSocket until it is interrupted',
    arguments: ['recording|simulator'],
    flags: {
      port: { value: 'number', help: `${SERVE_PORT} without it; 0 takes any free one` },
      host: SETTING_FLAGS.host,
    },
    run: serve,
  },
  {
    name: 'feed match',
    summary: 'Shows which fixtures of several sources the server of DATA_DIR has joined, and why others not',
    flags: {
      json: { help: 'as JSON' },
      'data-dir': SETTING_FLAGS['data-dir'],
    },
    run: match,
  },
  {
    name: 'feed simulate',
    summary:
      'Makes a recording of the simulated market at once, the same for the same seed: a match to replay',
    arguments: ['file'],
    flags: {
      seed: { value: 'number', help: '1 without it' },
      minutes: { value: '1-240', help: '130 without it, which a football match fits in' },
      football: { value: '0-20', help: 'football fixtures at a time; 6 without it' },
      basketball: { value: '0-20', help: 'basketball fixtures at a time; 0 without it' },
      begin: { value: 'time', help: `the instant of its snapshot; ${SIMULATED_BEGIN} without it` },
    },
    examples: [
      'feed simulate match.ndjson.gz --seed 7',
      'start --feed replay:match.ndjson.gz    (FEED_SPEED=30 plays it faster)',
    ],
    run: simulate,
  },
  {
    name: 'record',
    summary: 'Records what the server of DATA_DIR applies, or starts one, until it is interrupted',
    arguments: ['file'],
    flags: {
      'rotate-mb': {
        value: 'number',
        help: 'a new file, file.0002.ndjson and so on, after as many megabytes',
      },
      'rotate-hours': { value: 'number', help: 'a new file after as many hours' },
      feed: SETTING_FLAGS.feed,
      'data-dir': SETTING_FLAGS['data-dir'],
    },
    run: record,
  },
  {
    name: 'import football-data',
    summary: 'Makes a recording of season files of football-data.co.uk',
    arguments: ['csv...'],
    flags: {
      out: { value: 'file', help: 'the recording; compressed when it ends in .gz', isRequired: true },
      books: {
        value: 'B365=crown,...',
        help: 'which bookmakers of the files are which of ours, besides Pinnacle',
      },
      at: {
        value: 'time',
        help: 'the instant that a replay begins at; the last day with a match without it',
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
  const { takeAddress } = await import('../start/requirements.ts');
  takeAddress(config).release(); // so that a port that is taken is refused in the words of a start
  const { startFeedServe } = await import('../start/feed-serve.ts'); // other commands need not load a feed
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
  const { writeSimulatedRecording } = await import('../start/feed-simulate.ts');
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
  const { askJoinReport, linesOfReport } = await import('../start/feed-match.ts');
  const report = await askJoinReport(dataDir);
  if (input.flags.json !== undefined) input.writeOutput(JSON.stringify(report, null, 2));
  else for (const line of linesOfReport(report)) input.writeOutput(line);
  return 0;
}

async function record(input: CommandInput): Promise<number> {
  const config = loadConfig(settingsOf(input));
  const path = input.arguments.file!;
  const { startRecording } = await import('../start/feed-record.ts');
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
  await Promise.race([interrupted(), recording.failed]);
  await recording.stop();
  const { paths, messageCount } = recording.recorder;
  input.writeError(`Recorded ${messageCount} messages in ${paths.join(', ') || 'no file'}`);
  return 0;
}

async function importSeason({ arguments: { csv }, flags, writeError }: CommandInput): Promise<number> {
  const { importFootballData } = await import('../start/feed-import.ts');
  const season = await importFootballData({
    paths: csv!.split('\n'),
    out: flags.out!,
    bookmakers: (flags.books ?? '').split(',').filter(Boolean).map(bookOf),
    at: flags.at ?? null,
  });
  const { matches, quotes, refused, unmapped } = season;
  writeError(`Wrote ${matches} matches and ${quotes} quotes; ${refused} rows were refused`);
  const names = [...unmapped].map(([prefix, count]) => `${prefix} (${count} matches)`);
  if (names.length > 0) writeError(`Left out, name them with --books: ${names.join(', ')}`);
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

/** Resolves with the first signal to stop; the second ends the process as it does by default. */
function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}
