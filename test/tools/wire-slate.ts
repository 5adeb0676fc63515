// A real store that is fed with wire messages, and the queries over it: everything that a tool needs, without
// threads or HTTP.

import { Database } from 'bun:sqlite';
import { expect } from 'bun:test';
import { ArchiveReader } from '../../src/archive/archive-reader.ts';
import { ARCHIVE_SCHEMA } from '../../src/archive/tables.ts';
import { KEYLESS, type Principal } from '../../src/domain/tiers.ts';
import { parseMessage } from '../../src/feed/parse-message.ts';
import { Applier } from '../../src/ingest/apply.ts';
import type { ArchivePort } from '../../src/ingest/archive-recorder.ts';
import { createArchiveCalls } from '../../src/query/lists/archive-calls.ts';
import { createQueries, type Queries } from '../../src/query/queries.ts';
import { scannerOf } from '../../src/record/scan-here.ts';
import { sqliteSql } from '../../src/storage/sqlite-sql.ts';
import { createStore, type StoreCapacity } from '../../src/store/layout.ts';
import { SlateReader } from '../../src/store/reader.ts';
import { WindowKeeper } from '../../src/store/writer/window-keeper.ts';
import { SlateWriter } from '../../src/store/writer/writer.ts';
import { callTool, compileTool } from '../../src/tools/kit/call-tool.ts';
import type { Tool, ToolServices } from '../../src/tools/kit/tool.ts';
import { T0 } from './made-up-slate.ts';

export const PAID: Principal = { tier: 'standard', seesSharp: true, keyId: 'key' };
export const FREE: Principal = KEYLESS;

const CAPACITY: StoreCapacity = {
  fixtures: 512,
  quotesPerFixture: 160,
  openingsPerFixture: 160,
  entities: 2_048,
  arenaBytes: 65_536,
  gracePublishes: 64,
  departures: 64,
};
export const WINDOWS = { liveMs: 60_000, prematchMs: 300_000 };
const NO_ARCHIVE: ArchivePort = { openingsOf: () => [], recordOpening: () => {}, recordResult: () => {} };

export type Wire = Readonly<Record<string, unknown>>;
export type Answer = Record<string, unknown>;

/** Queries over a slate, with an empty archive. */
export function queriesOver(reader: SlateReader): Queries {
  const database = new Database(':memory:', { strict: true });
  database.run(ARCHIVE_SCHEMA);
  const archive = createArchiveCalls(new ArchiveReader(sqliteSql(database)));
  return createQueries({ reader, archive, scorer: { scan: scannerOf(reader) }, windows: WINDOWS });
}

export class WireSlate {
  readonly queries: Queries;
  readonly reader: SlateReader;
  readonly buffer: SharedArrayBuffer;
  readonly #writer: SlateWriter;
  readonly #applier: Applier;
  readonly #windows: WindowKeeper;

  constructor(capacity: Partial<StoreCapacity> = {}) {
    const buffer = createStore(0, { ...CAPACITY, ...capacity });
    this.buffer = buffer;
    this.#writer = new SlateWriter(buffer);
    this.#windows = new WindowKeeper(buffer);
    this.#applier = new Applier(this.#writer, NO_ARCHIVE);
    this.#writer.setSnapshotComplete();
    this.#writer.facts.setConnected(true);
    this.reader = new SlateReader(buffer);
    this.queries = queriesOver(this.reader);
  }

  /**
   * Applies messages and publishes them. The feed counts as received at `nowMs`, which by default confirms
   * its quotes.
   */
  feed(messages: readonly Wire[], nowMs: number, confirms = true): void {
    for (const wire of messages) {
      const message = parseMessage(wire);
      if (typeof message === 'string') throw new Error(`Cannot feed ${JSON.stringify(wire)}: ${message}`);
      expect(this.#applier.apply(message)).toBeNull();
    }
    if (confirms) this.#writer.facts.setHeartbeatAt(nowMs);
    this.#writer.facts.setAppliedAt(nowMs);
    this.#writer.facts.setCommonAppliedAt(nowMs);
    this.#writer.publish(0);
    this.#windows.step(nowMs);
  }

  /**
   * Calls one tool over this slate; its answer must fit its schema. The default instant is that of the
   * made-up messages.
   */
  caller(make: (services: ToolServices) => Tool) {
    const services: ToolServices = { queries: this.queries, maxEdge: 0.1, maxMargin: 0.1 };
    const compiled = compileTool(make(services), { checkOutput: true });
    return (input: unknown, nowMs = T0, principal: Principal = PAID): Promise<Answer> =>
      callTool(compiled, input, { principal, nowMs });
  }
}
