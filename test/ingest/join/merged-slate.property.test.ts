// Two made-up sources with gaps, snapshots, deaths and returns in any order, compared with a plain model of
// their joined slate.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  closeWire,
  heartbeatWire,
  helloWire,
  markWire,
  quoteWire,
  removeWire,
  stateWire,
  type WireMessage,
  wireTime,
} from '../../feed/wire.ts';
import { runs } from '../../support/runs.ts';
import type { SeenFixture } from '../ingest-desk.ts';
import { JoinDesk, matchWire, NOW_MS } from './join-desk.ts';

const BOOKS = ['crown', 'pinnacle'];
/**
 * Both sources have the first two matches; the second one has home and away exchanged in the second source.
 * Only the second source has the third match.
 */
const TEAMS: readonly (readonly (readonly [string, string])[])[] = [
  [
    ['Arsenal', 'Chelsea'],
    ['Liverpool', 'Everton'],
    ['Leeds United', 'Fulham'],
  ],
  [
    ['Arsenal FC', 'Chelsea FC'],
    ['Everton FC', 'Liverpool FC'],
    ['Aston Villa', 'Burnley'],
  ],
];
const LIVE_MS = 60_000;
const PREMATCH_MS = 300_000;
const KICKOFF_MS = NOW_MS + 3 * 3_600_000;

const source = fc.nat(1);
const match = fc.nat(2);
const line = fc.constantFrom(-0.75, 0, 0.5);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('event' as const), source, match }) },
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('quote' as const),
      source,
      match,
      line,
      price: fc.integer({ min: 15, max: 40 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('close' as const), source, match, line }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('state' as const),
      source,
      match,
      score: fc.constantFrom(null, [0, 1] as const, [2, 1] as const),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('confirm' as const), source, match }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), source, match }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('gap' as const), source }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('begin' as const), source }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('end' as const), source }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('heartbeat' as const), source }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), seconds: fc.constantFrom(1, 40, 310) }),
  },
);

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

interface ModelQuote {
  readonly line: number;
  readonly prices: readonly [number, number];
  readonly atMs: number;
}
interface ModelFixture {
  readonly quotes: Map<number, ModelQuote>;
  score: readonly [number, number] | null;
  hasState: boolean;
  /** When the source last confirmed only this match by a heartbeat. */
  confirmedMs: number;
}
type ModelSlate = Map<number, ModelFixture>;

/** The slate of one source as the protocol defines it, as if there were no other source. */
class ModelSource {
  slate: ModelSlate = new Map();
  next: ModelSlate | null = null;
  isLost = true;
  isComplete = false;
  confirmedMs = Number.NEGATIVE_INFINITY;
  latestMs = Number.NEGATIVE_INFINITY;

  hear(step: Exclude<Step, { readonly kind: 'pass' }>, nowMs: number): void {
    if (step.kind === 'gap') {
      this.isLost = true;
      this.next = null;
    } else if (step.kind === 'begin') {
      this.isLost = false;
      this.next = new Map();
      this.latestMs = Number.NEGATIVE_INFINITY;
    } else if (step.kind === 'end') {
      if (this.next !== null) this.#end(this.next);
      this.next = null;
    } else if (!this.isLost) this.#apply(this.next ?? this.slate, step, nowMs);
  }

