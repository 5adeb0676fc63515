// Properties of a store that hold with either writer: the feed of its own node, or the follower of a leader.
// Readers cannot notice which of them writes.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { SlateReader } from '../../src/store/reader.ts';
import { dumpColumns } from '../store/column-dump.ts';
import { until } from '../support/condition.ts';
import { REDIS_MISSING, RedisServer } from '../support/redis-server.ts';
import { IngestNode, ServingNode } from './slate-nodes.ts';

if (REDIS_MISSING !== null) console.log(`skipped, of followers: ${REDIS_MISSING}`);

/** A store under test, and functions that change it. */
interface Source {
  readonly store: SharedArrayBuffer;
  readonly reader: SlateReader;
  /** Applies a batch of the feed; resolves when the store has published it. */
  move(): Promise<void>;
  /** The writer's thread dies, and another one takes over the store. */
  replaceWriter(): Promise<void>;
}

const SOURCES: readonly {
  readonly name: string;
  readonly missing: string | null;
  open(stack: AsyncDisposableStack): Promise<Source>;
}[] = [
  {
    name: 'the feed of its own node',
    missing: null,
    open: async (stack) => {
      let node = stack.use(new IngestNode(NO_REDIS, 1));
      return {
        store: node.store,
        reader: node.reader,
        move: async () => node.move(),
        replaceWriter: async () => {
          node = stack.use(new IngestNode(NO_REDIS, 1, node.store));
        },
      };
    },
  },
  {
    name: 'a follower',
    missing: REDIS_MISSING,
    open: async (stack) => {
      const redis = stack.use(await RedisServer.start());
      const leader = stack.use(new IngestNode(redis.url, 1));
      leader.leader.start();
      let node = stack.use(new ServingNode(redis.url));
      const settled = () => until('the follower is at the position of the leader', () => node.isAt(leader));
      await until('it leads', () => leader.base > 0);
      await settled();
      return {
        store: node.store,
        reader: node.reader,
        move: async () => {
          leader.move();
          await settled();
        },
        replaceWriter: async () => {
          await node[Symbol.asyncDispose]();
          node = stack.use(new ServingNode(redis.url, node.store));
          await settled();
        },
      };
    },
  },
];
const NO_REDIS = 'redis://127.0.0.1:1';

for (const { name, missing, open } of SOURCES) {
  describe.skipIf(missing !== null)(`a slate from ${name}`, () => {
    let stack: AsyncDisposableStack;
    let source: Source;
    beforeEach(async () => {
      stack = new AsyncDisposableStack();
      source = await open(stack);
    });
    afterEach(() => stack.disposeAsync());

    test(`a reader of any version finds all later changes, and versions never decrease: ${name}`, async () => {
      const mirror = new Map<number, unknown>();
      let known = -1;
      for (let step = 0; step < 150; step++) {
        await source.move();
        const { reader } = source;
        expect(reader.slateVersion()).toBeGreaterThanOrEqual(known);
        if (step % 3 !== 0) continue;
        const instant = reader.instant(known)!;
        if (known < 0 || instant.departures === null) mirror.clear();
        for (const { eventNumber } of instant.departures ?? []) mirror.delete(eventNumber);
        const fixtures = fixturesOf(source.store);
        for (const page of instant.departures === null ? pagesOf(reader) : instant.pages) {
          const event = reader.columns.eventNumber[page]!;
          mirror.set(event, fixtures.get(event));
        }
        known = instant.version;
        expect(mirror).toEqual(fixtures);
      }
    });

    test(`the store keeps its last published state when its writer dies, and the next writer continues from there: ${name}`, async () => {
      for (let step = 0; step < 20; step++) await source.move();
      const before = fixturesOf(source.store);
      const version = source.reader.slateVersion();
      await source.replaceWriter();
      expect(fixturesOf(source.store)).toEqual(before);
      await source.move();
      expect(source.reader.slateVersion()).toBeGreaterThan(version);
      expect(source.reader.instant(version)).not.toBeNull();
    });

    test(`the store shows when the feed last sent a message and when it last confirmed the slate: ${name}`, async () => {
      await source.move();
      const { heartbeatAtMs, appliedAtMs, snapshotComplete, connected } = source.reader.feed();
      await source.move();
      expect(source.reader.feed()).toMatchObject({
        heartbeatAtMs: heartbeatAtMs + 1,
        appliedAtMs: appliedAtMs + 1,
        snapshotComplete,
        connected,
      });
      expect([snapshotComplete, connected]).toEqual([true, true]);
    });
  });
}

function fixturesOf(store: SharedArrayBuffer): Map<number, unknown> {
  return new Map((dumpColumns(store, 0) as { fixtures: [number, unknown][] }).fixtures);
}

function pagesOf(reader: SlateReader): number[] {
  return Array.from({ length: reader.slotCount() }, (_, slot) => reader.pageOf(slot)).filter(
    (page) => page >= 0,
  );
}
