// Runs the queries of docs/guide/history.md in DuckDB, under Node, because DuckDB's package crashes Bun. The
// working directory has the folder `history`. Reads the queries as a JSON list from standard input, and
// prints how many rows each has, or its error.

import { DuckDBInstance } from '@duckdb/node-api';

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const connection = await (await DuckDBInstance.create(':memory:')).connect();
const found = [];
for (const query of JSON.parse(Buffer.concat(chunks).toString())) {
  try {
    const reader = await connection.runAndReadAll(query);
    found.push({ rows: reader.currentRowCount, first: reader.getRowsJson()[0] ?? null });
  } catch (error) {
    found.push({ error: error.message, query });
  }
}
console.log(JSON.stringify(found));
