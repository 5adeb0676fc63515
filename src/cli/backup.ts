// `overround backup` and `overround restore`: the SQLite file of a data folder, copied while a server runs on it, and put
// into a new folder. Both write what they copied to standard error.

import { ACCOUNTS_SCHEMA, KEYS_SCHEMA } from '../accounts/schema.ts';
import { loadConfig } from '../config.ts';
import { backUp, type CopyReport, restore } from '../database-copy.ts';
import { type Command, type CommandInput, SETTING_FLAGS, settingsOf } from './command.ts';

const SCHEMAS = [ACCOUNTS_SCHEMA, KEYS_SCHEMA];
const FLAGS = {
  'data-dir': SETTING_FLAGS['data-dir'],
};

export const backupCommands: readonly Command[] = [
  {
    name: 'backup',
    summary: 'Copies accounts, keys, counts, openings and results into a new file, while the server runs',
    arguments: ['file'],
    flags: FLAGS,
    run: async (input) => {
      refusePostgres(input, 'pg_dump backs it up');
      const report = backUp(dataDirOf(input), input.arguments.file!, SCHEMAS);
      input.writeError(`Backed up into ${said(report)}`);
      return 0;
    },
  },
  {
    name: 'restore',
    summary: 'Puts a backup into an empty data folder',
    arguments: ['file'],
    flags: FLAGS,
    run: async (input) => {
      refusePostgres(input, 'pg_restore restores it');
      const report = restore(input.arguments.file!, dataDirOf(input), SCHEMAS);
      input.writeError(`Restored ${said(report)}`);
      return 0;
    },
  },
];

/** With DATABASE_URL all of it is in Postgres: a backup of the file would look like one of everything. */
function refusePostgres(input: CommandInput, instead: string): void {
  if (loadConfig(settingsOf(input)).databaseUrl === null) return;
  throw new Error(
    `Cannot go on: DATABASE_URL is set, so everything that lasts is in Postgres, and ${instead}; take DATABASE_URL away for the file of DATA_DIR`,
  );
}

function dataDirOf(input: CommandInput): string {
  return loadConfig(settingsOf(input)).dataDir;
}

function said({ path, bytes, rows }: CopyReport): string {
  const counts = Object.entries(rows).filter(([, count]) => count > 0);
  return `${path}, ${bytes} bytes, checked: ${counts.map(([table, count]) => `${table} ${count}`).join(', ')}`;
}
