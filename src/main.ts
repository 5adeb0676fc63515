#!/usr/bin/env bun
// The one command line, `overround <command>`: see src/cli/. The roster is installed first, because schemas, masks and
// pages are made from it while the other modules load.

import { systemClock } from './clock.ts';
import { environmentWith } from './config.ts';
import { writeStandardError } from './log.ts';
import { installRosterOf } from './start/roster.ts';

// Whatever a command writes is for its own user alone.
process.umask(0o077);
process.exit(await run());

async function run(): Promise<number> {
  const environment = environmentWith({});
  try {
    installRosterOf(environment);
  } catch (error) {
    writeStandardError(error instanceof Error ? error.message : String(error));
    return 1;
  }
  const { runCommandLine } = await import('./cli/run.ts');
  return await runCommandLine(Bun.argv.slice(2), {
    environment,
    clock: systemClock,
    writeOutput: (line) => console.log(line),
    writeError: writeStandardError,
  });
}
