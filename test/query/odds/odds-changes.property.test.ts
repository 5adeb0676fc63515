// A client that polls for changes since a cursor, whenever it does, ends up with what the full answer
// contains. The random feeds include everything that a feed may do, ingest workers that die, and time that
// passes.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { OddsChanges } from '../../../src/contract/stream/odds-changes.ts';
import type { OddsViewWords } from '../../../src/query/odds/odds-view.ts';
import { closeWire, eventWire, quoteWire, wireTime } from '../../feed/wire.ts';
import { misfitOf } from '../../support/shape.ts';
import { type Answer, Mirror, Scene, type Step, step, VIEWS } from '../changes-scene.ts';

const BOOKMAKERS = ['crown', 'sbobet', 'pinnacle'];
const at = (second: number) => wireTime(Date.UTC(2026, 2, 1, 12, 0, second));

const steps = fc.array(step, { minLength: 30, maxLength: 200, size: 'max' });

describe('changes of a view since a cursor', () => {
  test('changes since a cursor turn the content of a mirror into the full answer, whatever happened between two polls', async () => {
    const reached = { deltas: 0, full: 0, replaced: 0, removed: 0, quotes: 0, states: 0, empty: 0 };
    await fc.assert(
      fc.asyncProperty(steps, async (steps) => {
        const scene = new Scene();
        const mirrors = VIEWS.map(({ words, seesSharp }) => ({
          view: scene.view(words, seesSharp),
          mirror: new Mirror(),
        }));
        for (const step of [...steps, ...mirrors.map((_, mirror): Step => ({ kind: 'poll', mirror }))]) {
          if (step.kind !== 'poll') {
            scene.apply(step);
            continue;
          }
          const { view, mirror } = mirrors[step.mirror % mirrors.length]!;
          const answer = JSON.parse(await scene.text(view, mirror.cursor)) as Answer;
          expectSound(answer, mirror);
          mirror.take(answer);
          const full = JSON.parse(await scene.text(view, null)) as Answer;
          expect(full).toMatchObject({ full: true, cursor: answer.cursor, as_of: answer.as_of });
          const fresh = new Mirror();
          fresh.take(full);
          expect(mirror.content()).toEqual(fresh.content());
          count(reached, answer);
        }
      }),
      { numRuns: 150 },
    );
    for (const [what, times] of Object.entries(reached)) {
      expect(`${what} ${times > 5 ? 'often' : times}`).toBe(`${what} often`);
    }
  });

  test('changes since a cursor are the same to the byte for a view without the sharp bookmaker, whether or not that bookmaker moves', async () => {
    let answers = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (steps) => {
        const scenes = [new Scene(true), new Scene(false)] as const;
        const cursors: (string | null)[] = VIEWS.map(() => null);
        for (const step of steps) {
          if (step.kind !== 'poll') {
            for (const scene of scenes) scene.apply(withoutSharpStatus(step));
            continue;
          }
          const place = step.mirror % VIEWS.length;
          const { words } = VIEWS[place]!;
          if (words.bookmakers?.includes('pinnacle') === true) continue;
          const [left, right] = await Promise.all(
            scenes.map((scene) => scene.text(scene.view(words, false), cursors[place]!)),
          );
          expect(left).toBe(right!);
          cursors[place] = (JSON.parse(left!) as Answer).cursor;
          answers++;
        }
      }),
      { numRuns: 150 },
    );
    expect(answers).toBeGreaterThan(500);
  });
});

describe('a withdrawn line', () => {
  const words = fc.record(
    {
      bookmakers: fc.uniqueArray(fc.constantFrom(...BOOKMAKERS), { minLength: 1 }),
      markets: fc.uniqueArray(fc.constantFrom('asian_handicap', 'totals'), { minLength: 1 }),
      period: fc.constantFrom('full_time', 'half_time'),
    },
    { requiredKeys: [] },
  );
  const line = fc.record({
    bookmaker: fc.constantFrom(...BOOKMAKERS),
    market_type: fc.constantFrom('asian_handicap', 'totals'),
    period: fc.constantFrom('full_time', 'half_time'),
    line: fc.constantFrom(0.5, 1.25),
  });
  const lines = fc.uniqueArray(line, { selector: (line) => Object.values(line).join(), minLength: 1 });

  test('a withdrawn line causes the whole list of its fixture to be sent to the views that showed the line, and to no others', async () => {
    await fc.assert(
      fc.asyncProperty(lines, fc.nat(), words, async (lines, nth, words) => {
        const scene = new Scene();
        const quotes = lines.map((line) => quoteWire(0, 'e1', { ...line, at: at(0), prices: [1.8, 1.9] }));
        scene.apply({ kind: 'snapshot', wires: [eventWire(0, 'e1', { at: at(0) }), ...quotes] });
        const view = scene.view(words as OddsViewWords, true);
        const { cursor } = JSON.parse(await scene.text(view, null)) as Answer;
        const gone = lines[nth % lines.length]!;
        const wire = closeWire(0, 'e1', { ...gone, at: at(1) });
        scene.apply({ kind: 'message', wire });
        scene.apply({ kind: 'publish' });
        const { fixtures } = JSON.parse(await scene.text(view, cursor)) as Answer;
        const shown = lines.filter(
          ({ bookmaker, market_type, period }) =>
            (words.bookmakers?.includes(bookmaker) ?? true) &&
            (words.markets?.includes(market_type) ?? true) &&
            (words.period ?? period) === period,
        );
        const expected = shown.includes(gone) ? [[true, shown.length - 1]] : [];
        expect(fixtures.map(({ replace, odds }) => [replace, odds.length])).toEqual(expected);
      }),
    );
  });
});

/** What must be true of every answer. */
function expectSound(answer: Answer, mirror: Mirror): void {
  expect(misfitOf(OddsChanges, answer)).toBeNull();
  const ids = answer.fixtures.map(({ event_id }) => event_id);
  expect(new Set([...ids, ...answer.removed]).size).toBe(ids.length + answer.removed.length);
  if (answer.full) expect(answer.removed).toEqual([]);
  if (answer.cursor === mirror.cursor) expect([ids, answer.removed]).toEqual([[], []]);
  for (const { event_id, event, state, replace } of answer.fixtures) {
    if (answer.full || !mirror.fixtures.has(event_id)) {
      expect([event?.id, state === null, replace]).toEqual([event_id, false, true]);
    }
  }
}

function count(reached: Record<string, number>, { full, fixtures, removed }: Answer): void {
  if (full) {
    reached.full!++;
    return;
  }
  reached.deltas!++;
  if (fixtures.length === 0 && removed.length === 0) reached.empty!++;
  reached.removed! += removed.length;
  for (const { event, state, replace, odds } of fixtures) {
    if (replace && event === null) reached.replaced!++;
    if (state !== null) reached.states!++;
    if (!replace) reached.quotes! += odds.length;
  }
}

/**
 * A match whose clock has stopped is over once no quote is open, including those of the sharp bookmaker
 * (docs/reference/decisions.md#match-status). That is the only effect of the sharp bookmaker that everybody
 * sees.
 */
function withoutSharpStatus<Kind extends Exclude<Step, { kind: 'poll' }>>(step: Kind): Kind {
  if (step.kind !== 'message' || step.wire.type !== 'state') return step;
  return { ...step, wire: { ...step.wire, clock: step.wire.clock === '2h 50' ? '1h 40' : step.wire.clock } };
}
