// Comments, names of tests, documents and the texts of errors with their advice are plain English
// (CONTRIBUTING.md): without the idioms below, and with comment lines of at most 110 characters.

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { Glob } from 'bun';
import { commentsOf, errorTextsOf } from './support/import-rules.ts';

const ROOT = join(import.meta.dir, '..');
const COMMENT_WIDTH_MAX = 110;

/** Words that a reader has to parse twice, and what to write instead. */
const IDIOMS: readonly { readonly pattern: RegExp; readonly instead: string }[] = [
  { pattern: /\b(?:tells?|told|telling)\b/i, instead: 'notify, report, show, say which' },
  { pattern: /\banew\b/i, instead: 'again' },
  { pattern: /(?<!there )\b(?:is|are|was|were) none\b/i, instead: 'is not one, there is no' },
  { pattern: /(?:^|[.;:!?] |\/\*\* |\/\/ |\* )Of (?!course\b)\w/m, instead: 'a sentence with a subject' },
  { pattern: /\bwho(?:ever|m)\b/i, instead: 'the client, the reader, the operator, the thread' },
  { pattern: /\b(?:for|to|of|by|with|from|at) who\b/i, instead: 'name the thing: the client, the reader' },
  {
    pattern: /(?:^|[.;:!?] |\/\*\* |\/\/ |\* )(?:What comes|That which|For who|Who )\b/m,
    instead: 'name the subject',
  },
  { pattern: /\ball the same\b/i, instead: 'still' },
  { pattern: /\bby (?:him|them)selves?\b|\bby himself\b/i, instead: 'alone' },
  { pattern: /\blet in\b|\blets in\b/i, instead: 'accept, admit' },
  {
    pattern: /\b(?:a|one|the|next|last|first|each) look\b|\blooks (?:at|whether|for)\b/i,
    instead: 'check, read, search',
  },
  { pattern: /\bcollectors? of garbage\b/i, instead: 'garbage collector' },
  {
    pattern: /(?:^|[.;] |\/\*\* |\/\/ |\* )(?:Full|Longer|More|Reached|Omitted|Absent|Empty): /m,
    instead: 'a sentence: When it is full, ...',
  },
  {
    pattern: /(?:\/\*\* |\/\/ |\* )By (?!default|this time)[a-z`]+(?: [a-z`]+){0,4}[:,] /,
    instead: 'the thing before its key',
  },
  { pattern: /\bSince when\b/, instead: 'the time from which on' },
];

test('comments, names of tests, documents and errors have no idiom, and no comment line is too wide', async () => {
  const folders = ['src', 'test', 'bench', 'scripts', 'docs', 'clients', 'examples', 'ops', 'skills'];
  const paths = [
    ...folders.flatMap((folder) =>
      [...new Glob('**/*.{ts,tsx,md}').scanSync({ cwd: join(ROOT, folder) })].map(
        (path) => `${folder}/${path}`,
      ),
    ),
    ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'ROADMAP.md'],
  ].filter((path) => !/node_modules|\/dist\/|test\/plain-english|\/typescript\/src\/schema/.test(path));
  const found: string[] = [];
  for (const path of paths.sort()) found.push(...findingsOf(path, await Bun.file(join(ROOT, path)).text()));
  expect(found).toEqual([]);
});

function findingsOf(path: string, text: string): string[] {
  const prose = path.endsWith('.md') ? withoutCode(text) : proseOf(path, text);
  const idioms = IDIOMS.flatMap(({ pattern, instead }) => {
    const match = pattern.exec(prose);
    if (match === null) return [];
    const around = prose.slice(Math.max(0, match.index - 30), match.index + 50).replaceAll(/\s+/g, ' ');
    return [`${path}: "${around}"; instead: ${instead}`];
  });
  if (path.endsWith('.md')) return idioms;
  const wide = text
    .split('\n')
    .flatMap((line, index) =>
      line.length > COMMENT_WIDTH_MAX && /^\s*(?:\/\/|\/\*|\*)/.test(line) && !/https?:\/\/\S{60}/.test(line)
        ? [`${path}:${index + 1}: a comment line of ${line.length} characters`]
        : [],
    );
  return [...idioms, ...wide];
}

/** The comments of a source file and, in tests, their names; in src/, the texts of errors. */
function proseOf(path: string, text: string): string {
  return `${commentsOf(text)}\n${path.startsWith('src/') ? errorTextsOf(text) : testNamesOf(text)}`;
}

/** Markdown without code blocks and inline code. */
function withoutCode(text: string): string {
  return text.replaceAll(/```[\s\S]*?```/g, '').replaceAll(/`[^`\n]*`/g, '');
}

/** The names of tests and groups of tests in a source file, one per line. */
function testNamesOf(text: string): string {
  const calls = text.matchAll(
    /\b(?:test|describe)(?:\.\w+)*(?:\([^'"`()]*\))?\(\s*(['"`])((?:\\.|(?!\1).)*)\1/g,
  );
  return [...calls].map((call) => call[2]!).join('\n');
}
