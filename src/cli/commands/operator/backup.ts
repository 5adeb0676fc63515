// `overround backup` and `overround restore`: copy the SQLite file of a data folder, even while a server runs
// on it, and put a copy into a new folder. Both report on standard error what they copied.

import { ACCOUNTS_SCHEMA, KEYS_SCHEMA } from '../../../accounts/schema.ts';
import { loadConfig } from '../../../settings/config.ts';
import { backUp, type CopyReport, restore } from '../../../storage/database-copy.ts';
import { type Command, type CommandInput, FOLDER_FLAG, settingsOf } from '../../command.ts';

const SCHEMAS = [ACCOUNTS_SCHEMA, KEYS_SCHEMA];

export const backupCommands: readonly Command[] = [
  {
    name: 'backup',
    summary:
      'Copies the database (accounts, keys, alert rules, openings, results, signals) into a new file, even while the server runs',
    arguments: ['file'],
    flags: FOLDER_FLAG,
    run: async (input) => {
      refusePostgres(input, 'pg_dump backs it up');
      const report = backUp(dataDirOf(input), input.arguments.file!, SCHEMAS);
      input.writeError(`Backed up into ${reportText(report)}`);
      return 0;
    },
  },
  {
    name: 'restore',
    summary: 'Puts a backup into an empty data folder',
    arguments: ['file'],
    flags: FOLDER_FLAG,
    run: async (input) => {
      refusePostgres(input, 'pg_restore restores it');
      const report = restore(input.arguments.file!, dataDirOf(input), SCHEMAS);
      input.writeError(`Restored ${reportText(report)}`);
      return 0;
    },
  },
];

/**
 * With DATABASE_URL all data is in Postgres, so a backup of the file would look complete but hold nothing.
 */
function refusePostgres(input: CommandInput, instead: string): void {
  if (loadConfig(settingsOf(input)).databaseUrl === null) return;
  throw new Error(
    `Cannot continue: DATABASE_URL is set, so all stored data is in Postgres, and ${instead}; unset DATABASE_URL to use the file of DATA_DIR`,
  );
}

function dataDirOf(input: CommandInput): string {
  return loadConfig(settingsOf(input)).dataDir;
}

function reportText({ path, bytes, rows }: CopyReport): string {
  const counts = Object.entries(rows).filter(([, count]) => count > 0);
  return `${path}, ${bytes} bytes, checked: ${counts.map(([table, count]) => `${table} ${count}`).join(', ')}`;
}
