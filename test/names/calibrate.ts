// Fits confidence to strength: `bun run names calibrate 2026-11-21` asks every class of query of the
// development half of the club names and writes src/names/data/calibration.txt. Isotonic regression by
// pooling adjacent violators (Ayer et al. 1955): it gives the increasing steps that are nearest to the shares
// of right answers. A club that is not on the slate has no right answer.

import { writeFileSync } from 'node:fs';
import { assert } from '../../src/errors.ts';
import type { Evidence } from '../../src/names/resolution.ts';
import { type Answer, ask, clubSets, DEVELOPMENT } from './accuracy.ts';

/** A step needs at least this many answers. */
const STEP_ANSWERS_MIN = 40;

interface Block {
  readonly strength: number;
  answers: number;
  right: number;
}

/** Steps from the lowest strength to the highest; each has a higher confidence than the one before. */
function fit(answers: readonly { strength: number; isRight: boolean }[]): Block[] {
  const blocks: Block[] = [];
  const sorted = answers.toSorted((left, right) => left.strength - right.strength);
  for (const { strength, isRight } of sorted) {
    const last = blocks.at(-1);
    const isSame = last !== undefined && (last.strength === strength || last.answers < STEP_ANSWERS_MIN);
    if (!isSame) blocks.push({ strength, answers: 0, right: 0 });
    const block = blocks.at(-1)!;
    block.answers++;
    block.right += Number(isRight);
  }
  const steps: Block[] = [];
  for (const block of blocks) {
    let step = block;
    for (let last = steps.at(-1); last !== undefined; last = steps.at(-1)) {
      if (
        last.answers >= STEP_ANSWERS_MIN &&
        step.answers >= STEP_ANSWERS_MIN &&
        shareOf(last) < shareOf(step)
      )
        break;
      steps.pop();
      step = {
        strength: last.strength,
        answers: last.answers + step.answers,
        right: last.right + step.right,
      };
    }
    steps.push(step);
  }
  return steps;
}

/** Counts one wrong answer more than there is, so that no step claims to be always right. */
function shareOf({ answers, right }: Block): number {
  return right / (answers + 1);
}

function toFit(answers: readonly Answer[], evidence: Evidence): { strength: number; isRight: boolean }[] {
  return answers
    .filter((answer) => !answer.kind.includes('nothing skipped') && answer.evidence === evidence)
    .map(({ kind, strength, isBestRight }) => {
      return { strength: Math.round(strength * 20) / 20, isRight: isBestRight && !kind.startsWith('absent') };
    });
}

function write(date: string): void {
  const clubs = clubSets().get(DEVELOPMENT);
  assert(clubs !== undefined, 'the list of club names is not there');
  const answers = ask(DEVELOPMENT, clubs);
  const lines = [
    '# Confidence by strength: from each strength up, the share of right answers, as fitted to so many answers by',
    `# \`bun run names calibrate\` on ${date}. Not to be edited by hand.`,
  ];
  for (const evidence of ['alone', 'sole', 'pair'] as const) {
    lines.push(`[${evidence}]`);
    for (const step of fit(toFit(answers, evidence)))
      lines.push(`${step.strength.toFixed(2)} ${shareOf(step).toFixed(4)} ${step.right} of ${step.answers}`);
  }
  const path = new URL('../../src/names/data/calibration.txt', import.meta.url);
  writeFileSync(path, `${lines.join('\n')}\n`);
  console.log(lines.join('\n'));
}

if (import.meta.main) {
  const [date] = process.argv.slice(2);
  assert(
    /^\d{4}-\d\d-\d\d$/.test(date ?? ''),
    'name the date of the fit: bun run names calibrate 2026-11-21',
  );
  write(date!);
}
