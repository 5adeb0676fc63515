// Runs axe-core in a page of a test.

import type { Page } from 'playwright-core';

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

export const WCAG_RULES: readonly string[] = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const RULES: readonly string[] = [...WCAG_RULES, 'best-practice'];
/**
 * The rules whose findings depend on colours. A page that was checked in one scheme needs only these in the
 * other.
 */
export const COLOUR_RULES: readonly string[] = ['color-contrast', 'link-in-text-block'];

/** Without these options axe also describes every element that passes a rule, which nobody reads. */
const ONLY_VIOLATIONS = { resultTypes: ['violations'], selectors: false };

let script: Promise<string> | null = null;

/** What axe finds against WCAG 2.2 AA and good practice. @param rules identifiers or tags of axe's rules */
export async function findings(page: Page, rules = RULES): Promise<string[]> {
  script ??= Bun.file(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir)).text();
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(`${await script}; 0`);
  const { violations } = (await page.evaluate(
    `axe.run(document, ${JSON.stringify({ runOnly: rules, ...ONLY_VIOLATIONS })})`,
  )) as {
    readonly violations: readonly Finding[];
  };
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}
