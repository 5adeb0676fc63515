// `overround backtest`: plays a recording as if it were now, and prints what became of its signals.

import type { RecordRow } from '../../contract/record/signal-record.ts';
import { BOOKMAKER_KEYS } from '../../domain/catalogue.ts';
import { REFERENCE_DEFAULT, REFERENCE_WORDS } from '../../domain/reference.ts';
import { RECORD_GROUPS, SIGNAL_KINDS } from '../../domain/signal-gate.ts';
import type { ClosingForecast } from '../../record/closing-forecasts.ts';
import type { PastBatch } from '../../record/past-play.ts';
import { loadConfig } from '../../settings/config.ts';
import { type Cell, type Column, displayOf, tableLines } from '../../terminal/text.ts';
import { type Command, type CommandInput, SETTING_FLAGS, settingsOf, UsageError } from '../command.ts';
import { openHistory, RANGE_FLAGS, rangeOf } from './history.ts';

const EDGE_PCT_MAX = 1_000;
const HOUR_MS = 3_600_000;

export const backtestCommand: Command = {
  name: 'backtest',
  summary: 'Plays a recording or the price history through the live code and prints how its signals did',
  arguments: ['[recording]'],
  flags: {
    history: { help: 'plays the price history of DATA_DIR instead of a recording' },
    ...RANGE_FLAGS,
    'data-dir': SETTING_FLAGS['data-dir'],
    signals: { value: SIGNAL_KINDS.join(','), help: 'kinds to look for; default value' },
    reference: { value: 'name', help: 'what value is measured against: sharp, consensus or a bookmaker' },
    bookmakers: { value: 'key,...', help: 'only prices of these bookmakers; the reference stays the same' },
    'each-bookmaker': { help: 'judges every bookmaker apart; default: only the best price of a line' },
    'hours-before': { value: 'number', help: 'only signals that open at least so long before kickoff' },
    'min-edge': { value: 'per cent', help: 'lowest edge; default 2' },
    'max-edge': { value: 'per cent', help: 'an edge above is taken for a wrong price; default 10' },
    'group-by': { value: RECORD_GROUPS.join('|'), help: 'a row for each; default one row' },
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
  const { forecasts, ...result } = await backtest(await pastOf(input), {
    keysAreIds: input.flags.history !== undefined,
    windows: { liveMs: liveFreshnessMs, prematchMs: prematchFreshnessMs },
    kinds: wordsOf(input, 'signals', SIGNAL_KINDS) ?? ['value'],
    bookmakers: wordsOf(input, 'bookmakers', BOOKMAKER_KEYS),
    reference: wordsOf(input, 'reference', REFERENCE_WORDS)?.[0],
    minEdgePct: percentOf(input, 'min-edge', 2),
    maxEdgePct: percentOf(input, 'max-edge', 10),
    eachBookmaker: input.flags['each-bookmaker'] !== undefined,
    beforeKickoffMs: hoursBeforeOf(input),
    groupBy: wordsOf(input, 'group-by', RECORD_GROUPS)?.[0] ?? null,
  });
  const wantsForecasts = input.flags.forecasts !== undefined;
  if (input.flags.json !== undefined) {
    input.writeOutput(JSON.stringify(wantsForecasts ? { forecasts } : result));
    return 0;
  }
  const writeTable = (columns: readonly Column[], rows: readonly (readonly Cell[])[]) => {
    for (const line of tableLines(columns, rows, displayOf(input.environment))) input.writeOutput(line);
  };
  if (wantsForecasts) {
    writeTable(FORECAST_COLUMNS, forecasts.map(forecastCellsOf));
    return 0;
  }
  if (result.data.length > 0) writeTable(COLUMNS, result.data.map(cellsOf));
  const arbitrages = result.signals.filter(({ kind }) => kind === 'arbitrage').length;
  if (arbitrages > 0) input.writeOutput(`${arbitrages} arbitrages`);
  if (result.signals.length === 0) input.writeOutput('No signal opened');
  return 0;
}

/** @throws UsageError unless either a recording or --history is given */
async function pastOf(input: CommandInput): Promise<AsyncIterable<PastBatch>> {
  const { recording } = input.arguments;
  const { history, from, to } = input.flags;
  if ((recording === undefined) === (history === undefined)) {
    throw new UsageError('Cannot continue: name either a recording or --history');
  }
  if (recording !== undefined) {
    if ((from ?? to) !== undefined)
      throw new UsageError('Cannot use --from and --to without --history: a recording is played whole');
    const { recordedBatches } = await import('../../record/backtest.ts');
    return recordedBatches(recording);
  }
  const range = rangeOf(input);
  const { config, folder } = await openHistory(input);
  const { pastOfTape } = await import('../../start/history/past-of-tape.ts');
  return pastOfTape({ config, folder, range });
}

const COLUMNS = [
  { title: '' },
  { title: 'signals', align: 'right' as const },
  { title: 'edge', align: 'right' as const },
  { title: 'with close', align: 'right' as const },
  { title: 'CLV', align: 'right' as const },
  { title: 'beat close', align: 'right' as const },
  { title: 'settled', align: 'right' as const },
  { title: 'yield', align: 'right' as const },
  { title: '95 %', align: 'right' as const },
  { title: 'median life', align: 'right' as const },
];

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

function cellsOf(row: RecordRow): Cell[] {
  const { yield_low_pct: low, yield_high_pct: high, median_life_s: lifeS } = row;
  return [
    row.key,
    String(row.signals),
    `${row.mean_edge_pct}%`,
    String(row.closed_with_clv),
    percentText(row.mean_clv_pct),
    percentText(row.beat_close_pct),
    String(row.settled),
    percentText(row.yield_pct),
    low === null || high === null ? '' : `${low} to ${high}`,
    lifeS === null ? '' : `${Math.round(lifeS)} s`,
  ].map((text) => ({ text }));
}

function percentText(percent: number | null): string {
  return percent === null ? '' : `${percent}%`;
}

/** @throws UsageError for a word that is not on the list */
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

/** In ms; undefined for all signals, those in play included. @throws UsageError */
function hoursBeforeOf({ flags }: CommandInput): number | undefined {
  const text = flags['hours-before'];
  if (text === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * HOUR_MS;
  throw new UsageError(`Cannot use --hours-before "${text}"; allowed is a number of hours, 0 or more`);
}

/** @throws UsageError */
function percentOf(input: CommandInput, flag: string, fallback: number): number {
  const text = input.flags[flag];
  const percent = text === undefined ? fallback : Number(text);
  if (text?.trim() === '' || !(percent >= 0 && percent <= EDGE_PCT_MAX))
    throw new UsageError(`Cannot use --${flag} "${text}"; allowed is a number from 0 to ${EDGE_PCT_MAX}`);
  return percent;
}
