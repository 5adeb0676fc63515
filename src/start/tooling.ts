// The queries and tools of one thread, with its scoring pool: what HTTP and the embedded stdio server both use.

import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import type { ArchiveCalls } from '../query/archive-calls.ts';
import { LiveSignals } from '../query/live-signals.ts';
import { createQueries, type Queries } from '../query/queries.ts';
import { ScoringPool, type ScoringStats } from '../scoring/pool.ts';
import { SlateReader } from '../store/reader.ts';
import { type CompiledTool, compileTool } from '../tools/kit/call-tool.ts';
import { createTools } from '../tools/registry.ts';
import { plausibleLimitsOf, windowsOf } from './serving-thread.ts';

export interface Tooling {
  readonly queries: Queries;
  readonly liveSignals: LiveSignals;
  readonly reader: SlateReader;
  readonly tools: readonly CompiledTool[];
  scoringStats(): ScoringStats;
  close(): Promise<void>;
}

export interface ToolingOptions {
  readonly config: Config;
  readonly log: Log;
  readonly storeBuffer: SharedArrayBuffer;
  /** Scoring workers of this thread. */
  readonly scoringThreads: number;
}

/** Starts the scoring workers and compiles the tools. @param archive where results are asked for */
export function createTooling(options: ToolingOptions, archive: ArchiveCalls): Tooling {
  const { config, log, storeBuffer } = options;
  const pool = ScoringPool.start({
    storeBuffer,
    threads: options.scoringThreads,
    onWorkerLost: (reason) => log.error('scoring_worker_lost', { reason }),
  });
  const reader = new SlateReader(storeBuffer);
  const queries = createQueries({
    reader,
    archive,
    windows: windowsOf(config),
    scorer: pool,
  });
  const limits = plausibleLimitsOf(config);
  const { slate, signals } = queries;
  const services = { queries, ...limits };
  const tools = createTools(services).map((tool) => compileTool(tool, { checkOutput: !config.production }));
  return {
    queries,
    liveSignals: new LiveSignals({ reader, slate, signals, scorer: pool }, limits),
    reader,
    tools,
    scoringStats: () => pool.stats(),
    close: () => pool.stop(),
  };
}
