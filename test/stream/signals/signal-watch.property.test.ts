// After every tick, readers of signals hold what find_value and find_arbitrage would report, and have
// received exactly what changed since the previous tick: whatever the feed does, however long the pool takes,
// and whichever readers stall or leave.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { StreamSignal, StreamSignals } from '../../../src/contract/stream/stream-signals.ts';
import { HEARTBEAT_MS, WATCH_EVERY_MS } from '../../../src/stream/limits.ts';
import { runs } from '../../support/runs.ts';
import {
  type Facts,
  type FeedAct,
  factsOf,
  feedAct,
  SignalClient,
  SignalStage,
  TICK_MS,
  VIEWS,
} from '../signal-stage.ts';

type Act =
  | { readonly kind: 'feed'; readonly act: FeedAct }
  | { readonly kind: 'tick'; readonly pool: 'well' | 'failing' | 'busy' }
  | { readonly kind: 'heartbeat' }
  | { readonly kind: 'stall'; readonly reader: number }
  | { readonly kind: 'resume'; readonly reader: number }
  | { readonly kind: 'come back'; readonly reader: number };

const reader = fc.nat(VIEWS.length - 1);
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 12, arbitrary: feedAct.map((act): Act => ({ kind: 'feed', act })) },
  {
    weight: 8,
    arbitrary: fc
      .constantFrom('well', 'well', 'well', 'well', 'failing', 'busy')
      .map((pool): Act => ({ kind: 'tick', pool: pool as 'well' })),
  },
  { weight: 1, arbitrary: fc.constant<Act>({ kind: 'heartbeat' }) },
  { weight: 1, arbitrary: reader.map((reader): Act => ({ kind: 'stall', reader })) },
  { weight: 1, arbitrary: reader.map((reader): Act => ({ kind: 'resume', reader })) },
  { weight: 1, arbitrary: reader.map((reader): Act => ({ kind: 'come back', reader })) },
);

function factsOfSignal({ value_bet, opportunity }: StreamSignal): Facts {
  return factsOf((value_bet ?? opportunity)!);
}

/**
 * The signals that a client believes to be open, sorted, so that the order in which they arrived does not
 * matter.
 */
function mirror(open: ReadonlyMap<string, StreamSignal>): [string, Facts][] {
  return [...open].map(([id, signal]): [string, Facts] => [id, factsOfSignal(signal)]).sort(byId);
}

function byId([left]: [string, unknown], [right]: [string, unknown]): number {
  return left < right ? -1 : 1;
}

