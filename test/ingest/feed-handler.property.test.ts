// Random streams of messages, valid and invalid, in and out of sequence, through handler, applier, writer and
// reader, compared with the protocol as plain maps.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { nextCommonVersion, nextSharpVersion } from '../../src/store/versions.ts';
import {
  closeWire,
  eventWire,
  helloWire,
  markWire,
  quoteWire,
  removeWire,
  stateWire,
  type WireMessage,
  wireTime,
} from '../feed/wire.ts';
import { FeedModel } from './feed-model.ts';
import { IngestDesk } from './ingest-desk.ts';

const EVENTS = ['e1', 'e2', 'e3', 'e4'];
const START_MS = Date.UTC(2026, 2, 1, 12);

const event = fc.constantFrom(...EVENTS);
const AT_STEPS_MAX = 20;
const at = fc.integer({ min: 0, max: AT_STEPS_MAX }).map((step) => wireTime(START_MS + step * 1_000));
const line = fc.constantFrom(
  { market_type: 'asian_handicap', line: -0.75 },
  { market_type: 'asian_handicap', line: 0 },
  { market_type: 'totals', line: 2.5 },
);
const bookmaker = fc.constantFrom('crown', 'pinnacle');
const price = fc.constantFrom(1.95, 2.0001, 0, Number.NaN);

/** A message without its sequence number. */
const content: fc.Arbitrary<WireMessage> = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(event, at, fc.constantFrom('A', 'B')).map(toEvent) },
  { weight: 8, arbitrary: fc.tuple(event, at, line, bookmaker, price, fc.boolean()).map(toQuote) },
  { weight: 1, arbitrary: fc.tuple(event, at).map(([name, at]) => toThreeWay(name, at)) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(event, at, line, bookmaker)
      .map(([name, at, line, bookmaker]) => closeWire(0, name, { at, ...line, bookmaker })),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(event, at, fc.constantFrom(null, '1h 3', '2h 50'), fc.nat(3)).map(toState),
  },
  { weight: 1, arbitrary: event.map((name) => removeWire(0, name)) },
  { weight: 1, arbitrary: fc.constant<WireMessage>({ type: 'stats' }) },
);

type Step =
  | { readonly kind: 'message'; readonly wire: WireMessage; readonly jump: number | 'none' | 'bad' }
  | { readonly kind: 'hello'; readonly epoch: string | null; readonly protocol: number }
  | { readonly kind: 'begin' }
  | { readonly kind: 'end' }
  | { readonly kind: 'publish' };

const jump = fc.oneof(
  { weight: 60, arbitrary: fc.constant<number | 'none' | 'bad'>(1) },
  { weight: 2, arbitrary: fc.constantFrom<number | 'none' | 'bad'>(0, 'none', 'bad') },
  { weight: 1, arbitrary: fc.constantFrom<number | 'none' | 'bad'>(2, -1, -5) },
);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 50, arbitrary: fc.record({ kind: fc.constant('message' as const), wire: content, jump }) },
  { weight: 3, arbitrary: fc.constant<Step>({ kind: 'begin' }) },
  { weight: 3, arbitrary: fc.constant<Step>({ kind: 'end' }) },
  { weight: 8, arbitrary: fc.constant<Step>({ kind: 'publish' }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('hello' as const),
      epoch: fc.constantFrom(null, 'a', 'b'),
      protocol: fc.constantFrom(1, 1, 1, 2),
    }),
  },
);

