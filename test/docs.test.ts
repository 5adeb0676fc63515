// Checks the documents against the repository: generated parts are up to date, every link and every path
// leads somewhere, and comments cite only documents that exist.

import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { breakingText, contractChanges } from '../scripts/contract/files.ts';
import { GENERATED, served, written } from '../scripts/generated.ts';
import { REJECT_REASONS } from '../src/domain/reject-reasons.ts';
import { parseMessage } from '../src/feed/parse-message.ts';
import { commentsOf } from './support/import-rules.ts';
import {
  anchorsOf,
  citationsOf,
  codePathsOf,
  linksOf,
  recipeRowsOf,
  type Target,
} from './support/markdown.ts';
import { useTestProgram } from './support/test-program.ts';

useTestProgram();

const ROOT = new URL('../', import.meta.url).pathname;
const PAGES = filesOf('{README,CONTRIBUTING,CHANGELOG,SECURITY,CODE_OF_CONDUCT,ROADMAP}.md').concat(
  filesOf('{docs,clients,examples}/**/*.md'),
);

function filesOf(pattern: string): string[] {
  return [...new Bun.Glob(pattern).scanSync(ROOT)].sort();
}

function textOf(path: string): Promise<string> {
  return Bun.file(ROOT + path).text();
}

/** Why a target named in `from` leads nowhere, or null. @param base the folder that its path starts from */
async function problemOf(target: Target, from: string, base: string): Promise<string | null> {
  const path = target.path === '' ? from : normalize(join(base, target.path));
  if (!existsSync(ROOT + path)) return `${from}: there is no ${path}`;
  if (target.anchor === null) return null;
  return anchorsOf(await textOf(path)).has(target.anchor)
    ? null
    : `${from}: ${path} has no #${target.anchor}`;
}

async function problemsOf(targets: readonly Target[], from: string, base: string): Promise<string[]> {
  const problems = await Promise.all(targets.map((target) => problemOf(target, from, base)));
  return problems.filter((problem) => problem !== null);
}

describe('generated parts', () => {
  test.each([...GENERATED])(
    '$path, $name: is up to date; `bun run docs` writes it',
    async (document) => {
      expect(await textOf(document.path)).toBe(await written(document));
    },
    120_000,
  ); // A server is started, because parts of clients/ are made from its answers.
});

test('the served API agrees with the contract on file, except for changes that the changelog announces', async () => {
  const { forbidden, additive } = await contractChanges(await served());
  if (additive.length > 0) {
    console.info(`Not on file yet; \`bun run docs contract\` writes it:\n${additive.join('\n')}`);
  }
  expect(forbidden, breakingText(forbidden)).toEqual([]);
}, 120_000);

describe('documents', () => {
  test('every relative link leads to a file, and to a heading if the link has an anchor', async () => {
    const problems: string[] = [];
    let count = 0;
    for (const page of PAGES) {
      const links = linksOf(await textOf(page));
      count += links.length;
      problems.push(...(await problemsOf(links, page, dirname(page))));
    }
    expect(problems).toEqual([]);
    expect(count).toBeGreaterThan(10);
  });

  test('every path of this repository that a document has in backticks exists', async () => {
    const missing: string[] = [];
    for (const page of PAGES) {
      const paths = codePathsOf(await textOf(page));
      missing.push(...paths.filter((path) => !existsSync(ROOT + path)).map((path) => `${page}: ${path}`));
    }
    expect(missing).toEqual([]);
  });

  test('the names in a row of a table of files to change are in one of the files of that row', async () => {
    const gone: string[] = [];
    let count = 0;
    for (const { files, names } of recipeRowsOf(await textOf('CONTRIBUTING.md'))) {
      const texts = await Promise.all(files.map(textOf));
      count += names.length;
      gone.push(
        ...names
          .filter((name) => !texts.some((text) => new RegExp(`\\b${name}\\b`).test(text)))
          .map((name) => `${files[0]}: ${name}`),
      );
    }
    expect(gone).toEqual([]);
    expect(count).toBeGreaterThan(8);
  });

  test('every `bun run` names a script of package.json', async () => {
    const { scripts } = await Bun.file(`${ROOT}package.json`).json();
    const unknown: string[] = [];
    for (const page of PAGES) {
      const names = [...(await textOf(page)).matchAll(/\bbun run (?:--\S+ )*([a-z][\w:-]*)/g)];
      unknown.push(
        ...names.filter(([, name]) => !(name! in scripts)).map(([command]) => `${page}: ${command}`),
      );
    }
    expect(unknown).toEqual([]);
  });
});

