// The mirrors that docs/streaming.md prints run as they are printed, against answers of a slate that changes all the time.

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import fc from 'fast-check';
import { until } from '../support/condition.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Answer, Mirror, Scene, type Step, step, VIEWS } from './changes-scene.ts';

const PAGE = new URL('../../docs/streaming.md', import.meta.url).pathname;
const ANSWERS = 4;
const STEPS_BETWEEN = 60;
const SEED = 12;

/** The code block of a language; the page has one of each. */
async function printed(language: string): Promise<string> {
  const text = await Bun.file(PAGE).text();
  const [, code] = new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(text)!;
  return code!;
}

/** What a right mirror prints after each answer. */
async function expectPrinted(command: readonly string[], language: string): Promise<void> {
  using folder = temporaryFolder();
  const path = join(folder.path, `mirror.${language}`);
  const code = await printed(language);
  expect(code.trim().split('\n').length).toBeLessThanOrEqual(16);
  await Bun.write(path, code);

  const steps = fc.sample(step, { numRuns: ANSWERS * STEPS_BETWEEN, seed: SEED });
  const scene = new Scene();
  const mirror = new Mirror();
  const expected: string[] = [];
  let fullCount = 0;
  using server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      for (const next of steps.splice(0, STEPS_BETWEEN)) apply(scene, next);
      const text = await scene.text(
        scene.view(VIEWS[0]!.words, true),
        new URL(request.url).searchParams.get('since'),
      );
      const answer = JSON.parse(text) as Answer;
      if (answer.full) fullCount++;
      mirror.take(answer);
      const quoteCount = [...mirror.fixtures.values()].reduce((sum, { odds }) => sum + odds.size, 0);
      expected.push(`${answer.cursor} ${mirror.fixtures.size} ${quoteCount}`);
      return new Response(text, { headers: { 'content-type': 'application/json' } });
    },
  });
  const child = Bun.spawn([...command, path], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, OVERROUND_URL: `http://127.0.0.1:${server.port}` },
    stdout: 'pipe',
    stderr: 'inherit',
  });
  let output = '';
  const reading = (async () => {
    for await (const chunk of child.stdout) output += new TextDecoder().decode(chunk);
  })();
  await until('the mirror has taken some answers', () => output.split('\n').length > ANSWERS);
  child.kill();
  await reading;
  const lines = output.trim().split('\n').slice(0, ANSWERS);
  expect(lines).toEqual(expected.slice(0, ANSWERS));
  expect(fullCount).toBeLessThan(ANSWERS); // it did send its cursor
}

function apply(scene: Scene, next: Step): void {
  if (next.kind !== 'poll') scene.apply(next);
}

test('the mirror in TypeScript', () => expectPrinted([process.execPath], 'ts'), 30_000);

/** Skipped on a machine without Python. */
test.skipIf(Bun.which('python3') === null)(
  'the mirror in Python',
  () => expectPrinted(['python3'], 'python'),
  30_000,
);
