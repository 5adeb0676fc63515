// One slate follows another over WebSocket: equal at the end, whatever happens to the connection.

import { describe, expect, test } from 'bun:test';
import { Random } from '../../../src/domain/random.ts';
import type { FeedSink } from '../../../src/feed/source.ts';
import { openWebSocket } from '../../../src/feed/websocket/client.ts';
import { serveFeed } from '../../../src/feed/websocket/server.ts';
import { createLog } from '../../../src/log.ts';
import { until } from '../../support/condition.ts';
import { runs } from '../../support/runs.ts';
import { dumpSlate } from '../../support/slate-dump.ts';
import { startPipeline } from '../websocket-support.ts';
import { eventWire, heartbeatWire, helloWire, markWire, quoteWire } from '../wire.ts';

const LOCAL = { hostname: '127.0.0.1', port: 0 };
const CUTS = runs(20);
/** Short pauses. Another test covers how pauses grow. */
const SOON = { firstMs: 10, longestMs: 100 };
const START_MS = Date.UTC(2026, 2, 1, 12);

describe('a slate that follows another over WebSocket', () => {
  test.each(['json', 'msgpack'])(
    'a follower has the same content in the end, after many random cuts, in %s',
    async (encoding) => {
      const seed = 20_261_121;
      const random = new Random(seed);
      await using first = await startPipeline({ kind: 'simulator' }, { ratePerSecond: 4_000 });
      const { outlet } = first.pipeline;
      const server = serveFeed({ outlet, listen: LOCAL, token: 'secret', epoch: 'run' });
      const url = `ws://127.0.0.1:${server.port}/?encoding=${encoding}`;
      await using second = await startPipeline(
        { kind: 'websocket', url },
        { feedToken: 'secret', retryPace: SOON },
      );
      await until('the follower has a slate', () => second.reader.feed().snapshotComplete);
      for (let cut = 0; cut < CUTS; cut++) {
        // Some cuts come during the hello or the snapshot, some during live messages.
        const applied = second.reader.counters().messages_applied + random.index(3_000);
        await until('the follower is connected and moving', () => {
          return server.followerCount === 1 && second.reader.counters().messages_applied >= applied;
        });
        server.cut();
        await until('the cut was seen', () => server.followerCount === 0);
      }
      await until('the follower is back', () => server.followerCount === 1);
      await first.pipeline.close();
      await until(`the slates are equal (seed ${seed})`, () =>
        Bun.deepEquals(dumpSlate(second.buffer), dumpSlate(first.buffer), true),
      );
      const counters = second.reader.counters();
      expect(counters.snapshots).toBeGreaterThan(CUTS / 2);
      expect(
        Object.entries(counters).filter(([name, count]) => name.startsWith('rejected') && count > 0),
      ).toEqual([]);
      expect(counters.gaps).toBe(0);
      await server.stop();
    },
    120_000,
  );

  test('a follower without the token is refused, logs that, and tries again only after 15 minutes', async () => {
    await using first = await startPipeline({ kind: 'simulator' });
    const server = serveFeed({ outlet: first.pipeline.outlet, listen: LOCAL, token: 'secret', epoch: 'run' });
    const url = `ws://127.0.0.1:${server.port}/?token=hidden`;
    await using second = await startPipeline({ kind: 'websocket', url }, { feedToken: 'wrong' });
    await until('the refusal is logged', () => second.logged.some((line) => line.includes('feed_refused')));
    expect(second.logged.join('\n')).toContain('900000');
    expect(second.logged.join('\n')).not.toContain('wrong');
    expect(second.logged.join('\n')).not.toContain('hidden');
    expect(second.reader.feed().connected).toBe(false);
    expect(second.reader.sourceReports()).toMatchObject([
      { name: 'websocket', state: 'stopped', reason: 'bad_key' },
    ]);
    await server.stop();
  });
});

