// Whatever is damaged in the folder, answers about the past stay the same, or say that they are not certain.

import { expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { encodeId } from '../../../src/domain/ids.ts';
import { LocalFolder } from '../../../src/history/files/local-folder.ts';
import { TapeReader } from '../../../src/history/past/tape-reader.ts';
import type { Gap, Tick } from '../../../src/history/tick.ts';
import { runs } from '../../support/runs.ts';
import { applyDamage, contentOf, type Damage, damage, type Effect, effectsOf } from '../damage.ts';
import { asModel, KEYS, listedText, type StuckAt, TapeWorld } from '../tape-world.ts';

test('wherever a file is damaged, the answer about an instant is the same as before or unknown, even after the file was set aside', async () => {
  let unknown = 0;
  await fc.assert(
    fc.asyncProperty(damage, fc.integer({ min: 3, max: 9 }), async ({ file, at, isCut }, rounds) => {
      await using world = new TapeWorld({ liveTicksMax: 2 });
      await world.startWith(1, 2, 3);
      const instants: number[] = [];
      const moves: Promise<void>[] = [];
      for (let round = 0; round < rounds; round++) {
        for (const event of [1, 2, 3]) world.putQuote(event, KEYS[round % 3]!, 10_100 + round);
        world.publish();
        instants.push(world.nowMs);
        await world.tape.sealed();
      }
      const before = await world.standingsAt(instants);
      const { files } = await world.taped();
      const path = join(world.path, files[file % files.length]!);
      const bytes = readFileSync(path);
      const from = Math.floor(bytes.length * at);
      writeFileSync(
        path,
        isCut ? bytes.subarray(0, from) : bytes.fill(0xa5, from, Math.min(bytes.length, from + 40)),
      );
      const tape = new TapeReader({
        ...{ folder: new LocalFolder(world.path), source: world.tape, monotonicMs: () => 0 },
        onBroken: (broken, error) => void moves.push(world.tape.setAside(broken, error)),
      });
      for (let turn = 0; turn < 2; turn++) {
        for (const [index, instant] of instants.entries()) {
          const slate = [...(await tape.slateAt(instant, 'all')).fixtures()];
          const isKnown = await tape.time.isKnownAt(instant, 'all');
          if (!isKnown) unknown++;
          if (!isKnown && turn > 0) expect(tape.time.gapAt(instant, 'all')).not.toBeNull();
          if (isKnown) expect(world.textsOf(slate)).toEqual(before[index]!);
        }
        await Promise.all(moves);
      }
      tape.close();
    }),
    { numRuns: 20, endOnFailure: true },
  );
  expect(unknown).toBeGreaterThan(0);
});

const EVENTS = [1, 2, 3];

/** How the tape was written before the damage. */
interface Written {
  readonly rounds: number;
  readonly isRestarted: boolean;
  readonly stuckAt: StuckAt | null;
  /** Whether some batches are published in the same millisecond as the one before. */
  readonly isDense: boolean;
}

/** @returns when something was published */
async function write(
  world: TapeWorld,
  { rounds, isRestarted, stuckAt, isDense }: Written,
): Promise<number[]> {
  const instants: number[] = [];
  const step = async (round: number): Promise<void> => {
    if (round % 4 === 1) world.remove(1);
    else if (round % 4 === 3) world.putFixture(1);
    world.setLive(2, true, { goals: round });
    if (isDense && round % 2 === 1) world.nowMs--; // publishes twice in a millisecond
    for (const event of EVENTS) world.putQuote(event, KEYS[round % 3]!, 10_100 + round);
    world.publish();
    instants.push(world.nowMs);
    await world.atRest();
  };
  world.stuckAt = stuckAt;
  await world.startWith(...EVENTS);
  for (let round = 0; round < rounds; round++) await step(round);
  if (isRestarted) {
    await world.killed(0); // this leaves a gap on record
    for (const event of EVENTS) world.putFixture(event);
    world.feedIsBack();
    for (let round = 0; round < 3; round++) await step(round);
  }
  world.stuckAt = null;
  return instants;
}

/** What a tape answers about some instants. */
async function answersOf(world: TapeWorld, instants: readonly number[]) {
  const untilMs = world.nowMs;
  return {
    untilMs,
    instants,
    standing: await world.standingsAt(instants),
    listed: await world.listedAtAll(instants),
    ticks: await world.reading((tape) => ticksUntil(tape, untilMs)),
    isKnown: instants.map((instant) => !isIn(world.tape.gaps(), instant)),
  };
}

/** Checks that each answer is the same as before, or that its instant lies in a gap. */
async function expectSameOrGap(
  world: TapeWorld,
  tape: TapeReader,
  before: Awaited<ReturnType<typeof answersOf>>,
): Promise<void> {
  for (const [index, instant] of before.instants.entries()) {
    const slate = [...(await tape.slateAt(instant, 'all')).fixtures()];
    if (!(await tape.time.isKnownAt(instant, 'all'))) {
      expect(tape.time.gapAt(instant, 'all')).not.toBeNull();
      continue;
    }
    expect(before.isKnown[index]).toBe(true);
    expect(world.textsOf(slate)).toEqual(before.standing[index]!);
    expect(slate.map(listedText).sort()).toEqual([...before.listed[index]!]);
    for (const past of slate) {
      expect(await tape.fixtureAt(past.fixture.eventId, instant, 'all')).toEqual(past);
    }
  }
  const known = (tick: Tick): boolean => !isIn(tape.time.gaps('all'), tick.receivedAtMs);
  const ticks = await ticksUntil(tape, before.untilMs);
  expect(textsOf(ticks.filter(known))).toEqual(textsOf(before.ticks.filter(known)));
}

/** What each example is there for. */
type Purpose = Effect | 'both lists of gaps damaged';

const LATER: Omit<Written, 'rounds'> = { isRestarted: false, stuckAt: 'file', isDense: false };
const EXAMPLES: [Damage[], Written, Purpose][] = [
  [[{ log: 0, chunk: -1, isCut: true }], { ...LATER, rounds: 5 }, 'lost when the next begins'],
  [[{ log: 0, chunk: -1, isCut: true }], { ...LATER, rounds: 9 }, 'end lost'],
  [[{ log: 1, chunk: 0, isCut: true }], { ...LATER, rounds: 8, stuckAt: 'log removal' }, 'empty in between'],
  [
    [{ log: 0, chunk: -1, isCut: false }],
    { ...LATER, rounds: 3, isRestarted: true, isDense: true },
    'lost of a kept millisecond',
  ],
  [
    ['gaps', 'gaps-copy'].map((name) => ({ name: `${name}.parquet`, at: 0.5, isCut: false })),
    { ...LATER, rounds: 3, isRestarted: true, stuckAt: null },
    'both lists of gaps damaged',
  ],
];

test('whatever is damaged while the server is stopped, an instant has the same answer afterwards, or lies in a gap', async () => {
  const kinds = new Set<string>();
  const reached = new Set<Purpose>();
  const damages: fc.Arbitrary<Damage[]> = fc.array(damage, { minLength: 1, maxLength: 2 });
  const written: fc.Arbitrary<Written> = fc.record({
    rounds: fc.integer({ min: 2, max: 9 }),
    isRestarted: fc.boolean(),
    stuckAt: fc.constantFrom<(StuckAt | null)[]>(null, 'file', 'log removal'),
    isDense: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(damages, written, fc.constant<Purpose | null>(null), async (drawn, how, purpose) => {
      await using world = new TapeWorld({ liveTicksMax: 4 });
      const before = await answersOf(world, await write(world, how));
      const effects = new Set<Purpose>();
      await world.killed(0, () => {
        const content = contentOf(world.path);
        const paths = new Set(drawn.map((one) => applyDamage(world.path, one)));
        for (const path of paths) kinds.add(path.split(/[/.]/)[0]!);
        for (const effect of effectsOf(content, contentOf(world.path))) effects.add(effect);
        if (paths.has('gaps.parquet') && paths.has('gaps-copy.parquet')) {
          effects.add('both lists of gaps damaged');
        }
      });
      if (purpose !== null && effects.has(purpose)) reached.add(purpose);
      for (const event of EVENTS) world.putFixture(event);
      world.feedIsBack();
      const moves: Promise<void>[] = [];
      const after = new TapeReader({
        ...{ folder: new LocalFolder(world.path), source: world.tape, monotonicMs: () => 0 },
        onBroken: (broken, error) => void moves.push(world.tape.setAside(broken, error)),
      });
      for (let turn = 0; turn < 2; turn++) {
        // Reading finds what is broken.
        for (const instant of before.instants) await after.slateAt(instant, 'all');
        await ticksUntil(after, before.untilMs);
        await Promise.all(moves);
        await expectSameOrGap(world, after, before);
        await world.tape.sealed();
      }
      after.close();
    }),
    { numRuns: runs(40), examples: EXAMPLES, endOnFailure: true },
  );
  expect(EXAMPLES.flatMap(([, , purpose]) => (reached.has(purpose) ? [] : purpose))).toEqual([]);
  expect([...kinds].sort()).toEqual(['gaps', 'gaps-copy', 'log', 'prices']);
});

/** The ticks of every fixture that were published up to an instant. */
async function ticksUntil(tape: TapeReader, toMs: number): Promise<readonly Tick[]> {
  const range = { fromMs: 0, toMs: toMs + 1 };
  const found = [1, 2, 3].map((event) => tape.ticksOf(encodeId('event', event), range, { sight: 'all' }));
  return (await Promise.all(found)).flat();
}

/** Ticks as sorted texts, because the order within a millisecond is not kept. */
function textsOf(ticks: readonly Tick[]): readonly string[] {
  return ticks.map(asModel).sort();
}

function isIn(gaps: readonly Gap[], atMs: number): boolean {
  return gaps.some(({ fromMs, toMs }) => fromMs <= atMs && (toMs === null || atMs < toMs));
}
