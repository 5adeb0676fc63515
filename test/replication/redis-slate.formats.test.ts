// Formats of the slate in Redis. Other formats are refused with advice, and a node that cannot read what the
// leader writes keeps the slate it has.

import { describe, expect, test } from 'bun:test';
import { pack, unpack } from 'msgpackr';
import {
  decodeEntry,
  encodeEntry,
  ForeignSlateError,
  STREAM_KEY,
} from '../../src/replication/redis-slate.ts';
import type { SlateChange } from '../../src/store/slate-change.ts';
import { until } from '../support/condition.ts';
import { REDIS_MISSING, RedisServer } from '../support/redis-server.ts';
import { IngestNode, ServingNode } from './slate-nodes.ts';

const CHANGE: SlateChange = {
  version: 7,
  atMs: 1_000,
  fixtures: [],
  removed: [3],
  departures: [],
  liquidity: [[5, 1, 'EUR', 900, [1, 2]]],
  feed: null,
  reports: null,
};

type Sent = [format: number, epochMs: number, seq: number, parts: unknown[] | null];

/** An entry as a release with another format writes it. */
function entryOf(format: number, rewrite: (parts: unknown[]) => unknown[] = (parts) => parts): string {
  const [, epochMs, seq, parts] = unpack(
    Buffer.from(encodeEntry({ epochMs: 1, seq: 2, change: CHANGE }), 'base64'),
  ) as Sent;
  return pack([format, epochMs, seq, rewrite(parts!)] satisfies Sent).toString('base64');
}

describe('an entry of the slate', () => {
  test('an entry may have further parts, which are ignored', () => {
    expect(decodeEntry(entryOf(3, (parts) => [...parts, 'new']))).toEqual({
      epochMs: 1,
      seq: 2,
      change: CHANGE,
    });
  });

  test('an entry of another format is refused, and the error says which nodes to upgrade', () => {
    expect(() => decodeEntry(entryOf(4))).toThrow(/format 4, this release reads 3: upgrade this node/);
    expect(() => decodeEntry(entryOf(2))).toThrow(ForeignSlateError);
    expect(() => decodeEntry(entryOf(2))).toThrow(/upgrade the ingest nodes/);
  });
});

if (REDIS_MISSING !== null) console.log(`skipped: ${REDIS_MISSING}`);

test.skipIf(REDIS_MISSING !== null)(
  'a serving node that cannot read what a newer leader writes keeps its slate, and follows again when it can read the entries',
  async () => {
    await using redis = await RedisServer.start();
    await using leader = new IngestNode(redis.url, 1);
    leader.leader.start();
    await using serving = new ServingNode(redis.url);
    leader.move();
    await until('the node follows', () => serving.isAt(leader));
    const version = serving.reader.slateVersion();
    const link = redis.openLink();
    await link.call('XADD', [STREAM_KEY, '*', 'e', entryOf(4)]);
    link.close();
    await until('it noticed', () => serving.numbers.get('slate_resync_foreign') === 1);
    expect(serving.reader.slateVersion()).toBe(version);
    leader.move();
    await until('the node follows again', () => serving.isAt(leader));
  },
  60_000,
);
