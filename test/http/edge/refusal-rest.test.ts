import { expect, test } from 'bun:test';
import { RefusalRest } from '../../../src/http/edge/refusal-rest.ts';

const refusal = () => new Response('{}', { status: 429 });

test('refusals beyond three hundred a second wait; answers do not, and with the next second they are sent at once again', async () => {
  let nowMs = 5_000;
  const waiting: (() => void)[] = [];
  const rest = new RefusalRest(
    { monotonicMs: () => nowMs },
    () => new Promise((resolve) => waiting.push(resolve)),
  );
  for (let count = 0; count < 300; count++) expect(rest.after(refusal())).toBeInstanceOf(Response);
  const late = rest.after(refusal());
  expect(late).toBeInstanceOf(Promise);
  const alsoLate = rest.after(Promise.resolve(refusal()));
  const served = new Response('{}');
  expect(rest.after(served)).toBe(served);
  expect(rest.after(undefined)).toBeUndefined();
  await Promise.resolve();
  expect(waiting.length).toBe(2);
  for (const end of waiting.splice(0)) end();
  expect([(await late)!.status, (await alsoLate)!.status]).toEqual([429, 429]);
  nowMs += 1_000;
  expect(rest.after(refusal())).toBeInstanceOf(Response);
});

test('at most two thousand wait: the next are sent at once', () => {
  const rest = new RefusalRest({ monotonicMs: () => 0 }, () => new Promise(() => {}));
  const answers = Array.from({ length: 2_310 }, () => rest.after(refusal()));
  expect(answers.filter((answer) => answer instanceof Promise).length).toBe(2_000);
});
