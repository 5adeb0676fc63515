// The SQL interface over a pool of Postgres connections. Rows have no checksums of ours here, because
// Postgres keeps a checksum of each page.

import type { PostgresPool } from './postgres.ts';
import type { GivenRows, SealedChange, SealedSql, SealedTable, Sql, SqlDatabase, SqlValues } from './sql.ts';

export function postgresSql(pool: PostgresPool): SqlDatabase {
  return {
    ...sealedSql(pool),
    transaction: (work, deadlineMs) => pool.transaction((sql) => work(sealedSql(sql)), deadlineMs),
  };
}

function sealedSql(sql: Sql): SealedSql {
  return {
    rows: (statement, parameters) => sql.rows(statement, parameters),
    run: (statement, parameters) => sql.run(statement, parameters),
    insertAll: (table, given, onConflict) => insertAll(sql, table, given, onConflict),
    runGiven: (statement, given) => runGiven(sql, statement, given),
    insert: (table, values) => insert(sql, table, values),
    update: (table, change) => update(sql, table, change),
    find: async <Row>(
      table: SealedTable,
      { column, value, isLocked = false }: { column: string; value: string; isLocked?: boolean },
    ) => {
      const lock = isLocked ? 'FOR NO KEY UPDATE' : '';
      const [row] = await sql.rows<Row>(`SELECT * FROM ${table} WHERE ${column} = $1 ${lock}`, [value]);
      return row ?? null;
    },
    list: (_table, statement, parameters) => sql.rows(statement, parameters),
    lock: async (name) => {
      await sql.rows('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
    },
    deferReferences: async () => {
      await sql.run('SET CONSTRAINTS ALL DEFERRED');
    },
  };
}

/** Inserts all rows with one statement, because each statement is a round trip. */
async function insertAll(sql: Sql, table: string, given: GivenRows, onConflict: string): Promise<void> {
  if (given.rows.length === 0) return;
  const names = Object.keys(given.columns).join(', ');
  await runGiven(
    sql,
    `INSERT INTO ${table} (${names}) SELECT ${names} FROM given ORDER BY row_order ON CONFLICT ${onConflict}`,
    given,
  );
}

/** With `row_order`, rows can be inserted and locked in the order of the caller. */
function runGiven(sql: Sql, statement: string, { columns, rows }: GivenRows): Promise<number> {
  const values = Object.entries(columns).map(
    ([name, type], index) => `(entry ->> ${index})::${type} AS ${name}`,
  );
  return sql.run(
    `WITH given AS (
       SELECT ${values.join(', ')}, row_order
       FROM json_array_elements($1::text::json) WITH ORDINALITY AS entries(entry, row_order))
     ${statement}`,
    [JSON.stringify(rows)],
  );
}

async function insert<Row>(sql: Sql, table: SealedTable, values: SqlValues): Promise<Row | null> {
  const columns = Object.keys(values);
  const [row] = await sql.rows<Row>(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((_, index) => `$${index + 1}`).join(', ')})
     ON CONFLICT DO NOTHING RETURNING *`,
    Object.values(values),
  );
  return row ?? null;
}

function update<Row>(sql: Sql, table: SealedTable, change: SealedChange): Promise<Row[]> {
  const { where, parameters, set } = change;
  const assignments = Object.keys(set).map(
    (column, index) => `${column} = $${parameters.length + index + 1}`,
  );
  return sql.rows<Row>(`UPDATE ${table} SET ${assignments.join(', ')} WHERE ${where} RETURNING *`, [
    ...parameters,
    ...Object.values(set),
  ]);
}
