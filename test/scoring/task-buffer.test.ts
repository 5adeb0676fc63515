import { describe, expect, test } from 'bun:test';
import { REFERENCE_SHARP } from '../../src/domain/reference.ts';
import { allConfirmedAt } from '../../src/domain/signal-gate.ts';
import { createScoreBuffers } from '../../src/scoring/hit-rows.ts';
import { type KindCriteria, NO_KINDS } from '../../src/scoring/kinds/kind-criteria.ts';
import { createKindBuffers } from '../../src/scoring/kinds/score-kinds.ts';
import {
  attachTaskBuffer,
  createTaskBuffer,
  isDone,
  postTask,
  scoreTask,
  type TaskBuffer,
  takeScores,
} from '../../src/scoring/task-buffer.ts';
import type { SlateReader } from '../../src/store/reader.ts';
import { slateOf } from './slate.ts';
import { BEFORE_KICKOFF } from './usual-criteria.ts';

const CRITERIA = {
  marketMask: 7,
  periodMask: 3,
  bookmakerMask: 0b0011_0001,
  seesSharp: true,
  reference: REFERENCE_SHARP,
  minEdge: 0.01,
  maxEdge: 0.1,
  minMargin: 0.02,
  maxMargin: 0.3,
  maxAgeMs: 1_000,
};

/** The quotes have time 1 and the kickoff is at 0, so a time before kickoff is negative. */
const MOMENT = { ...BEFORE_KICKOFF, confirmedAtMs: allConfirmedAt(-61_000) };

function slateOfTwo() {
  const quotes = [0, 4].map((bookmaker) => ({
    market: 1,
    period: 0,
    lineQuarters: -2,
    bookmaker,
    pricesE4: bookmaker === 0 ? [21_000, 18_000] : [19_000, 19_900],
    status: 0,
  }));
  return slateOf([
    { eventNumber: 2 ** 52 - 1, sport: 0, quotes },
    { eventNumber: 8, sport: 0, quotes: quotes.slice(1) },
  ]);
}

/** A task without hits for these slots and events. */
function taskOf(slots: number[], eventNumbers: number[], criteria = CRITERIA) {
  return { criteria, moment: MOMENT, slots, eventNumbers, wantsHits: false };
}

function scoreHere(reader: SlateReader, taskBuffer: TaskBuffer): void {
  const { quotesPerFixture } = reader;
  scoreTask(reader, taskBuffer, createScoreBuffers(quotesPerFixture), createKindBuffers(quotesPerFixture));
}

describe('scoreTask', () => {
  test('carries a task and its scores through shared memory, including event numbers of 52 bits', () => {
    const { reader } = slateOfTwo();
    const buffer = createTaskBuffer(3);
    const [pool, worker] = [attachTaskBuffer(buffer), attachTaskBuffer(buffer)];
    const task = postTask(pool, taskOf([1, 0], [8, 2 ** 52 - 1]));
    expect(isDone(pool, task)).toBe(false);
    scoreHere(reader, worker);
    expect(isDone(pool, task)).toBe(true);
    const [plain, hit] = takeScores(pool);
    expect(plain).toMatchObject({
      eventNumber: 8,
      bookCount: 1,
      valueCount: 0,
      bestValue: null,
      bestArb: null,
    });
    expect(hit).toMatchObject({
      eventNumber: 2 ** 52 - 1,
      bookCount: 2,
      fairLineCount: 1,
      valueCount: 1,
      bestValue: { market: 1, period: 0, lineQuarters: -2, outcome: 0, bookmaker: 0, priceE4: 21_000 },
      arbCount: 1,
      bestArb: {
        lineQuarters: -2,
        legs: [
          { bookmaker: 0, priceE4: 21_000, atMs: 1 },
          { bookmaker: 4, priceE4: 19_900, atMs: 1 },
        ],
      },
    });
    // Each kind has its own bounds: only those of value include 7.4 %, only those of arbitrage include 2.2 %.
    const swapped = { ...CRITERIA, minEdge: 0.08, maxEdge: 0.3, minMargin: 0.01, maxMargin: 0.021 };
    postTask(pool, taskOf([0], [2 ** 52 - 1], swapped));
    scoreHere(reader, worker);
    expect(takeScores(pool)).toMatchObject([
      { valueCount: 0, droppedValueCount: 0, arbCount: 0, droppedArbCount: 1 },
    ]);
    // Bookmaker 0 alone gives no arbitrage. The sharp bookmaker, 4, is still the reference for value.
    const criteria = { ...CRITERIA, bookmakerMask: 1 };
    postTask(pool, taskOf([0], [2 ** 52 - 1], criteria));
    scoreHere(reader, worker);
    expect(takeScores(pool)).toMatchObject([{ bookCount: 1, fairLineCount: 1, valueCount: 1, arbCount: 0 }]);
  });

  test('with middles, a score waits for the heartbeat of every stale bookmaker, even of one that is not searched', () => {
    const { reader } = slateOfTwo();
    const taskBuffer = attachTaskBuffer(createTaskBuffer(1));
    const { moment, ...task } = taskOf([0], [2 ** 52 - 1], { ...CRITERIA, bookmakerMask: 1 });
    const confirmedAtMs = Float64Array.from(allConfirmedAt(moment.nowMs));
    confirmedAtMs[5] = moment.nowMs - moment.windows.prematchMs - 1;
    function awaitedWith(kinds: KindCriteria): number {
      const criteria = { ...task.criteria, kinds };
      postTask(taskBuffer, { ...task, criteria, moment: { ...moment, confirmedAtMs }, wantsHits: true });
      scoreHere(reader, taskBuffer);
      return takeScores(taskBuffer)[0]!.awaitedMask;
    }
    expect(awaitedWith(NO_KINDS)).toBe(0);
    expect(awaitedWith({ ...NO_KINDS, middle: { minExpected: 0.01, maxExpected: 0.3 } })).toBe(1 << 5);
  });

  test('has no score for a slot that is empty or that now belongs to another event', () => {
    const { reader, writer } = slateOfTwo();
    const buffer = createTaskBuffer(3);
    const taskBuffer = attachTaskBuffer(buffer);
    writer.removeFixture(1);
    writer.publish(0);
    postTask(taskBuffer, taskOf([0, 1], [9, 8]));
    scoreHere(reader, taskBuffer);
    expect(takeScores(taskBuffer)).toEqual([null, null]);
  });

  test('refuses a second task before the first is done, a task that does not fit, and a buffer of another kind', () => {
    const taskBuffer = attachTaskBuffer(createTaskBuffer(1));
    const tooLarge = taskOf([0, 1], [1, 2]);
    expect(() => postTask(taskBuffer, tooLarge)).toThrow('fits its buffer');
    postTask(taskBuffer, taskOf([0], [1]));
    expect(() => postTask(taskBuffer, taskOf([0], [1]))).toThrow('one task at a time');
    expect(() => attachTaskBuffer(new SharedArrayBuffer(64))).toThrow('magic');
  });
});