describe('FeedHandler', () => {
  test('any stream of messages makes the slate that the protocol describes, batch by batch', () => {
    const reached = { older: 0, duplicates: 0, gaps: 0, ignored: 0, snapshots: 0, removals: 0 };
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 150, size: 'max' }), (steps) => {
        const desk = new IngestDesk();
        desk.nowMs += AT_STEPS_MAX * 1_000; // later than every stamp below
        const model = new FeedModel();
        let batch: WireMessage[] = [];
        let shown = model.slate();
        for (const wire of numbered(steps)) {
          if (wire !== null) {
            batch.push(wire);
            continue;
          }
          const slateVersion = desk.reader.slateVersion();
          const versions = EVENTS.map((name) => desk.version(name));
          const isPlain =
            !model.isInSnapshot && !batch.some(({ type }) => /remove|snapshot/.test(String(type)));
          desk.send(...batch);
          for (const message of batch) {
            model.hear(message);
            if (!model.isInSnapshot) shown = model.slate();
          }
          expect(desk.slate(EVENTS)).toEqual(shown);
          expect(desk.fixtureCount).toBe(Object.keys(shown).length);
          if (isPlain) expectOnePublish(desk, versions, slateVersion);
          batch = [];
        }
        const counters = desk.reader.counters();
        expect({
          older: counters.quotes_older,
          duplicates: counters.duplicates,
          gaps: counters.gaps,
          ignored: counters.ignored_until_snapshot,
          snapshots: counters.snapshots,
          isComplete: desk.reader.feed().snapshotComplete,
        }).toEqual({
          older: model.olderCount,
          duplicates: model.duplicateCount,
          gaps: model.gapCount,
          ignored: model.ignoredCount,
          snapshots: model.snapshotCount,
          isComplete: model.isComplete,
        });
        reached.older += model.olderCount;
        reached.duplicates += model.duplicateCount;
        reached.gaps += model.gapCount;
        reached.ignored += model.ignoredCount;
        reached.snapshots += model.snapshotCount;
      }),
      { numRuns: 400, includeErrorInReport: true },
    );
    for (const count of [
      reached.older,
      reached.duplicates,
      reached.gaps,
      reached.ignored,
      reached.snapshots,
    ]) {
      expect(count).toBeGreaterThan(50);
    }
  });
});

/**
 * Each step's message with its sequence number; null stands for the end of a batch. The stream starts with a
 * hello and a snapshot.
 */
function* numbered(steps: readonly Step[]): Generator<WireMessage | null> {
  yield helloWire({ epoch: 'a' });
  yield markWire('snapshot_begin', 1);
  let seq = 1;
  for (const step of steps) {
    if (step.kind === 'publish') yield null;
    else if (step.kind === 'hello') yield helloWire({ epoch: step.epoch, protocol: step.protocol });
    else if (step.kind === 'begin') yield markWire('snapshot_begin', ++seq);
    else if (step.kind === 'end') yield markWire('snapshot_end', ++seq);
    else if (step.jump === 'none' || step.jump === 'bad') {
      seq++;
      yield { ...step.wire, seq: step.jump === 'none' ? undefined : -1 };
    } else {
      seq = Math.max(0, seq + step.jump);
      yield { ...step.wire, seq };
    }
  }
  yield null;
}

function expectOnePublish(desk: IngestDesk, versionsBefore: readonly number[], slateBefore: number): void {
  const newest = desk.reader.slateVersion();
  expect([slateBefore, nextSharpVersion(slateBefore), nextCommonVersion(slateBefore)]).toContain(newest);
  EVENTS.forEach((name, index) => {
    const before = versionsBefore[index]!;
    if (before >= 0) expect([before, newest]).toContain(desk.version(name));
  });
}

function toEvent([name, at, spelling]: [string, string, string]): WireMessage {
  const home = { key: `${name}-home`, name: `Home ${spelling}` };
  return eventWire(0, name, { at, home, ...(spelling === 'B' ? { scheduled_at: null } : {}) });
}

function toQuote([name, at, line, bookmaker, price, isOpen]: [
  string,
  string,
  { market_type: string; line: number },
  string,
  number,
  boolean,
]): WireMessage {
  const status = isOpen ? 'open' : 'suspended';
  return quoteWire(0, name, { at, ...line, bookmaker, prices: [price, 1.9], status });
}

/** A 1x2 quote. For e1, which is football, it lacks the third outcome. */
function toThreeWay(name: string, at: string): WireMessage {
  const prices = name === 'e1' ? [2, 3.2] : [2, 3.2, 4];
  return quoteWire(0, name, { at, market_type: '1x2', line: null, prices });
}

function toState([name, at, clock, goals]: [string, string, string | null, number]): WireMessage {
  return stateWire(0, name, {
    at,
    clock,
    score: goals === 3 ? null : [goals, 0],
    cards: goals === 0 ? null : [0, goals],
    status: goals === 2 ? 'finished' : 'live',
  });
}
