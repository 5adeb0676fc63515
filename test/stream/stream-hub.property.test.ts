// After every frame, a reader of a stream holds the content of the full answer at its cursor: whatever the
// feed does, and whenever the reader connects, stalls, leaves and returns.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { BOOKMAKER_KEYS } from '../../src/domain/catalogue.ts';
import { WholeSlates } from '../../src/query/odds/whole-slates.ts';
import { type Frame, frameOf } from '../../src/stream/frames.ts';
import { HEARTBEAT_MS, HOLD_BYTES, UNSENT_MS_MAX, WATCH_EVERY_MS } from '../../src/stream/limits.ts';
import { StreamHub } from '../../src/stream/stream-hub.ts';
import { type Answer, Mirror, Scene, step, VIEWS } from '../query/changes-scene.ts';
import { until } from '../support/condition.ts';
import { runs } from '../support/runs.ts';
import { turnsDuring } from '../support/turns-during.ts';
import { Client, Timers } from './hub-clients.ts';

const TICK_MS = 100;

class Stage {
  readonly scene = new Scene();
  readonly timers = new Timers();
  nowMs = 0;
  /** How far the clock moves each time that the hub reads it. */
  readMs = 0;
  readonly hub = new StreamHub({
    changes: this.scene.changes,
    slates: new WholeSlates({ changes: this.scene.changes, clock: { monotonicMs: () => this.nowMs } }),
    clock: {
      wallMs: () => this.scene.desk.nowMs,
      monotonicMs: () => {
        this.nowMs += this.readMs;
        return this.nowMs;
      },
    },
    every: this.timers.every,
    onError: (error) => {
      throw error;
    },
  });

  open(
    view: (typeof VIEWS)[number],
    options: { since?: string | null; isAllowed?: () => boolean } = {},
  ): Client {
    const client = new Client();
    client.mirror.cursor = options.since ?? null;
    client.connect(
      this.hub.open({
        view: this.scene.view(view.words, view.seesSharp),
        since: options.since ?? null,
        tickMs: TICK_MS,
        sink: client,
        isAllowed: options.isAllowed ?? (() => true),
      }),
    );
    return client;
  }

  /**
   * Fires the timers of three ticks: one that may be in progress, the next, and one more for a reader with a
   * new snapshot.
   */
  async tick(): Promise<void> {
    for (let fired = 0; fired < 3; fired++) await this.timers.fire(TICK_MS);
  }

  /** Changes prices of the slate. */
  change(): void {
    const steps = fc.sample(step, { numRuns: 200, seed: 1 });
    for (const change of steps) if (change.kind === 'message') this.scene.apply(change);
    this.scene.apply({ kind: 'publish' });
  }

  /** The server's answer to a reader that has no content yet. */
  async full(view: (typeof VIEWS)[number]): Promise<Answer> {
    return JSON.parse(await this.scene.text(this.scene.view(view.words, view.seesSharp), null)) as Answer;
  }
}

type Act =
  | { readonly kind: 'feed'; readonly step: Parameters<Scene['apply']>[0] }
  | { readonly kind: 'tick' }
  | { readonly kind: 'heartbeat' }
  | { readonly kind: 'stall'; readonly reader: number }
  | { readonly kind: 'resume'; readonly reader: number }
  | { readonly kind: 'reconnect' | 'restart'; readonly reader: number };

const reader = fc.nat(VIEWS.length - 1);
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 30,
    arbitrary: step
      .filter((step) => step.kind !== 'poll')
      .map((step): Act => ({ kind: 'feed', step: step as Parameters<Scene['apply']>[0] })),
  },
  { weight: 8, arbitrary: fc.constant<Act>({ kind: 'tick' }) },
  { weight: 1, arbitrary: fc.constant<Act>({ kind: 'heartbeat' }) },
  ...(['stall', 'resume', 'reconnect', 'restart'] as const).map((kind) => ({
    weight: 2,
    arbitrary: reader.map((reader) => ({ kind, reader }) as Act),
  })),
);

