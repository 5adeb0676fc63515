#!/usr/bin/env bun

// The entry of the command line, `overround <command>`: see src/cli/. The roster of bookmakers is installed
// first, because other modules build schemas, masks and pages from it while they load.

import { systemClock } from './clock.ts';
import { messageOf } from './errors.ts';
import { writeStandardError } from './log.ts';
import { environmentWith } from './settings/config.ts';
import { installRosterOf } from './start/roster.ts';

// Only the user who runs a command can read the files that it writes.
process.umask(0o077);
process.exit(await run());

async function run(): Promise<number> {
  const environment = environmentWith({});
  try {
    installRosterOf(environment);
  } catch (error) {
    writeStandardError(messageOf(error));
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
