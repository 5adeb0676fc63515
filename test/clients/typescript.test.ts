// Tests the TypeScript client against a fake server that answers as each test defines: waits, retries, limits
// and errors. mirrors.test.ts and package.test.ts use the real server.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { PendingChange } from '../../clients/typescript/src/changes.ts';
import { EtagCache } from '../../clients/typescript/src/etag-cache.ts';
import { eventsOf } from '../../clients/typescript/src/events.ts';
import { createClient, type MirrorOptions, OverroundError } from '../../clients/typescript/src/index.ts';
import { until } from '../support/condition.ts';
import { eventText, refusal, SleepingRuntime, StandIn } from './stand-in.ts';

const SPORTS = { data: [{ id: 'sp_1', key: 'football', name: 'Football' }] };

async function failure(promise: Promise<unknown>): Promise<OverroundError> {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(OverroundError);
  return error as OverroundError;
}

describe('a call', () => {
  test('a call that hits a rate limit waits as long as the server asks, and is then sent again', async () => {
    await using server = new StandIn((_request, count) =>
      count === 1 ? refusal(429, { code: 'rate_limit_exceeded', retryAfterS: 7 }) : Response.json(SPORTS),
    );
    const runtime = new SleepingRuntime();
    const client = createClient({ url: server.url, runtime });
    expect(await client.get('/v1/sports')).toEqual(SPORTS as never);
    expect(runtime.sleepsMs.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(7_000);
    expect(server.requests).toHaveLength(2);
  });

  test('when the daily limit is used up, a call throws an error with message, fix and request id, and does not retry', async () => {
    await using server = new StandIn(() =>
      refusal(429, { code: 'rate_limit_exceeded', retryAfterS: 40_000, scope: 'daily' }),
    );
    const runtime = new SleepingRuntime();
    const error = await failure(createClient({ url: server.url, runtime }).get('/v1/sports'));
    expect(error).toMatchObject({
      status: 429,
      code: 'rate_limit_exceeded',
      scope: 'daily',
      fix: 'Ask again later',
      retryAfterMs: 40_000_000,
      requestId: 'r-1',
    });
    expect(error.message).toBe('Cannot serve this now\nAsk again later');
    expect([server.requests.length, runtime.sleepsMs]).toEqual([1, []]);
  });

  test('a call is retried three times, with growing pauses, while the server is not ready', async () => {
    await using server = new StandIn(() => refusal(503, { code: 'upstream_unavailable' }));
    const runtime = new SleepingRuntime();
    const error = await failure(createClient({ url: server.url, runtime }).get('/v1/sports'));
    expect(error.code).toBe('upstream_unavailable');
    expect(runtime.sleepsMs).toEqual([250, 500, 1_000]);
    expect(server.requests).toHaveLength(4);
  });

  test('a call that changes an account is sent only once, even if the server answers 503', async () => {
    await using server = new StandIn(() => refusal(503, { code: 'upstream_unavailable' }));
    const client = createClient({ url: server.url, runtime: new SleepingRuntime() });
    await failure(client.post('/platform/keys', { body: { label: 'one' } }));
    await failure(client.delete('/platform/keys/{key_id}', { params: { path: { key_id: 'key_1' } } }));
    expect(server.requests.map(({ method }) => method)).toEqual(['POST', 'DELETE']);
  });

  test.each(['isk_x\n', 'isk_€', 'isk_a b'])('createClient refuses the invalid key %p', (key) => {
    expect(() => createClient({ url: 'http://127.0.0.1:1', key })).toThrow('Cannot use the key');
  });

  test('the error names the server that cannot be reached, or the field that fails validation', async () => {
    const closed = await addressOfEnded();
    const runtime = new SleepingRuntime();
    const gone = await failure(createClient({ url: closed, runtime, retriesMax: 1 }).get('/v1/sports'));
    expect([gone.status, gone.code, gone.message]).toEqual([0, 'unreachable', `Cannot reach ${closed}`]);
    const detail = [{ type: 'int_type', loc: ['query', 'limit'], msg: 'not a number', input: null }];
    await using server = new StandIn(() => Response.json({ detail }, { status: 422 }));
    const invalid = await failure(createClient({ url: server.url, runtime }).get('/v1/events'));
    expect([invalid.code, invalid.message]).toEqual(['validation_error', 'query.limit: not a number']);
  });

  test('a call sends the ETag of the cached answer, and returns the cached answer when the server answers 304', async () => {
    await using server = new StandIn((request) =>
      request.headers.get('if-none-match') === '"a"'
        ? new Response(null, { status: 304 })
        : Response.json(SPORTS, { headers: { etag: '"a"' } }),
    );
    const client = createClient({ url: server.url, key: 'isk_test' });
    for (let call = 0; call < 3; call++) expect(await client.get('/v1/sports')).toEqual(SPORTS as never);
    expect(server.requests.map(({ headers }) => headers.get('if-none-match'))).toEqual([null, '"a"', '"a"']);
    expect(server.requests.map(({ headers }) => headers.get('authorization'))).toEqual(
      Array.from({ length: 3 }, () => 'Bearer isk_test'),
    );
  });

  test('a call refuses an answer with more than answerCharsMax characters, and does not retry', async () => {
    await using server = new StandIn(() => new Response(JSON.stringify({ data: 'x'.repeat(5_000) })));
    const error = await failure(createClient({ url: server.url, answerCharsMax: 1_000 }).get('/v1/sports'));
    expect([error.code, error.isRetriable]).toEqual(['too_large', false]);
    expect(server.requests).toHaveLength(1);
  });

  test('EtagCache keeps no more answers than allowed, and always keeps the latest', () => {
    const lookUps = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 60 })));
    fc.assert(
      fc.property(lookUps, (steps) => {
        const cache = new EtagCache({ entriesMax: 4, charsMax: 100 });
        for (const [url, chars] of steps) {
          cache.set(String(url), { etag: '"a"', text: 'x'.repeat(chars), contentType: '' });
          expect(cache.get(String(url))?.text).toHaveLength(chars);
          expect(cache.size).toBeLessThanOrEqual(4);
          expect(cache.chars).toBeLessThanOrEqual(100);
        }
      }),
    );
  });
});

