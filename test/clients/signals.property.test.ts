// Signals followed by a mirror of the TypeScript client: through connections cut in the middle of an event,
// restarts, and signals that close while nobody is connected, the mirror finally holds the server's open
// signals. So does a reader that keeps its own list from the changes of a loop, however slow it is. The
// Python client has the same test in clients/python/tests.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { PendingChange, type Signal } from '../../clients/typescript/src/changes.ts';
import { createClient, type MirrorChange } from '../../clients/typescript/src/index.ts';
import { eventLoopTurn } from '../../src/pause.ts';
import { until } from '../support/condition.ts';
import { eventText, SleepingRuntime, StandIn } from './stand-in.ts';

/** An event of one signal: it closes, or it opens, or it changes if it is already open. */
const step = fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd'), closes: fc.boolean() });
const connection = fc.record({
  away: fc.array(step, { maxLength: 4 }),
  there: fc.array(step, { maxLength: 6 }),
  hasRestarted: fc.boolean(),
  /** The share of the sent data that arrives before the connection is cut. */
  arrives: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/**
 * The signals of a server. `take` returns the message that a step sends to readers, or null if it sends
 * nothing.
 */
class OpenSignals {
  readonly open = new Map<string, Signal>();
  #version = 0;

  take({ id, closes }: Step): Signal | null {
    const held = this.open.get(id);
    if (closes && held === undefined) return null;
    const change = closes ? 'closed' : held === undefined ? 'opened' : 'changed';
    const signal = { id, change, current: false, oldest_age_s: ++this.#version } as Signal;
    if (closes) this.open.delete(id);
    else this.open.set(id, signal);
    return signal;
  }

  /** What a reader receives when it connects or reconnects. */
  current(): Signal[] {
    return [...this.open.values()].map((signal) => ({ ...signal, change: 'opened', current: true }));
  }
}

/** A list of open signals, built from the changes that a loop received. */
class ReceivedSignals {
  readonly open = new Map<string, Signal>();

  take({ signals }: Pick<MirrorChange, 'signals'>): void {
    for (const signal of signals) {
      if (signal.change === 'closed') {
        // The signal must have been reported as open before.
        expect(this.open.delete(signal.id)).toBe(true);
      } else {
        expect(signal.change).toBe(this.open.has(signal.id) ? 'changed' : 'opened');
        this.open.set(signal.id, signal);
      }
    }
  }
}

const versions = (open: ReadonlyMap<string, Signal>): [string, number][] =>
  [...open].map(([id, { oldest_age_s }]): [string, number] => [id, oldest_age_s]).sort();

test('however slow a reader is, it ends with the signals that are open', () => {
  const event = fc.oneof(step, fc.constant('reads' as const), fc.constant('comes back' as const));
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), (events) => {
      const server = new OpenSignals();
      const note = new PendingChange();
      const received = new ReceivedSignals();
      const read = (): void => received.take(note.take() ?? { signals: [] });
      for (const one of events) {
        if (one === 'reads') read();
        else if (one === 'comes back') for (const signal of server.current()) note.addSignal('c', signal);
        else {
          const signal = server.take(one);
          if (signal !== null) note.addSignal('c', signal);
        }
      }
      read();
      expect(versions(received.open)).toEqual(versions(server.open));
    }),
    { numRuns: 500 },
  );
});

/** Everything that one connection would receive from its beginning, if it is not cut. */
function sentBy(
  server: OpenSignals,
  since: string | null,
  hasRestarted: boolean,
  steps: readonly Step[],
): string {
  const odds = { as_of: null, stale: false, fixtures: [], removed: [], conflated: false };
  const begin =
    since === null || hasRestarted
      ? eventText('snapshot', { ...odds, part: 1, last: true, full: true, cursor: 'c' })
      : eventText('delta', { ...odds, full: false, from: since, to: since, cursor: since });
  const current = server.current().map((signal) => eventText('signal', signal));
  const ids = eventText('signals', { count: current.length, ids: [...server.open.keys()] });
  const moves = steps
    .map((one) => server.take(one))
    .filter((signal) => signal !== null)
    .map((signal) => eventText('signal', signal) + eventText('heartbeat', { cursor: 'c' }));
  const counts = eventText('signals', { count: server.open.size, ids: null });
  return [
    eventText('hello', { cursor: 'c', heartbeat_ms: 5_000 }),
    begin,
    ...current,
    ids,
    ...moves,
    counts,
  ].join('');
}

test('a mirror holds the open signals, through cuts and restarts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(connection, { minLength: 1, maxLength: 5 }),
      fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 8 }),
      async (connections, slowness) => {
        const server = new OpenSignals();
        await using standIn = new StandIn((request, count) => {
          const { away, there, hasRestarted, arrives } = connections[count - 1] ?? {
            away: [],
            there: [],
            hasRestarted: false,
            arrives: 1,
          };
          for (const one of away) server.take(one);
          const text = sentBy(server, new URL(request.url).searchParams.get('since'), hasRestarted, there);
          return new Response(text.slice(0, Math.ceil(text.length * arrives)), {
            headers: { 'content-type': 'text/event-stream' },
          });
        });
        const client = createClient({ url: standIn.url, runtime: new SleepingRuntime() });
        const mirror = client.mirror({ signals: ['value', 'arbitrage'] });
        const received = new ReceivedSignals();
        const reading = (async () => {
          let turn = 0;
          for await (const change of mirror) {
            received.take(change);
            for (let wait = slowness[turn++ % slowness.length]!; wait > 0; wait--) {
              await eventLoopTurn();
            }
          }
        })();
        // After the listed connections, a further one sends everything that is open. Once the mirror requests
        // another, it has applied that.
        await until(
          'the mirror has applied the last connection',
          () => standIn.requests.length > connections.length + 1,
        );
        mirror.close();
        await reading;
        expect(versions(mirror.signals)).toEqual(versions(server.open));
        expect(versions(received.open)).toEqual(versions(server.open));
      },
    ),
    { numRuns: 40 },
  );
}, 120_000);
