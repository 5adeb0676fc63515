// Runs axe-core in a page of a test.

import type { Page } from 'playwright-core';

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

const RULES = JSON.stringify(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']);

let script: Promise<string> | null = null;

/** The violations of WCAG 2.2 AA that axe finds. */
export async function findings(page: Page): Promise<string[]> {
  script ??= Bun.file(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir)).text();
  const { violations } = (await page.evaluate(
    `${await script}; axe.run(document, { runOnly: ${RULES} })`,
  )) as {
    readonly violations: readonly Finding[];
  };
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}