describe('signals of a stream', () => {
  test('the signals of a stream are those of the tools after every tick, and every change is reported once', async () => {
    const seen = { opened: 0, changed: 0, closed: 0, current: 0, conflated: 0, withEv: 0, byTime: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 30, maxLength: 120, size: 'max' }), async (acts) => {
        const stage = new SignalStage();
        const views = VIEWS.map((view) => stage.view(view));
        const clients = views.map((view) => new SignalClient(stage, view));
        // The tick in which a channel began may still be running when the first reader arrives.
        let hasMissedTick = true;
        let hasFed = false;
        await stage.fire(TICK_MS);
        for (const act of [...acts, { kind: 'tick', pool: 'well' } as const]) {
          if (act.kind === 'feed') {
            stage.apply(act.act);
            hasFed ||= act.act.kind !== 'time';
          } else if (act.kind === 'heartbeat') {
            await stage.fire(HEARTBEAT_MS);
          } else if (act.kind === 'stall' || act.kind === 'resume') {
            clients[act.reader]![act.kind]();
          } else if (act.kind === 'come back') {
            const old = clients[act.reader]!;
            const client = new SignalClient(stage, views[act.reader]!);
            old.leave();
            // The client resumes with the signals that it had. Some of them may have changed meanwhile.
            for (const [id, signal] of old.open) client.open.set(id, signal);
            clients[act.reader] = client;
          } else if (act.pool === 'failing') {
            stage.scorer.mode = 'failing';
            await stage.fire(TICK_MS);
            // The tick may have been missed, because it failed if it had something to score.
            hasMissedTick = true;
            stage.scorer.mode = 'well';
          } else {
            const before = clients.map((client) => ({
              open: new Map(client.open),
              events: client.events.length,
            }));
            if (act.pool === 'busy') {
              stage.scorer.mode = 'busy';
              const first = stage.fire(TICK_MS);
              await Promise.resolve();
              const second = stage.fire(TICK_MS); // left out, because the first tick is not finished
              stage.scorer.mode = 'well';
              stage.scorer.release();
              await Promise.all([first, second]);
              hasMissedTick = true;
            }
            await stage.fire(TICK_MS);
            await stage.fire(WATCH_EVERY_MS);
            for (const [index, client] of clients.entries()) {
              if (client.isStalled) continue;
              const expected = stage.expected(views[index]!);
              expect(mirror(client.open)).toEqual([...expected].sort(byId));
              const events = client.events.slice(before[index]!.events);
              checkEvents(events, before[index]!.open, expected, stage.desk.nowMs, seen, hasFed);
              if (!hasMissedTick) {
                expect(events.some(({ data }) => (data as StreamSignal).conflated === true)).toBe(false);
              }
            }
            hasMissedTick = false;
            hasFed = false;
          }
        }
        await stage.fire(HEARTBEAT_MS);
        for (const [index, client] of clients.entries()) {
          if (client.isStalled) client.resume();
          await stage.fire(WATCH_EVERY_MS);
          const last = client.events.filter(({ event }) => event === 'signals').at(-1);
          expect(last!.data).toMatchObject({
            count: stage.expected(views[index]!).size,
            left_out: 0,
            excluded: stage.excluded(views[index]!),
          });
          client.leave();
        }
        expect([stage.channels.channelCount, stage.live.watchCount]).toEqual([0, 0]);
      }),
      { numRuns: runs(35) },
    );
    for (const [what, times] of Object.entries(seen)) expect(`${what} ${times > 20}`).toBe(`${what} true`);
  }, 120_000);
});

/** Compares the events of one tick with the client's state before and after it. */
function checkEvents(
  events: readonly { readonly event: string; readonly data: unknown }[],
  before: ReadonlyMap<string, StreamSignal>,
  expected: ReadonlyMap<string, Facts>,
  nowMs: number,
  seen: Record<string, number>,
  hasFed: boolean,
): void {
  const signals = events.filter(({ event }) => event === 'signal').map(({ data }) => data as StreamSignal);
  for (const signal of signals) {
    seen[signal.change]! += 1;
    if (signal.current) seen.current! += 1;
    if (signal.conflated) seen.conflated! += 1;
    if (signal.value_bet?.ev_pct != null) seen.withEv! += 1;
    if (!hasFed && !signal.current) seen.byTime! += 1;
    const openedAtMs = Date.parse(signal.opened_at);
    expect(openedAtMs).toBeLessThanOrEqual(nowMs);
    expect(signal.lived_ms).toBe(signal.change === 'closed' ? nowMs - openedAtMs : null);
  }
  if (events.some(({ event, data }) => event === 'signals' && (data as StreamSignals).ids !== null)) return;
  // If several ticks were merged into one, it may report a signal twice: in an intermediate state and in the
  // present one.
  const isConflated = signals.some(({ conflated }) => conflated);
  if (isConflated) return;
  const idsOf = (change: StreamSignal['change']): string[] =>
    signals
      .filter((signal) => signal.change === change)
      .map(({ id }) => id)
      .sort();
  const ids = [...expected.keys()].sort();
  expect(idsOf('opened')).toEqual(ids.filter((id) => !before.has(id)));
  expect(idsOf('closed')).toEqual([...before.keys()].filter((id) => !expected.has(id)).sort());
  expect(idsOf('changed')).toEqual(
    ids.filter((id) => before.has(id) && !Bun.deepEquals(factsOfSignal(before.get(id)!), expected.get(id))),
  );
  for (const signal of signals) {
    if (signal.change === 'opened') continue;
    expect(signal.opened_at).toBe(before.get(signal.id)!.opened_at);
    if (signal.change === 'closed')
      expect(factsOfSignal(signal)).toEqual(factsOfSignal(before.get(signal.id)!));
  }
}
