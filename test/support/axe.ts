// Runs axe-core in a page of a test.

import type { Page } from 'playwright-core';

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

export const WCAG_RULES: readonly string[] = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const RULES: readonly string[] = [...WCAG_RULES, 'best-practice'];
/**
 * The rules whose findings depend on colours. If a page was checked in one colour scheme, only these need a
 * check in the other scheme.
 */
export const COLOUR_RULES: readonly string[] = ['color-contrast', 'link-in-text-block'];

/** Without these options, axe also describes every element that passes a rule, and nobody reads that. */
const ONLY_VIOLATIONS = { resultTypes: ['violations'], selectors: false };

let script: Promise<string> | null = null;

/**
 * The violations of WCAG 2.2 AA and of good practice that axe finds.
 * @param rules identifiers or tags of axe's rules
 */
export async function findings(page: Page, rules = RULES): Promise<string[]> {
  script ??= Bun.file(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir)).text();
  if ((await page.evaluate('typeof axe')) === 'undefined') {
    // page.evaluate would copy the script, which is long, three times more.
    const protocol = await page.context().newCDPSession(page);
    await protocol.send('Runtime.evaluate', { expression: await script });
    await protocol.detach();
  }
  const { violations } = (await page.evaluate(
    `axe.run(document, ${JSON.stringify({ runOnly: rules, ...ONLY_VIOLATIONS })})`,
  )) as {
    readonly violations: readonly Finding[];
  };
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}