/** An upstream that follows a test's script; after `end` it disconnects. */
function bridge(
  onOpen: (say: (...wires: readonly unknown[]) => void, connection: number) => void,
  { answersRequests = true } = {},
) {
  const requests: string[] = [];
  let connections = 0;
  const server = Bun.serve({
    ...LOCAL,
    fetch: (request, self) => (self.upgrade(request) ? undefined : new Response('', { status: 426 })),
    websocket: {
      open(socket) {
        const say = (...wires: readonly unknown[]) => {
          const said = wires.filter((wire) => wire !== 'end');
          socket.sendText(
            said.map((wire) => (typeof wire === 'string' ? wire : JSON.stringify(wire))).join('\n'),
          );
          if (said.length < wires.length) socket.close();
        };
        onOpen(say, ++connections);
      },
      message(socket, data) {
        requests.push(String(data));
        if (!answersRequests) return;
        socket.sendText(
          [markWire('snapshot_begin', 100), eventWire(101), markWire('snapshot_end', 102)]
            .map((wire) => JSON.stringify(wire))
            .join('\n'),
        );
      },
    },
  });
  return {
    url: `ws://127.0.0.1:${server.port}/`,
    requests,
    get connections() {
      return connections;
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

describe('a WebSocket source', () => {
  test('requests a snapshot after a gap, once, and continues from it', async () => {
    await using upstream = bridge((say) => {
      say(
        helloWire({ epoch: 'a' }),
        markWire('snapshot_begin', 1),
        eventWire(2),
        markWire('snapshot_end', 3),
      );
      say(quoteWire(4), quoteWire(7), quoteWire(8), quoteWire(9));
    });
    await using slate = await startPipeline({ kind: 'websocket', url: upstream.url });
    await until('the second snapshot is in', () => slate.reader.counters().snapshots === 2);
    expect(upstream.requests).toEqual(['{"type":"snapshot"}']);
    expect(slate.reader.counters()).toMatchObject({ gaps: 1, ignored_until_snapshot: 2 });
    expect(upstream.connections).toBe(1);
  });

  test('counts messages that it cannot read, and continues', async () => {
    await using upstream = bridge((say) => {
      say(
        helloWire(),
        markWire('snapshot_begin', 1),
        eventWire(2),
        'no json',
        '<html>',
        '{"type":',
        '',
        '[1]',
      );
      say(
        markWire('snapshot_end', 3),
        quoteWire(4),
        quoteWire(5, 'e1', { prices: [-1, 2] }),
        heartbeatWire(6),
      );
    });
    await using slate = await startPipeline({ kind: 'websocket', url: upstream.url });
    await until('all is in', () => slate.reader.feed().heartbeatAtMs > 0);
    expect(slate.reader.counters()).toMatchObject({
      rejected_bad_json: 3,
      rejected_bad_price: 1,
      quotes_applied: 1,
      gaps: 0,
    });
  });

  test('drops the connection when its queue is full, and connects again', async () => {
    const flood = Array.from({ length: 70_000 }, () => '1').join('\n');
    await using upstream = bridge((say, connection) => {
      say(helloWire(), markWire('snapshot_begin', 1), eventWire(2), markWire('snapshot_end', 3));
      if (connection === 1) say(flood);
    });
    await using slate = await startPipeline({ kind: 'websocket', url: upstream.url });
    await until('it is back', () => upstream.connections === 2 && slate.reader.counters().snapshots === 2);
    expect(slate.logged.join('\n')).toContain('the feed queue is full');
  });
});

describe('a connection that ends', () => {
  test('a connection is reopened after growing pauses when the server dies at each snapshot that it sends', async () => {
    await using upstream = bridge((say) => {
      say(helloWire(), markWire('snapshot_begin', 1), eventWire(2), markWire('snapshot_end', 3), 'end');
    });
    await using slate = await startPipeline({ kind: 'websocket', url: upstream.url });
    const waits = () =>
      slate.logged
        .filter((line) => line.includes('feed_disconnected'))
        .map((line) => (JSON.parse(line) as { retry_ms: number }).retry_ms);
    await until('it has come back three times', () => waits().length >= 4);
    expect(waits()[3]).toBeGreaterThanOrEqual(1_000); // each is half to all of 250, 500, 1,000 and 2,000
    expect(slate.reader.counters().snapshots).toBeGreaterThanOrEqual(4);
  });

  test('if the server speaks another protocol, that is the reported reason for the missing slate', async () => {
    await using upstream = bridge((say) => say(helloWire({ protocol: 2 }), markWire('snapshot_begin', 1)));
    await using slate = await startPipeline({ kind: 'websocket', url: upstream.url });
    await until('the protocol is refused', () => slate.reader.counters().rejected_bad_protocol === 1);
    await until('the report says so', () => slate.reader.sourceReports()[0]?.reason === 'bad_protocol');
    expect(slate.reader.sourceReports()).toMatchObject([{ state: 'failing', reason: 'bad_protocol' }]);
  });
});

/** A source on a clock that the test moves, and the messages to its sink. */
function openOnClock(url: string) {
  const heard: string[] = [];
  const clock = { ms: 0, wallMs: () => START_MS, monotonicMs: () => clock.ms };
  const sink: FeedSink = {
    offer: (wire) => heard.push(String((wire as { type: string }).type)) > 0,
    room: () => Promise.resolve(),
    caughtUp: () => {},
    alive: () => {},
    undecodable: () => void heard.push('undecodable'),
    connection: (isConnected) => void heard.push(`connected ${isConnected}`),
  };
  const log = createLog({ clock, json: true, level: 'error', write: () => {} });
  const source = openWebSocket({ url, token: null, random: new Random(1), log, clock }, sink);
  return { heard, clock, source };
}

describe('a connection that is dead', () => {
  test('a connection is given up after 15 seconds without a message', async () => {
    await using upstream = bridge((say) => say(helloWire()));
    const { heard, clock, source } = openOnClock(upstream.url);
    await until('the hello is heard', () => heard.includes('hello'));
    clock.ms += 15_001;
    await until('it connects again', () => upstream.connections === 2);
    expect(heard.slice(0, 3)).toEqual(['connected true', 'hello', 'connected false']);
    await source.close();
  });

  test('a connection is given up when the requested snapshot does not begin within 5 seconds', async () => {
    await using upstream = bridge((say) => say(helloWire()), { answersRequests: false });
    const { heard, clock, source } = openOnClock(upstream.url);
    await until('the hello is heard', () => heard.includes('hello'));
    source.resync!();
    source.resync!();
    await until('it was asked', () => upstream.requests.length > 0);
    clock.ms += 5_001;
    await until('it connects again', () => upstream.connections === 2);
    expect(upstream.requests).toHaveLength(1);
    await source.close();
  });
});