describe('docs/reference/feed-protocol.md', () => {
  test('the page of the feed protocol explains every reason for a refusal', async () => {
    const page = await textOf('docs/reference/feed-protocol.md');
    expect(REJECT_REASONS.filter((reason) => !page.includes(`\`${reason}\``))).toEqual([]);
  });

  test('the page of the feed protocol names every type of message and every field that the validator reads', async () => {
    const page = await textOf('docs/reference/feed-protocol.md');
    const validator = await textOf('src/feed/parse-message.ts');
    const fields = [...validator.matchAll(/\bwire\.(\w+)/g)].map((match) => match[1]!);
    const types = [...validator.matchAll(/^ {2}\['(\w+)', /gm)].map((match) => match[1]!);
    expect(Math.min(fields.length, types.length)).toBeGreaterThan(8);
    expect([...fields, ...types].filter((word) => !page.includes(`\`${word}\``))).toEqual([]);
  });

  test('the page of the feed protocol shows a recording whose every line is valid', async () => {
    const page = await textOf('docs/reference/feed-protocol.md');
    const lines = page.split('\n').filter((line) => line.startsWith('{"type"'));
    expect(lines.length).toBeGreaterThan(3);
    for (const line of lines)
      expect(parseMessage(JSON.parse(line))).toMatchObject({ type: expect.any(String) });
  });
});

describe('comments', () => {
  test('comments cite only existing documents of this repository, and only headings that these have', async () => {
    const problems: string[] = [];
    let count = 0;
    for (const path of filesOf('{src,test,bench,scripts}/**/*.{ts,tsx}')) {
      const citations = citationsOf(commentsOf(await textOf(path)));
      count += citations.length;
      problems.push(...(await problemsOf(citations, path, '')));
    }
    expect(problems).toEqual([]);
    expect(count).toBeGreaterThan(5);
  });

  test('comments name only source files that exist', async () => {
    const paths = filesOf('{src,test,bench,scripts,clients,examples}/**/*.{ts,tsx}');
    const known = new Set(paths.map((path) => basename(path)));
    const missing: string[] = [];
    for (const path of paths) {
      const named = commentsOf(await textOf(path)).match(/\b[\w-]+(?:\.[\w-]+)*\.tsx?\b/g) ?? [];
      missing.push(...named.filter((name) => !known.has(name)).map((name) => `${path}: ${name}`));
    }
    expect(missing).toEqual([]);
  });
});

describe('the checks themselves', () => {
  test('the checks read links, anchors, paths and citations', () => {
    const page = [
      '# Two *words*, `code`',
      '## Again',
      '## Again',
      '[a](docs/a.md) [b](#again-1) [c](https://example.com/d.md) `[e](f.md)`',
      '`src/a.ts` `src/<room>/b.ts` `docs/`',
      '```\n# no heading\n[no](link.md) `src/none.ts`\n```',
    ].join('\n');
    expect(linksOf(page)).toEqual([
      { path: 'docs/a.md', anchor: null },
      { path: '', anchor: 'again-1' },
    ]);
    expect([...anchorsOf(page)]).toEqual(['two-words-code', 'again', 'again-1']);
    expect(codePathsOf(page)).toEqual(['src/a.ts', 'docs/']);
    const comments = commentsOf("// see docs/a.md#b, and c.md.\nconst text = 'not d.md'; /* or e/f.md */");
    expect(citationsOf(comments)).toEqual([
      { path: 'docs/a.md', anchor: 'b' },
      { path: 'c.md', anchor: null },
      { path: 'e/f.md', anchor: null },
    ]);
  });

  test('the checks report a missing file and a missing heading', async () => {
    const targets = [
      { path: 'nowhere.md', anchor: null },
      { path: 'README.md', anchor: 'no-such-heading' },
    ];
    expect(await problemsOf(targets, 'README.md', '.')).toEqual([
      'README.md: there is no nowhere.md',
      'README.md: README.md has no #no-such-heading',
    ]);
  });
});
