// `overround backtest`: plays a recording or the price history as if it were now, and prints how the signals
// in it did.

import { HOUR_MS, toIsoText } from '../../clock.ts';
import { BOOKMAKER_KEYS } from '../../domain/catalogue.ts';
import { REFERENCE_DEFAULT, REFERENCE_WORDS } from '../../domain/reference.ts';
import { RECORD_GROUPS, SIGNAL_KINDS } from '../../domain/signal-gate.ts';
import type { ClosingForecast } from '../../record/closing-forecasts.ts';
import type { PastBatch, PastGap, RefusedMessages } from '../../record/past-play.ts';
import { loadConfig } from '../../settings/config.ts';
import { type Cell, displayOf, tableLines } from '../../terminal/text.ts';
import { type Command, type CommandInput, FOLDER_FLAG, settingsOf, UsageError } from '../command.ts';
import { recordTable } from '../record-table.ts';
import { openHistory, RANGE_FLAGS, rangeOf } from './history.ts';

const EDGE_PCT_MAX = 1_000;

export const backtestCommand: Command = {
  name: 'backtest',
  summary: 'Plays a recording or the price history through the live code and prints how its signals did',
  arguments: ['[recording]'],
  flags: {
    history: { help: 'plays the price history of DATA_DIR instead of a recording' },
    ...RANGE_FLAGS,
    ...FOLDER_FLAG,
    signals: { value: SIGNAL_KINDS.join(','), help: 'kinds to look for; default: value' },
    reference: { value: 'name', help: 'what value is measured against: sharp, consensus or a bookmaker' },
    bookmakers: { value: 'key,...', help: 'only prices of these bookmakers; the reference stays the same' },
    'each-bookmaker': { help: 'judges every bookmaker separately; default: only the best price of a line' },
    'hours-before': { value: 'number', help: 'signals that open at least this many hours before kickoff' },
    'min-edge': { value: 'per cent', help: 'lowest edge; default 2' },
    'max-edge': { value: 'per cent', help: 'a higher edge counts as a wrong price; default 10' },
    'group-by': {
      value: RECORD_GROUPS.join('|'),
      help: 'one row for each value of it; default: one row in all',
    },
    forecasts: { help: 'grades closing prices as forecasts instead: the log-loss of every reference' },
    json: { help: 'rows and every signal as one JSON object; the same recording gives the same bytes' },
  },
  examples: [
    'import football-data E0.csv --books B365=crown,BW=sbobet,WH=macau',
    'backtest --history --group-by bookmaker',
    'backtest day.ndjson.gz --reference consensus --json | jq ".data"',
  ],
  run,
};

async function run(input: CommandInput): Promise<number> {
  const { liveFreshnessMs, prematchFreshnessMs } = loadConfig(settingsOf(input));
  const { backtest } = await import('../../record/backtest.ts');
  const past = await pastOf(input);
  const {
    forecasts,
    gaps: lost,
    refused,
    ...result
  } = await backtest(past.batches, {
    keysAreIds: input.flags.history !== undefined,
    windows: { liveMs: liveFreshnessMs, prematchMs: prematchFreshnessMs },
    kinds: wordsOf(input, 'signals', SIGNAL_KINDS) ?? ['value'],
    bookmakers: wordsOf(input, 'bookmakers', BOOKMAKER_KEYS),
    reference: wordOf(input, 'reference', REFERENCE_WORDS),
    ...edgesOf(input),
    eachBookmaker: input.flags['each-bookmaker'] !== undefined,
    beforeKickoffMs: hoursBeforeOf(input),
    groupBy: wordOf(input, 'group-by', RECORD_GROUPS) ?? null,
  });
  const gaps = [...past.gaps, ...lost].map(shownGap);
  if (refused.length > 0) input.writeError(`Left out: ${refused.map(refusalText).join(', ')}`);
  const wantsForecasts = input.flags.forecasts !== undefined;
  if (input.flags.json !== undefined) {
    input.writeOutput(JSON.stringify(wantsForecasts ? { forecasts } : { ...result, gaps }));
    return 0;
  }
  const display = displayOf(input.environment);
  const write = (lines: readonly string[]) => {
    for (const line of lines) input.writeOutput(line);
  };
  if (wantsForecasts) {
    write(tableLines(FORECAST_COLUMNS, forecasts.map(forecastCellsOf), display));
    return 0;
  }
  if (result.data.length > 0) write(recordTable(result.data, display));
  const arbitrages = result.signals.filter(({ kind }) => kind === 'arbitrage').length;
  if (arbitrages > 0) input.writeOutput(`${arbitrages} arbitrages`);
  if (result.signals.length === 0) input.writeOutput('No signal opened');
  write(gapLines(gaps));
  return 0;
}

/** For example `3 bad_price`. Imports also name what they leave out in this form. */
function refusalText({ reason, count }: RefusedMessages): string {
  return `${count} ${reason}`;
}

interface ShownGap {
  readonly from: string;
  readonly to: string | null;
}

