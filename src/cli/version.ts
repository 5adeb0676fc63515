// `overround version`: this release, and what it runs on.

import { SCHEMA_VERSION } from '../database-schema.ts';
import { VERSION } from '../version.ts';
import type { Command } from './command.ts';

export const versionCommand: Command = {
  name: 'version',
  summary: 'Prints the version, that of Bun and of the database; --version prints the first alone',
  run: async ({ writeOutput }) => {
    writeOutput(
      `overround ${VERSION}, Bun ${Bun.version}, ${process.platform} ${process.arch}, schema version ${SCHEMA_VERSION}`,
    );
    return 0;
  },
};