  #apply(slate: ModelSlate, step: Exclude<Step, { readonly kind: 'pass' }>, nowMs: number): void {
    if (step.kind === 'heartbeat') this.confirmedMs = nowMs;
    if (!('match' in step)) return;
    if (step.kind !== 'confirm') this.latestMs = nowMs;
    if (step.kind === 'event' && !slate.has(step.match)) {
      slate.set(step.match, {
        quotes: new Map(),
        score: null,
        hasState: false,
        confirmedMs: Number.NEGATIVE_INFINITY,
      });
    }
    const fixture = slate.get(step.match);
    if (fixture === undefined) return;
    if (step.kind === 'confirm') fixture.confirmedMs = nowMs;
    if (step.kind === 'remove') slate.delete(step.match);
    if (step.kind === 'close') fixture.quotes.delete(step.line);
    if (step.kind === 'state') {
      fixture.hasState = true;
      fixture.score = step.score ?? fixture.score;
    }
    if (step.kind === 'quote') {
      fixture.quotes.set(step.line, {
        line: step.line,
        prices: [step.price / 10, step.price / 10 + 1],
        atMs: nowMs,
      });
    }
  }

  /** A snapshot replaces everything except a score that it does not contain. */
  #end(next: ModelSlate): void {
    for (const [match, fixture] of next) {
      const held = this.slate.get(match);
      if (held === undefined) continue;
      fixture.score ??= held.score;
      fixture.hasState ||= held.hasState;
      fixture.confirmedMs = Math.max(fixture.confirmedMs, held.confirmedMs);
    }
    this.slate = next;
    this.isComplete = true;
    this.confirmedMs = Math.max(this.confirmedMs, this.latestMs);
  }
}

/**
 * The slate of both sources by match. `0` and `1` are joined; `2 of 0` and `2 of 1` each belong to one
 * source.
 */
function modelSlate(sources: readonly [ModelSource, ModelSource], nowMs: number): Record<string, unknown> {
  const slate: Record<
    string,
    { quotes: Record<string, unknown>; scores: (readonly [number, number] | null)[] }
  > = {};
  for (const [index, { slate: own, confirmedMs }] of sources.entries()) {
    for (const [match, { quotes, score, confirmedMs: aloneMs }] of own) {
      const isTurned = index === 1 && match === 1;
      const name = match < 2 ? `${match}` : `${match} of ${index}`;
      slate[name] ??= { quotes: {}, scores: [] };
      const shown = slate[name];
      if (score !== null) shown.scores.push(isTurned ? [score[1], score[0]] : score);
      for (const { line, prices, atMs } of quotes.values()) {
        const [home, away] = isTurned ? [prices[1], prices[0]] : prices;
        const isOpen = nowMs - Math.max(confirmedMs, aloneMs, atMs) <= PREMATCH_MS;
        shown.quotes[`${BOOKS[index]} ${(isTurned ? -line : line) + 0}`] = { home, away, isOpen, atMs };
      }
    }
  }
  return slate;
}

function seenSlate(slate: Record<string, SeenFixture>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(slate).map(([key, { quotes, score }]) => {
      const [own, match] = key.split('-');
      const lines = Object.entries(quotes).map(([name, { pricesE4, status, atMs }]) => {
        const [book, , , line] = name.split('|');
        const [home, away] = pricesE4.map((price) => price / 10_000);
        return [`${book} ${line}`, { home, away, isOpen: status === 'open', atMs }];
      });
      return [Number(match) < 2 ? match : `${match} of ${own}`, { quotes: Object.fromEntries(lines), score }];
    }),
  );
}

/** A complete snapshot of a source with its three matches. */
function openingOf(source: number): Step[] {
  const events = [0, 1, 2].map((match): Step => ({ kind: 'event', source, match }));
  return [{ kind: 'begin', source }, ...events, { kind: 'end', source }];
}

class Wires {
  readonly #seqs = [0, 0];

