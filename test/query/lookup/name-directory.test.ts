// Names of a new slate are indexed in steps. The steps are counted here, not timed: a query waits until they
// are done, and meanwhile delays no other request.

import { describe, expect, test } from 'bun:test';
import { FIXTURES_PER_STEP, NOTED_PER_STEP } from '../../../src/query/lookup/name-directory.ts';
import { ResolveQueries } from '../../../src/query/lookup/resolve-names.ts';
import type { WireMessage } from '../../feed/wire.ts';
import { fixtureWire, SlateDesk } from '../slate-desk.ts';

const FIXTURES = 200;
const KICKOFF = '2026-03-01T12:00:00Z';

function freshSlate(): SlateDesk {
  const desk = new SlateDesk();
  desk.snapshot(...Array.from({ length: FIXTURES }, (_, at): WireMessage => fixtureWire(`${at}`, KICKOFF)));
  return desk;
}

function statusOf(desk: SlateDesk, query: string): string {
  return new ResolveQueries(desk.slate, desk.names).event({ query }, desk.nowMs).status;
}

/** The highest number of fixtures that one step noted and indexed, and the number of steps. */
function stepThrough({ names, nowMs }: SlateDesk): { noted: number; indexed: number; steps: number } {
  const most = { noted: 0, indexed: 0, steps: 0 };
  for (let isDone = false; !isDone; most.steps++) {
    const before = names.progress;
    isDone = names.step(nowMs);
    most.noted = Math.max(most.noted, names.progress.noted - before.noted);
    most.indexed = Math.max(most.indexed, names.progress.indexed - before.indexed);
  }
  return most;
}

/** The lowest number of fixtures that one step adds to the lists of a slate that is new to them. */
const NEW_VIEWS_PER_STEP = 8;

describe('NameDirectory', () => {
  test('no step notes or indexes more fixtures than its limit, and all are indexed in the end', () => {
    const desk = freshSlate();
    const { noted, indexed, steps } = stepThrough(desk);
    expect([noted, indexed]).toEqual([NOTED_PER_STEP, FIXTURES_PER_STEP]);
    expect(steps).toBeLessThanOrEqual(
      2 + FIXTURES / FIXTURES_PER_STEP + FIXTURES / NOTED_PER_STEP + FIXTURES / NEW_VIEWS_PER_STEP,
    );
    expect(desk.names.progress).toEqual({ indexed: FIXTURES, noted: FIXTURES });
    expect(statusOf(desk, 'Home of 7')).toBe('matched');
  });

  test('a request that waits for a new slate lets other work run between steps, and then finds everything', async () => {
    const desk = freshSlate();
    const waits = desk.names.whenIndexed(desk.nowMs);
    expect(desk.names.whenIndexed(desk.nowMs)).toBe(waits);
    let most = 0;
    let last = desk.names.progress.indexed;
    let isOver = false;
    void waits?.then(() => {
      isOver = true;
    });
    let turns = 0;
    for (; !isOver; turns++) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      most = Math.max(most, desk.names.progress.indexed - last);
      last = desk.names.progress.indexed;
    }
    expect(most).toBeLessThanOrEqual(FIXTURES_PER_STEP);
    expect(turns).toBeGreaterThanOrEqual(FIXTURES / FIXTURES_PER_STEP);
    expect(desk.names.whenIndexed(desk.nowMs)).toBeNull();
    expect(statusOf(desk, `Home of ${FIXTURES - 1}`)).toBe('matched');
  });

  test('once the slate is indexed, a query makes only one step of a larger change', async () => {
    const desk = freshSlate();
    stepThrough(desk);
    desk.send(...Array.from({ length: 20 }, (_, at) => fixtureWire(`new${at}`, KICKOFF)));
    desk.names.fixtures(desk.nowMs);
    expect(desk.names.progress.indexed).toBe(FIXTURES + FIXTURES_PER_STEP);
    await desk.names.whenIndexed(desk.nowMs);
    expect(desk.names.progress.indexed).toBe(FIXTURES + 20);
  });

  test('a query does not wait if there is no slate', () => {
    const desk = new SlateDesk();
    expect(desk.names.whenIndexed(desk.nowMs)).toBeNull();
  });
});
