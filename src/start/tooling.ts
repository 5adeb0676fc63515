// The queries and tools of one thread, with its scoring pool: what HTTP and the embedded stdio server both use.

import { join } from 'node:path';
import { ArchiveReader } from '../archive/archive-reader.ts';
import { ARCHIVE_SCHEMA } from '../archive/tables.ts';
import type { Config } from '../config.ts';
import { DATABASE_NAME, openDatabase } from '../database.ts';
import type { Log } from '../log.ts';
import { createQueries, type Queries } from '../query/queries.ts';
import { ScoringPool, type ScoringStats } from '../scoring/pool.ts';
import { SlateReader } from '../store/reader.ts';
import { type CompiledTool, compileTool } from '../tools/kit/call-tool.ts';
import { createTools } from '../tools/registry.ts';

export interface Tooling {
  readonly queries: Queries;
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

/** Opens the archive, starts the scoring workers and compiles the tools. @throws when the database cannot be opened */
export function createTooling(options: ToolingOptions): Tooling {
  const { config, log, storeBuffer } = options;
  const database = openDatabase({
    path: join(config.dataDir, DATABASE_NAME),
    schemas: [ARCHIVE_SCHEMA],
    create: false,
    check: false,
  });
  const pool = ScoringPool.start({
    storeBuffer,
    threads: options.scoringThreads,
    onWorkerLost: (reason) => log.error('scoring_worker_lost', { reason }),
  });
  const reader = new SlateReader(storeBuffer);
  const queries = createQueries({
    reader,
    archive: new ArchiveReader(database),
    windows: { liveMs: config.liveFreshnessMs, prematchMs: config.prematchFreshnessMs },
    scorer: pool,
  });
  const services = {
    queries,
    maxEdge: config.valueEdgeMaxPct / 100,
    maxMargin: config.arbitrageMarginMaxPct / 100,
  };
  const tools = createTools(services).map((tool) => compileTool(tool, { checkOutput: !config.production }));
  return {
    queries,
    reader,
    tools,
    scoringStats: () => pool.stats(),
    close: async () => {
      await pool.stop();
      database.close();
    },
  };
}
