// Runs series-check.ts in a separate process, because it needs another roster.

import { childEnvironment } from '../support/child-environment.ts';

/** The folder of the real series, beside the project. */
export const SERIES = new URL('../../../shared/data/series', import.meta.url).pathname;
const CHECK = new URL('./series-check.ts', import.meta.url).pathname;

/**
 * @param root the folder of the history; if it is empty, the series is imported
 * @returns the report of series-check.ts
 */
export async function checkedSeries(name: string, root: string): Promise<Record<string, unknown>> {
  const child = Bun.spawn([process.execPath, CHECK, name, SERIES, root], {
    env: childEnvironment(),
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(errors);
  return JSON.parse(output) as Record<string, unknown>;
}