describe('StreamHub', () => {
  test('a reader that waits for its next tick is sent heartbeats with its present cursor', async () => {
    const stage = new Stage();
    const client = stage.open(VIEWS[0]!);
    await until('it has the snapshot', () => client.mirror.cursor !== null);
    const { cursor } = client.mirror;
    for (let tick = 0; tick < 3; tick++) await stage.timers.fire(HEARTBEAT_MS);
    const heartbeats = client.events.filter(({ event }) => event === 'heartbeat');
    expect(heartbeats.map(({ id }) => id)).toEqual([cursor, cursor, cursor]);
  });

  test('after every tick each reader holds the full answer, whatever it and the feed have done', async () => {
    const seen = { deltas: 0, conflated: 0, snapshots: 0, resumed: 0, stale: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 30, maxLength: 150, size: 'max' }), async (acts) => {
        const stage = new Stage();
        const clients = VIEWS.map((view) => stage.open(view));
        for (const act of [...acts, { kind: 'tick' } as const]) {
          if (act.kind === 'feed') stage.scene.apply(act.step);
          else if (act.kind === 'heartbeat') await stage.timers.fire(HEARTBEAT_MS);
          else if (act.kind === 'stall') clients[act.reader]!.isStalled = true;
          else if (act.kind === 'resume') clients[act.reader]!.resume();
          else if (act.kind === 'tick') {
            await stage.tick();
            await stage.timers.fire(HEARTBEAT_MS);
            for (const [index, client] of clients.entries()) {
              if (client.isStalled) continue;
              const full = await stage.full(VIEWS[index]!);
              const held = new Mirror();
              held.take(full);
              expect(client.mirror.content()).toEqual(held.content());
              // A change of only the age of the data is reported by heartbeats, not by deltas.
              const { event, data } = client.events.at(-1)!;
              expect([event, data.as_of, data.stale]).toEqual(['heartbeat', full.as_of, full.stale]);
              seen.stale += data.stale === true ? 1 : 0;
            }
          } else {
            // The reader reconnects with its state and cursor, as EventSource does, or without them, as a new
            // program does.
            const old = clients[act.reader]!;
            old.leave();
            const since = act.kind === 'reconnect' ? old.mirror.cursor : null;
            const client = stage.open(VIEWS[act.reader]!, { since });
            if (since !== null) {
              for (const [id, fixture] of old.mirror.fixtures) client.mirror.fixtures.set(id, fixture);
              seen.resumed++;
            }
            clients[act.reader] = client;
          }
        }
        for (const { events } of clients) {
          seen.deltas += events.filter(({ event }) => event === 'delta').length;
          seen.conflated += events.filter(({ data }) => data.conflated === true).length;
          seen.snapshots += events.filter(({ event }) => event === 'snapshot').length;
        }
        stage.hub.close();
        for (const client of clients) expect(client.hasEnded).toBe(true);
      }),
      { numRuns: runs(25) },
    );
    for (const [what, times] of Object.entries(seen)) expect(`${what} ${times > 20}`).toBe(`${what} true`);
  });

  test('readers of one view are given the same bytes', async () => {
    const stage = new Stage();
    const frames: Frame[][] = [[], [], []];
    for (const taken of frames) {
      stage.hub.open({
        view: stage.scene.view({}, true),
        since: null,
        tickMs: TICK_MS,
        sink: { send: (frame) => taken.push(frame), unsentBytes: () => 0, end: () => undefined },
        isAllowed: () => true,
      });
    }
    await stage.tick();
    stage.change();
    await stage.tick();
    const last = frames.map((taken) => taken.at(-1)!);
    expect(new TextDecoder().decode(last[0]!.bytes)).toStartWith('event: delta\n');
    expect([last[1] === last[0], last[2] === last[0]]).toEqual([true, true]);
  });

  test('readers that were late get the same bytes as the other readers, over several turns of the event loop', async () => {
    const stage = new Stage();
    let isStalled = false;
    const frames: Frame[][] = Array.from({ length: 40 }, () => []);
    for (const taken of frames) {
      stage.hub.open({
        view: stage.scene.view({}, true),
        since: null,
        tickMs: TICK_MS,
        sink: {
          send: (frame) => taken.push(frame),
          unsentBytes: () => (isStalled ? HOLD_BYTES + 1 : 0),
          end: () => undefined,
        },
        isAllowed: () => true,
      });
    }
    await stage.tick();
    isStalled = true;
    stage.change();
    await stage.tick();
    isStalled = false;
    stage.readMs = 1;
    const turns = await turnsDuring(() => stage.timers.fire(TICK_MS));
    const last = frames.map((taken) => taken.at(-1)!);
    expect(new TextDecoder().decode(last[0]!.bytes)).toContain('"conflated":true');
    expect(last.every((frame) => frame === last[0])).toBe(true);
    expect(turns).toBeGreaterThan(frames.length / 4);
  });

  test('readers of many views get their changes over several turns, with heartbeats in between', async () => {
    const stage = new Stage();
    const words = Array.from({ length: 40 }, (_, index) => ({ bookmakers: bookmakersOf(index + 1) }));
    const clients = words.map((words) => stage.open({ words, seesSharp: true }));
    await stage.tick();
    stage.change();
    stage.readMs = 1;
    const turns = await turnsDuring(
      () => stage.timers.fire(TICK_MS),
      () => stage.timers.fire(HEARTBEAT_MS),
    );
    expect(turns).toBeGreaterThan(clients.length / 4);
    let deltas = 0;
    for (const [index, client] of clients.entries()) {
      const held = new Mirror();
      held.take(await stage.full({ words: words[index]!, seesSharp: true }));
      expect(client.mirror.content()).toEqual(held.content());
      deltas += expectCursorsAroundDelta(client);
    }
    expect(deltas).toBeGreaterThan(clients.length / 2);
  });

  test('many readers of one view are sent their changes over several turns, in which others come and go', async () => {
    const stage = new Stage();
    const clients = Array.from({ length: 200 }, () => stage.open(VIEWS[0]!));
    await stage.tick();
    stage.change();
    stage.readMs = 1;
    const gone = [clients[0]!, clients[150]!, clients[199]!];
    const come: Client[] = [];
    const turns = await turnsDuring(
      () => stage.timers.fire(TICK_MS),
      () => {
        void stage.timers.fire(HEARTBEAT_MS);
        if (come.length === gone.length) return;
        gone[come.length]!.leave();
        come.push(stage.open(VIEWS[0]!));
      },
    );
    expect(turns).toBeGreaterThan(10);
    expect(gone.map(({ events }) => events.some(({ event }) => event === 'delta'))).toEqual([
      true,
      false,
      false,
    ]);
    const held = new Mirror();
    held.take(await stage.full(VIEWS[0]!));
    const stayed = clients.filter((client) => !gone.includes(client));
    for (const client of stayed) {
      expect(client.mirror.content()).toEqual(held.content());
      expect(expectCursorsAroundDelta(client)).toBe(1);
    }
    stage.readMs = 0;
    await stage.tick();
    for (const client of [...stayed, ...come]) expect(client.mirror.content()).toEqual(held.content());
  });

  test('heartbeats, and checks of readers, take several turns if there are many', async () => {
    const stage = new Stage();
    const revoked = new Set<Client>();
    const clients = Array.from({ length: 200 }, () => {
      const client: Client = stage.open(VIEWS[0]!, { isAllowed: () => !revoked.has(client) });
      return client;
    });
    await stage.tick();
    stage.readMs = 1;
    const countOf = (name: string) =>
      clients.filter(({ events }) => events.some(({ event }) => event === name)).length;
    const counts: number[] = [];
    await turnsDuring(
      () => stage.timers.fire(HEARTBEAT_MS),
      () => {
        counts.push(countOf('heartbeat'));
        stage.change();
        void stage.timers.fire(TICK_MS); // the cursor of heartbeats follows, or a client's mirror would throw
      },
    );
    expect([counts.length > 10, countOf('heartbeat')]).toEqual([true, 200]);
    for (const [index, client] of clients.entries()) if (index % 2 === 0) revoked.add(client);
    counts.length = 0;
    await turnsDuring(
      () => stage.timers.fire(WATCH_EVERY_MS),
      () => {
        counts.push(countOf('bye'));
        clients[counts.length]?.leave();
      },
    );
    expect([counts.length > 10, countOf('bye') > 90]).toEqual([true, true]);
    expect(clients.filter(({ hasEnded }) => hasEnded).every((client) => revoked.has(client))).toBe(true);
  });

  test('the hub ends the streams of readers that are stuck or whose key was revoked, gives the reason, and keeps the others', async () => {
    const stage = new Stage();
    let isAlive = true;
    const stuck = stage.open(VIEWS[0]!);
    const revoked = stage.open(VIEWS[0]!, { isAllowed: () => isAlive });
    const well = stage.open(VIEWS[0]!);
    await stage.tick();
    stuck.isStalled = true;
    stuck.send(frameOf('heartbeat', null, {}));
    isAlive = false;
    await stage.timers.fire(WATCH_EVERY_MS);
    expect([stuck, revoked, well].map(({ hasEnded }) => hasEnded)).toEqual([false, true, false]);
    expect(revoked.events.at(-1)).toMatchObject({ event: 'bye', data: { reason: 'key_revoked' } });
    stage.nowMs += UNSENT_MS_MAX + 1;
    await stage.timers.fire(WATCH_EVERY_MS);
    expect([stuck.hasEnded, well.hasEnded, stage.hub.readerCount]).toEqual([true, false, 1]);
  });
});

/**
 * Expects that a client's heartbeats have the cursor from before its changes until these are sent, and then
 * theirs. @returns the number of deltas
 */
function expectCursorsAroundDelta({ events }: Client): number {
  const [snapshotId] = events.filter(({ event }) => event === 'snapshot').map(({ id }) => id);
  const at = events.findIndex(({ event }) => event === 'delta');
  if (at < 0) return 0;
  const idsOf = (part: typeof events) =>
    new Set(part.filter(({ event }) => event === 'heartbeat').map(({ id }) => id));
  expect([...idsOf(events.slice(0, at))].filter((id) => id !== snapshotId)).toEqual([]);
  expect([...idsOf(events.slice(at))].filter((id) => id !== events[at]!.id)).toEqual([]);
  return events.filter(({ event }) => event === 'delta').length;
}

/** A different choice of bookmakers for each number up to 63. */
function bookmakersOf(number: number): string[] {
  return BOOKMAKER_KEYS.slice(0, 6).filter((_, bit) => (number >> bit) % 2 === 1);
}
