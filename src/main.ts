#!/usr/bin/env bun
// The one command line, `overround <command>`: see src/cli/.

import { runCommandLine } from './cli/run.ts';
import { systemClock } from './clock.ts';
import { environmentWith } from './config.ts';
import { writeStandardError } from './log.ts';

process.exit(
  await runCommandLine(Bun.argv.slice(2), {
    environment: environmentWith({}),
    clock: systemClock,
    writeOutput: (line) => console.log(line),
    writeError: writeStandardError,
  }),
);
