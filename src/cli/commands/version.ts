// `overround version`: prints this release and what it runs on.

import { SCHEMA_VERSION } from '../../storage/database-schema.ts';
import { VERSION } from '../../version.ts';
import type { Command } from '../command.ts';

export const versionCommand: Command = {
  name: 'version',
  summary: 'Prints the versions of Overround, Bun and the database schema; --version prints only the first',
  run: async ({ writeOutput }) => {
    writeOutput(
      `overround ${VERSION}, Bun ${Bun.version}, ${process.platform} ${process.arch}, schema version ${SCHEMA_VERSION}`,
    );
    return 0;
  },
};
