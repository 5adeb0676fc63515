// The tools over HTTP without a service around them: the real feed pipeline, store, queries, routes and
// server, all on this thread. It starts in a fraction of the time that a service needs. It has no accounts,
// no limits, no history and no other threads, so tests about those start a service.

import { Database } from 'bun:sqlite';
import { ArchiveReader } from '../../src/archive/archive-reader.ts';
import { ArchiveWriter } from '../../src/archive/archive-writer.ts';
import { ARCHIVE_SCHEMA } from '../../src/archive/tables.ts';
import { clockOf } from '../../src/clock.ts';
import { rulesOf, TIER_KEYS } from '../../src/domain/tiers.ts';
import { createApp } from '../../src/http/app.ts';
import { startHttp } from '../../src/http/edge/serve.ts';
import { OddsAnswers } from '../../src/http/odds-answers.ts';
import { docsRoutes } from '../../src/http/routes/docs.ts';
import { eventRoutes } from '../../src/http/routes/events.ts';
import { oddsRoutes } from '../../src/http/routes/odds.ts';
import { resolveRoutes } from '../../src/http/routes/resolve.ts';
import { mcpRoutes, toolRoutes } from '../../src/http/routes/tools.ts';
import { openPipeline } from '../../src/ingest/pipeline.ts';
import { BoundedLog } from '../../src/log.ts';
import { McpEndpoint } from '../../src/mcp/handler.ts';
import { serveLocalTools } from '../../src/mcp/served-tool.ts';
import { createArchiveCalls } from '../../src/query/lists/archive-calls.ts';
import { leaguesHere } from '../../src/query/lookup/name-calls.ts';
import { createQueries } from '../../src/query/queries.ts';
import { scannerOf } from '../../src/record/scan-here.ts';
import { loadConfig } from '../../src/settings/config.ts';
import { sqliteSql } from '../../src/storage/sqlite-sql.ts';
import { createStore } from '../../src/store/layout.ts';
import { SlateReader } from '../../src/store/reader.ts';
import { WindowKeeper } from '../../src/store/writer/window-keeper.ts';
import { SlateWriter } from '../../src/store/writer/writer.ts';
import { compileTool } from '../../src/tools/kit/call-tool.ts';
import { createTools } from '../../src/tools/registry.ts';
import { VERSION } from '../../src/version.ts';
import { TestGate } from '../http/kit.ts';
import { until } from '../support/condition.ts';
import { WINDOWS } from './wire-slate.ts';

const NO_LOG = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** A key is the name of a tier. */
class DeskGate extends TestGate {
  override identify(credential: string | null) {
    const tier = TIER_KEYS.find((key) => credential === `Bearer ${key}`);
    if (tier === undefined) return super.identify(null);
    return { principal: { tier, seesSharp: rulesOf({ tier }).seesSharp, keyId: tier }, needsAddress: false };
  }
}

export interface ToolDesk extends AsyncDisposable {
  readonly url: string;
}

/** Edges and margins above these are implausible. They are fractions, so 0.1 is 10 %. */
export interface DeskLimits {
  readonly maxEdge: number;
  readonly maxMargin: number;
}

/** Plays a recording up to an instant, and serves its tools. */
export async function openToolDesk(
  recordingPath: string,
  now: string,
  limits: DeskLimits = { maxEdge: 0.1, maxMargin: 0.1 },
): Promise<ToolDesk> {
  const clock = clockOf(Date.parse(now));
  const storeBuffer = createStore(0);
  const writer = new SlateWriter(storeBuffer);
  const database = new Database(':memory:', { strict: true });
  database.run(ARCHIVE_SCHEMA);
  const archive = new ArchiveWriter({ database, clock, onError: fail });
  const pipeline = await openPipeline({
    settings: { ...loadConfig({ FEED: `replay:${recordingPath}`, FEED_NOW: now }), startMs: clock.wallMs() },
    ...{ storeBuffer, writer, archive, clock, log: NO_LOG, seed: 1, onError: fail },
    rejectLog: new BoundedLog(NO_LOG, clock, { countMax: 1, windowMs: 1 }),
  });
  const reader = new SlateReader(storeBuffer);
  const queries = createQueries({
    reader,
    archive: createArchiveCalls(new ArchiveReader(sqliteSql(database))),
    windows: WINDOWS,
    scorer: { scan: scannerOf(reader) },
  });
  await until('the recording is read', () => queries.slate.isReady(clock.wallMs()));
  new WindowKeeper(storeBuffer).step(clock.wallMs());
  await archive.flush();
  queries.movements.step(clock.wallMs());

  const tools = createTools({ queries, ...limits }).map((tool) => compileTool(tool, { checkOutput: true }));
  const publicUrl = 'http://localhost';
  const mcp = new McpEndpoint({
    tools: serveLocalTools(tools, { publicUrl, report: fail }),
    ...{ version: VERSION, publicUrl, report: fail },
    ...{ allowedHostnames: ['127.0.0.1'], allowedOriginHostnames: [] },
  });
  const described = [
    ...eventRoutes(queries),
    ...oddsRoutes({
      ...queries,
      leagues: leaguesHere(queries),
      answers: new OddsAnswers(queries),
      slateAnswers: null,
    }),
    ...resolveRoutes(queries),
    ...toolRoutes(tools),
    ...mcpRoutes(mcp),
  ];
  const docs = docsRoutes({
    routes: described,
    tools: tools.map(({ tool }) => tool),
    publicUrl,
  });
  const app = createApp([...described, ...docs], (need, nowMs) =>
    need === 'names' ? queries.names.whenIndexed(nowMs) : queries.slate.whenListed(),
  );
  const server = startHttp({
    app,
    deps: {
      ...{ clock, gate: new DeskGate(), publicUrl, log: { error: fail } },
      ...{ nextRequestId: () => 'request', count: () => {}, reportsRequests: false, observe: () => {} },
    },
    ...{ hostname: '127.0.0.1', port: 0, allowedHosts: [], trustedProxies: ['127.0.0.1'] },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    [Symbol.asyncDispose]: async () => {
      await server.stop(0);
      await mcp.close();
      await pipeline.close();
      database.close();
    },
  };
}

function fail(where: unknown, failure: unknown = where): never {
  throw failure instanceof Error ? failure : new Error(String(failure));
}