/** The address of a server that has stopped. */
async function addressOfEnded(): Promise<string> {
  await using server = new StandIn(() => new Response());
  return server.url;
}

describe('a mirror', () => {
  const REFUSALS: readonly (readonly [string, () => Response])[] = [
    [
      'closes the stream immediately',
      () => new Response('', { headers: { 'content-type': 'text/event-stream' } }),
    ],
    ['is not ready', () => refusal(503, { code: 'upstream_unavailable' })],
    [
      'ends the stream and asks for no pause',
      () => new Response('event: bye\ndata: {"reason":"limit","reconnect_after_ms":0}\n\n'),
    ],
    [
      'sends a delta without a snapshot before it',
      () =>
        new Response(
          `event: delta\ndata: ${JSON.stringify({ from: 'a', to: 'b', conflated: false, cursor: 'b', full: false, as_of: null, stale: false, fixtures: [], removed: [] })}\n\n`,
        ),
    ],
  ];
  test.each(REFUSALS)(
    'a mirror waits longer before each reconnect if the server %s',
    async (_name, answer) => {
      await using server = new StandIn(answer);
      const runtime = new SleepingRuntime();
      const mirror = createClient({ url: server.url, runtime }).mirror();
      await until('ten connections', () => server.requests.length >= 10);
      mirror.close();
      expect(runtime.sleepsMs.slice(0, 8)).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
    },
  );

  test('a mirror waits as long before a reconnect as the server asks', async () => {
    await using server = new StandIn(
      () => new Response('event: bye\ndata: {"reason":"slow_reader","reconnect_after_ms":90000}\n\n'),
    );
    const runtime = new SleepingRuntime();
    await using _mirror = createClient({ url: server.url, runtime }).mirror();
    await until('three connections', () => server.requests.length >= 3);
    expect(runtime.sleepsMs.slice(0, 2)).toEqual([90_000, 90_000]);
  });

  test.each(['polling', 'events'] as const)(
    'a mirror by %s fails with the code and the fix of the server’s refusal, without a retry',
    async (via) => {
      await using server = new StandIn(() => refusal(401, { code: 'unauthorized' }));
      const mirror = createClient({ url: server.url, key: 'isk_dead' }).mirror({ via });
      const error = await failure(mirror.ready());
      expect([error.code, error.fix, mirror.state]).toEqual(['unauthorized', 'Ask again later', 'failed']);
      expect(
        await failure(
          (async () => {
            for await (const _ of mirror);
          })(),
        ),
      ).toBe(error);
      expect(server.requests).toHaveLength(1);
    },
  );

  test.each<[string, MirrorOptions, number]>([
    ['more fixtures than fixturesMax', { fixturesMax: 2 }, 64_000],
    ['an event above the limit', {}, 300],
  ])('a mirror ends when it is sent %s', async (_name, options, answerCharsMax) => {
    const fixtures = ['evt_1', 'evt_2', 'evt_3'].map((event_id) => ({
      event_id,
      event: { id: event_id, name: 'x'.repeat(100) },
      state: {},
      replace: true,
      odds: [],
    }));
    const part = {
      part: 1,
      last: true,
      cursor: 'a',
      full: true,
      as_of: null,
      stale: false,
      fixtures,
      removed: [],
    };
    await using server = new StandIn(
      () => new Response(`event: snapshot\ndata: ${JSON.stringify(part)}\n\n`),
    );
    const error = await failure(createClient({ url: server.url, answerCharsMax }).mirror(options).ready());
    expect([error.code, error.fix]).toEqual(['too_large', expect.stringContaining('Narrow')]);
    expect(server.requests).toHaveLength(1);
  });

  test('the size limit of a stream applies to each event, and not to several events that arrive together', async () => {
    const small = eventText('heartbeat', { text: 'x'.repeat(100) });
    const counted = async (text: string, pieceChars: number, charsMax: number): Promise<number> => {
      const pieces = new TextEncoder().encode(text);
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          for (let from = 0; from < pieces.length; from += pieceChars)
            controller.enqueue(pieces.slice(from, from + pieceChars));
          controller.close();
        },
      });
      const check = (chars: number): void => {
        if (chars > charsMax) throw new RangeError('too large');
      };
      return (await Array.fromAsync(eventsOf(body, check))).length;
    };
    for (const pieceChars of [1, 7, small.length, 3 * small.length + 1, 1_000_000]) {
      expect(await counted(small.repeat(10), pieceChars, small.length)).toBe(10);
      await expect(counted(small.repeat(10), pieceChars, small.length - 3)).rejects.toThrow(RangeError);
    }
  });

  test('a mirror takes the confirmation of each quote from the quote’s own source, even when another source is silent', async () => {
    const at = (second: number) => `2026-11-22T10:00:${second}.000Z`;
    const quote = (bookmaker: string, status: 'open' | 'suspended') => ({ bookmaker, status, as_of: at(10) });
    const whole = { part: 1, last: true, full: true, as_of: at(20), stale: false, removed: [], fixtures: [] };
    const heartbeat = {
      ...{ cursor: 'b', as_of: at(20), stale: false, feed_age_ms: 0 },
      confirmations: [
        { bookmakers: ['sbobet'], as_of: at(20) },
        { bookmakers: ['crown', 'macau'], as_of: at(50) },
      ],
    };
    const runtime = new SleepingRuntime();
    const connections = [
      eventText('snapshot', { ...whole, cursor: 'a' }),
      eventText('heartbeat', heartbeat),
      eventText('snapshot', { ...whole, cursor: 'c' }),
    ];
    await using server = new StandIn((_request, count) => new Response(connections[count - 1] ?? ''));
    const held: string[][] = [];
    const gate = Promise.withResolvers<void>();
    const quotes = [quote('sbobet', 'open'), quote('crown', 'open'), quote('crown', 'suspended')];
    await using mirror = createClient({ url: server.url, runtime }).mirror({
      onState: (state) => {
        if (state === 'waiting') held.push(quotes.map((each) => mirror.confirmedAt(each)));
        if (held.length === connections.length) gate.resolve();
      },
    });
    await gate.promise;
    const bySlate = [at(20), at(20), at(10)];
    expect(held.slice(0, 3)).toEqual([bySlate, [at(20), at(50), at(10)], bySlate]);
  });

  test('a mirror applies the freshness in heartbeats; after a missed change it does not change until the next snapshot', async () => {
    const view = (id: string): object => ({
      event_id: id,
      event: { id },
      state: {},
      replace: true,
      odds: [],
    });
    const whole = { part: 1, last: true, full: true, as_of: null, stale: false, removed: [] };
    const heartbeat = { as_of: '2026-11-22T10:00:00.000Z', stale: true, feed_age_ms: 90_000 };
    const gate = Promise.withResolvers<void>();
    const connections = [
      // The delta begins at another cursor than the mirror has.
      eventText('snapshot', { ...whole, cursor: 'a', fixtures: [view('evt_1')] }) +
        eventText('heartbeat', { ...heartbeat, cursor: 'b' }) +
        eventText('delta', { ...whole, from: 'x', to: 'y', cursor: 'y', full: false, fixtures: [] }),
      // Until a whole snapshot has arrived, nothing may move the cursor.
      eventText('heartbeat', { ...heartbeat, cursor: 'y', stale: false }),
      eventText('snapshot', { ...whole, cursor: 'z', fixtures: [view('evt_2')] }),
    ];
    await using server = new StandIn((_request, count) => {
      const text = connections[count - 1];
      return new Response(text ?? eventText('bye', { reason: 'shutdown', reconnect_after_ms: 0 }));
    });
    const runtime = new SleepingRuntime();
    const held: unknown[] = [];
    await using mirror = createClient({ url: server.url, runtime }).mirror({
      onState: (state) => {
        if (state === 'waiting')
          held.push([mirror.cursor, mirror.isStale, [...mirror.fixtures()].map(({ id }) => id)]);
        if (held.length === 3) gate.resolve();
      },
    });
    await gate.promise;
    expect(held).toEqual([
      ['b', true, ['evt_1']],
      ['b', true, ['evt_1']],
      ['z', false, ['evt_2']],
    ]);
  });

  test('a mirror is not created for an unknown transport', () => {
    const { mirror } = createClient({ url: 'http://127.0.0.1:1' });
    expect(() => mirror({ via: 'pigeon' as never })).toThrow('Cannot follow via pigeon');
  });

  test('the changes that a slow reader gets lead to the mirror’s fixtures, whatever it missed', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const step = fc.record({
      full: fc.boolean(),
      changed: fc.uniqueArray(id),
      removed: fc.uniqueArray(id),
      reads: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const note = new PendingChange();
        let held = new Set<string>();
        let known = new Set<string>();
        const read = (): void => {
          const change = note.take();
          if (change === null) return;
          if (change.full) known = new Set();
          for (const gone of change.removed) known.delete(gone);
          for (const one of change.changed) known.add(one);
        };
        for (const { full, changed, removed, reads } of steps) {
          const left = removed.filter((one) => !changed.includes(one));
          held = new Set(
            [...(full ? [] : held), ...changed].filter((one) => !(left as string[]).includes(one)),
          );
          const fixtures = changed.map((event_id) => ({ event_id }));
          note.add('c', { full, fixtures: fixtures as never, removed: left });
          if (reads) read();
        }
        read();
        expect([...known].sort()).toEqual([...held].sort());
      }),
    );
  });
});
