// The queries and tools of one thread, with its scoring pool, used both by HTTP and by the embedded stdio
// server.

import { BOOKMAKERS } from '../../domain/catalogue.ts';
import { hiddenPricesText } from '../../feed/bookmaker-owners.ts';
import type { Log } from '../../log.ts';
import type { ArchiveCalls } from '../../query/lists/archive-calls.ts';
import type { HistoryCalls } from '../../query/lists/history-calls.ts';
import { createQueries } from '../../query/queries.ts';
import type { Config } from '../../settings/config.ts';
import { SlateReader } from '../../store/reader.ts';
import { LiveSignals } from '../../stream/signals/live-signals.ts';
import { compileTool } from '../../tools/kit/call-tool.ts';
import { createTools } from '../../tools/registry.ts';
import { plausibleLimitsOf, windowsOf } from '../record/signal-bounds.ts';
import { startScoring } from './scoring.ts';

export type Tooling = Readonly<ReturnType<typeof createTooling>>;

export interface ToolingOptions {
  readonly config: Config;
  readonly log: Log;
  readonly storeBuffer: SharedArrayBuffer;
  /** How many scoring workers this thread has. */
  readonly scoringThreads: number;
}

/** The calls to other threads that queries make. */
export interface ToolingCalls {
  readonly archive: ArchiveCalls;
  readonly history?: HistoryCalls;
}

/** Starts the scoring workers and compiles the tools. */
export function createTooling(options: ToolingOptions, calls: ToolingCalls) {
  const { config, log, storeBuffer } = options;
  const pool = startScoring(storeBuffer, { threads: options.scoringThreads, log });
  const reader = new SlateReader(storeBuffer);
  const queries = createQueries({ reader, ...calls, windows: windowsOf(config), scorer: pool });
  const limits = plausibleLimitsOf(config);
  const { slate, signals } = queries;
  const services = { queries, ...limits, hiddenPrices: hiddenPricesText(config, BOOKMAKERS) };
  const tools = createTools(services).map((tool) => compileTool(tool, { checkOutput: true }));
  return {
    queries,
    liveSignals: new LiveSignals({ reader, slate, signals, scorer: pool }, limits),
    reader,
    tools,
    scoringStats: () => pool.stats(),
    close: () => pool.stop(),
  };
}
