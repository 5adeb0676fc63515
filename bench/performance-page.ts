// docs/internals/performance.md: each bench writes its own section, between two markers.

import { join } from 'node:path';

export const INTERNALS = join(import.meta.dir, '../docs/internals');
const PAGE = join(INTERNALS, 'performance.md');

/** Replaces one section of the page. @throws Error if the page lacks the markers of that section */
export async function writePart(command: string, text: string): Promise<void> {
  const page = await Bun.file(PAGE).text();
  const begin = `<!-- written by bun run ${command} --write -->\n`;
  const end = `<!-- end of ${command} -->`;
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`Cannot write ${PAGE}: it has no markers of ${command}`);
  await Bun.write(PAGE, `${page.slice(0, from + begin.length)}\n${text.trim()}\n\n${page.slice(to)}`);
}