function shownGap({ fromMs, toMs }: PastGap): ShownGap {
  return { from: toIsoText(fromMs), to: toMs === null ? null : toIsoText(toMs) };
}

const GAPS_SHOWN_MAX = 10;

function gapLines(gaps: readonly ShownGap[]): string[] {
  if (gaps.length === 0) return [];
  const times = gaps.slice(0, GAPS_SHOWN_MAX).map(({ from, to }) => `  ${from} to ${to ?? 'the end'}`);
  const rest = gaps.length - times.length;
  return [
    `${gaps.length === 1 ? '1 gap' : `${gaps.length} gaps`}: nothing is known of these times, and a signal that stayed open across a gap counts once`,
    ...times,
    ...(rest > 0 ? [`  and ${rest} more; --json has them all`] : []),
  ];
}

interface Past {
  readonly batches: AsyncIterable<PastBatch>;
  /** Gaps that the recording or the history itself reports. */
  readonly gaps: readonly PastGap[];
}

/** The past that the arguments name. @throws UsageError unless they name either a recording or --history */
async function pastOf(input: CommandInput): Promise<Past> {
  const { recording } = input.arguments;
  const { history, from, to } = input.flags;
  if ((recording === undefined) === (history === undefined)) {
    throw new UsageError('Cannot continue: name either a recording or --history');
  }
  if (recording !== undefined) {
    if ((from ?? to) !== undefined)
      throw new UsageError('Cannot use --from and --to without --history: a recording is played whole');
    const { recordedBatches } = await import('../../record/backtest.ts');
    return { batches: recordedBatches(recording), gaps: [] };
  }
  const range = rangeOf(input);
  const { config, folder } = await openHistory(input);
  const { pastOfTape } = await import('../../start/history/past-of-tape.ts');
  return pastOfTape({ config, folder, range });
}

const FORECAST_COLUMNS = [
  { title: '' },
  ...['matches', 'log-loss', `above ${REFERENCE_DEFAULT}`, 'standard error'].map((title) => ({
    title,
    align: 'right' as const,
  })),
];

function forecastCellsOf(row: ClosingForecast): Cell[] {
  const { reference, matches, log_loss, difference, standard_error } = row;
  const words = [reference, String(matches), log_loss.toFixed(5), difference.toFixed(5)];
  return [...words, standard_error?.toFixed(5) ?? ''].map((text) => ({ text }));
}

/**
 * The comma-separated words of a flag; undefined without it.
 * @throws UsageError for a word that is not allowed
 */
function wordsOf<const Word extends string>(
  input: CommandInput,
  flag: string,
  allowed: readonly Word[],
): readonly Word[] | undefined {
  const words = input.flags[flag]?.split(',').map((word) => word.trim());
  const unknown = words?.find((word) => !(allowed as readonly string[]).includes(word));
  if (unknown !== undefined)
    throw new UsageError(`Cannot use --${flag} "${unknown}"; allowed are ${allowed.join(', ')}`);
  return words?.map((word) => allowed.find((one) => one === word)!);
}

/**
 * The one word of a flag; undefined without it.
 * @throws UsageError for a word that is not allowed, and for more than one
 */
function wordOf<const Word extends string>(
  input: CommandInput,
  flag: string,
  allowed: readonly Word[],
): Word | undefined {
  const words = wordsOf(input, flag, allowed);
  if (words !== undefined && words.length > 1)
    throw new UsageError(`Cannot use --${flag} "${input.flags[flag]}"; name only one`);
  return words?.[0];
}

/**
 * The edges of --min-edge and --max-edge.
 * @throws UsageError for an invalid edge, and when the first is above the second
 */
function edgesOf(input: CommandInput) {
  const edges = { minEdgePct: percentOf(input, 'min-edge', 2), maxEdgePct: percentOf(input, 'max-edge', 10) };
  if (edges.minEdgePct <= edges.maxEdgePct) return edges;
  throw new UsageError(
    `Cannot use --min-edge ${edges.minEdgePct} with --max-edge ${edges.maxEdgePct}: no edge is between them`,
  );
}

/** `--hours-before` in ms; undefined for all signals, those in play included. @throws UsageError */
function hoursBeforeOf({ flags }: CommandInput): number | undefined {
  const text = flags['hours-before'];
  if (text === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * HOUR_MS;
  throw new UsageError(`Cannot use --hours-before "${text}"; allowed is a number of hours, 0 or more`);
}

/** The percentage of a flag; `fallback` without it. @throws UsageError */
function percentOf(input: CommandInput, flag: string, fallback: number): number {
  const text = input.flags[flag];
  const percent = text === undefined ? fallback : Number(text);
  if (text?.trim() === '' || !(percent >= 0 && percent <= EDGE_PCT_MAX))
    throw new UsageError(`Cannot use --${flag} "${text}"; allowed is a number from 0 to ${EDGE_PCT_MAX}`);
  return percent;
}
