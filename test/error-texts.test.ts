// Checks that the texts of expected errors have one form: the action, a colon, the state, and a fix that the
// reader can carry out, without a period at the end.

import { expect, test } from 'bun:test';

const SOURCE = new URL('../src/', import.meta.url).pathname;
const TEXT = String.raw`(['"\`])((?:\\.|(?!\1).)*)\1`;
const MESSAGE = new RegExp(String.raw`new ServiceError\(\s*'[a-z_]+',\s*${TEXT}`, 'gs');
const FIX = new RegExp(String.raw`\bfix:\s*${TEXT}`, 'gs');

function textsOf(source: string, pattern: RegExp): string[] {
  return [...source.matchAll(pattern)].map((match) => match[2] ?? '');
}

async function sources(): Promise<string[]> {
  const paths = [...new Bun.Glob('**/*.ts').scanSync(SOURCE)];
  return Promise.all(paths.map((path) => Bun.file(SOURCE + path).text()));
}

test('every ServiceError has the form "Cannot <action>: <state>", without a period', async () => {
  const messages = (await sources()).flatMap((source) => textsOf(source, MESSAGE));
  expect(messages.length).toBeGreaterThan(40);
  expect(messages.filter((message) => !/^Cannot [^:]+: .*[^.]$/s.test(message))).toEqual([]);
});

test('every fix is a sentence without a period', async () => {
  const fixes = (await sources()).flatMap((source) => textsOf(source, FIX));
  expect(fixes.length).toBeGreaterThan(40);
  expect(fixes.filter((fix) => !/^[A-Z$].*[^.]$/s.test(fix))).toEqual([]);
});