  of(step: Exclude<Step, { readonly kind: 'pass' }>, nowMs: number): WireMessage[] {
    const { source } = step;
    const at = wireTime(nowMs);
    if (step.kind === 'gap') {
      this.#seqs[source]! += 5;
      return [heartbeatWire(++this.#seqs[source]!, { at })];
    }
    const seq = ++this.#seqs[source]!;
    if (!('match' in step)) {
      if (step.kind === 'heartbeat') return [heartbeatWire(seq, { at })];
      return [markWire(step.kind === 'begin' ? 'snapshot_begin' : 'snapshot_end', seq)];
    }
    const event = `${source}-${step.match}`;
    if (step.kind === 'event') {
      const scheduled_at = wireTime(KICKOFF_MS + source * 10 * 60_000);
      return [matchWire(source, event, TEAMS[source]![step.match]!, { at, seq, scheduled_at })];
    }
    if (step.kind === 'state') {
      return [
        stateWire(seq, event, { at, status: 'scheduled', clock: null, score: step.score, cards: null }),
      ];
    }
    if (step.kind === 'remove') return [removeWire(seq, event, { at })];
    if (step.kind === 'confirm') return [heartbeatWire(seq, { at, event })];
    const fields = { at, bookmaker: BOOKS[source], line: step.line };
    if (step.kind === 'close') return [closeWire(seq, event, fields)];
    return [quoteWire(seq, event, { ...fields, prices: [step.price / 10, step.price / 10 + 1] })];
  }
}

describe('two sources in any order', () => {
  test('whatever two sources send, the slate is the union of the slates that each source makes alone', () => {
    fc.assert(
      fc.property(fc.constantFrom(0, 1, 2), fc.array(step, { maxLength: 60 }), (opened, random) => {
        // Most runs begin with both sources complete, because random steps rarely complete a snapshot.
        const steps = [...[0, 1].slice(0, 2 - Math.max(0, opened - 1)).flatMap(openingOf), ...random];
        const desk = new JoinDesk({ bookmakers: BOOKS.map((book) => [book]) });
        const model = [new ModelSource(), new ModelSource()] as const;
        const wires = new Wires();
        for (const source of [0, 1]) desk.send(source, helloWire({ epoch: 'e' }));
        const startMs = desk.nowMs;
        desk.pass(0);
        let isShown = false;
        for (const each of steps) {
          if (each.kind === 'pass') desk.pass(each.seconds * 1_000);
          else {
            desk.send(each.source, ...wires.of(each, desk.nowMs));
            model[each.source]!.hear(each, desk.nowMs);
          }
          const complete = model.filter(({ isComplete }) => isComplete).length;
          const hasWaited = each.kind === 'pass' && desk.nowMs - startMs >= 15_000;
          isShown ||= complete === 2 || (complete > 0 && hasWaited);
          if (!isShown) {
            expect(desk.slate()).toEqual({});
            continue;
          }
          desk.pass(0);
          const wanted = modelSlate(model, desk.nowMs) as Record<
            string,
            { quotes: unknown; scores: unknown[] }
          >;
          const seen = seenSlate(desk.slate()) as Record<string, { quotes: unknown; score: unknown }>;
          expect(Object.keys(seen).sort()).toEqual(Object.keys(wanted).sort());
          for (const [name, { quotes, score }] of Object.entries(seen)) {
            expect({ name, quotes }).toEqual({ name, quotes: wanted[name]!.quotes });
            const aliveFirst = scoreWanted(model, name, desk.nowMs);
            if (aliveFirst !== undefined) expect({ name, score }).toEqual({ name, score: aliveFirst });
          }
        }
      }),
      { numRuns: runs(120) },
    );
  });
});

/**
 * The score of a match, from the first source that has one, live sources first. Undefined if no source has
 * one: then the slate may still show the last known score.
 */
function scoreWanted(
  sources: readonly [ModelSource, ModelSource],
  name: string,
  nowMs: number,
): readonly [number, number] | undefined {
  const [match, , only] = name.split(' ');
  const scores = sources.flatMap(({ slate, confirmedMs }, index) => {
    const score = only === undefined || Number(only) === index ? slate.get(Number(match))?.score : undefined;
    if (score === undefined || score === null) return [];
    const isTurned = index === 1 && Number(match) === 1;
    const isAlive = nowMs - confirmedMs <= LIVE_MS;
    return [{ isAlive, score: isTurned ? ([score[1], score[0]] as const) : score }];
  });
  return (scores.find(({ isAlive }) => isAlive) ?? scores[0])?.score;
}
