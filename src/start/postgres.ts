// What the service has in Postgres when DATABASE_URL is set.

import { DAILY_COUNTS_SCHEMA } from '../access/daily-counts.ts';
import { ACCOUNTS_SCHEMA, KEY_CHANGES_POSTGRES, KEY_TABLES } from '../accounts/schema.ts';
import { JOINED_IDENTITIES_SCHEMA } from '../archive/joined-identities.ts';
import { ROSTER_SCHEMA } from '../archive/roster-alignment.ts';
import { ARCHIVE_SCHEMA } from '../archive/tables.ts';
import type { PostgresSchema } from '../postgres-schema.ts';

/** All tables, in the order that references ask for. */
export const POSTGRES_SCHEMA: PostgresSchema = {
  tables: [
    KEY_TABLES,
    ACCOUNTS_SCHEMA,
    DAILY_COUNTS_SCHEMA,
    ARCHIVE_SCHEMA,
    JOINED_IDENTITIES_SCHEMA,
    ROSTER_SCHEMA,
  ],
  extras: [KEY_CHANGES_POSTGRES],
};
