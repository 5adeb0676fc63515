// Handicap settlement by brute force over scores: each half of the stake is settled separately and compared
// with the predicates, which are evaluated from their text, and with the sentence.

import { describe, expect, test } from 'bun:test';
import {
  explainHandicap,
  lineFromQuarters,
  quartersFromLine,
  type WinConditions,
} from '../../src/domain/handicap.ts';
import { ValidationError } from '../../src/errors.ts';

type Outcome = keyof WinConditions;
const OUTCOMES: readonly Outcome[] = ['full_win', 'half_win', 'push', 'half_loss', 'full_loss'];
const ALL_QUARTERS = Array.from({ length: 801 }, (_, index) => index - 400);

/** The result of a stake on home, computed by settling half of it on each component. */
function settle(components: readonly number[], homeGoals: number, awayGoals: number): Outcome {
  const halves = components.length === 1 ? [components[0]!, components[0]!] : components;
  const total = halves.reduce((sum, line) => sum + Math.sign(homeGoals - awayGoals + line), 0);
  return OUTCOMES[2 - total]!;
}

function holds(predicate: string | null, a: number): boolean {
  if (predicate === null) return false;
  const match = /^a (>|==|<) (-?\d+(?:\.\d+)?)$/.exec(predicate);
  if (match === null) throw new Error(`cannot read ${predicate}`);
  const bound = Number(match[2]);
  return match[1] === '>' ? a > bound : match[1] === '<' ? a < bound : a === bound;
}

/** Parses the sentence, and returns the result that it promises for a goal difference. */
function promised(sentence: string, difference: number): Outcome {
  const won = /: wins if home (.*?), (?:otherwise|gives|wins half|loses half)/.exec(sentence)![1]!;
  const byOrMore = /^wins by (\d+) or more$/.exec(won);
  const noMore = /^wins, draws or loses by no more than (\d+)$/.exec(won);
  const least = byOrMore
    ? Number(byOrMore[1])
    : noMore
      ? -Number(noMore[1])
      : won === 'wins'
        ? 1
        : won === 'wins or draws'
          ? 0
          : Number.NaN;
  if (difference >= least) return 'full_win';
  const middle =
    /(gives the stake back|wins half|loses half) on (a draw|a home win by exactly (\d+)|a home defeat by exactly (\d+))/.exec(
      sentence,
    );
  if (middle) {
    const at = middle[3] !== undefined ? Number(middle[3]) : middle[4] !== undefined ? -Number(middle[4]) : 0;
    const kinds = {
      'gives the stake back': 'push',
      'wins half': 'half_win',
      'loses half': 'half_loss',
    } as const;
    if (difference === at) return kinds[middle[1] as keyof typeof kinds];
  }
  return 'full_loss';
}

describe('explainHandicap', () => {
  test('predicates, components and sentence agree with settling each half, for every line and score', () => {
    for (const quarters of ALL_QUARTERS) {
      const line = quarters / 4;
      const explained = explainHandicap(line);
      const used = new Set<Outcome>();
      // Differences around the line, and all small scores.
      for (let home = 0; home <= 8; home++) {
        for (let away = 0; away <= 8; away++) {
          for (const shift of [0, -Math.round(line)]) {
            const expected = settle(explained.handicap_components, home + shift, away);
            const a = home + shift - away + line;
            used.add(expected);
            const held = OUTCOMES.filter((outcome) => holds(explained.win_conditions[outcome], a));
            if (held.length !== 1 || held[0] !== expected)
              throw new Error(`${line} at a = ${a}: ${held}, not ${expected}`);
            expect(promised(explained.explanation, home + shift - away)).toBe(expected);
          }
        }
      }
      // A predicate that can never be true must be null.
      for (const outcome of OUTCOMES)
        expect(explained.win_conditions[outcome] !== null).toBe(used.has(outcome));
    }
  });

  test('agrees with the examples of the decisions page', () => {
    expect(explainHandicap(-0.5).handicap_components).toEqual([-0.5]);
    expect(explainHandicap(-0.75)).toMatchObject({
      handicap_raw: '-0.75',
      handicap_decimal: -0.75,
      handicap_components: [-0.5, -1],
      win_conditions: {
        full_win: 'a > 0.25',
        half_win: 'a == 0.25',
        push: null,
        half_loss: null,
        full_loss: 'a < 0',
      },
    });
    expect(explainHandicap(0.25).handicap_components).toEqual([0, 0.5]);
    expect(explainHandicap(-0.25).win_conditions).toEqual({
      full_win: 'a > 0',
      half_win: null,
      push: null,
      half_loss: 'a == -0.25',
      full_loss: 'a < -0.25',
    });
    expect(explainHandicap(1.5).handicap_raw).toBe('1.5');
    expect(explainHandicap(-100).handicap_components).toEqual([-100]);
  });

  test('-0 never appears', () => {
    for (const line of [-0, 0, -0.25, 0.25]) {
      const explained = explainHandicap(line);
      for (const value of [explained.handicap_decimal, ...explained.handicap_components]) {
        expect(Object.is(value, -0)).toBe(false);
      }
      expect(explained.explanation).not.toContain('-0 ');
    }
    expect(explainHandicap(-0).handicap_raw).toBe('0');
  });

  test('a line off the grid or beyond 100 is 422 at body.line', () => {
    for (const line of [0.1, 0.3, -0.7, 100.25, -101, 1e308, Number.NaN, Infinity]) {
      try {
        explainHandicap(line);
        throw new Error(`${line} was accepted`);
      } catch (error) {
        expect(error).toBeInstanceOf(ValidationError);
        expect((error as ValidationError).detail[0]!.loc).toEqual(['body', 'line']);
      }
    }
  });
});

describe('quartersFromLine', () => {
  test('inverts lineFromQuarters and refuses the rest', () => {
    for (const quarters of ALL_QUARTERS) expect(quartersFromLine(lineFromQuarters(quarters))).toBe(quarters);
    for (const line of [0.2, 100.25, Number.NaN, -Infinity]) expect(quartersFromLine(line)).toBeNull();
    expect(quartersFromLine(230.5, 2_000)).toBe(922);
    expect(Object.is(quartersFromLine(-0), 0)).toBe(true);
    expect(Object.is(lineFromQuarters(-0), 0)).toBe(true);
  });
});
