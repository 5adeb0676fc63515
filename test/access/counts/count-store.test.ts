import { expect } from 'bun:test';
import { CountStore } from '../../../src/access/counts/count-store.ts';
import { sqliteSql } from '../../../src/storage/sqlite-sql.ts';
import { defineCountStoreSuite } from '../count-store-suite.ts';
import { AccessBench } from '../support.ts';

defineCountStoreSuite('SQLite', async () => {
  const bench = new AccessBench();
  const errors: unknown[] = [];
  return {
    keys: bench.keys,
    open: (today) =>
      CountStore.open({ sql: sqliteSql(bench.database), onError: (error) => errors.push(error) }, today),
    requestsOf: async (keyNumber) =>
      bench.database
        .query<{ requests: number }, [number]>(
          'SELECT requests FROM key_usage_days WHERE key_number = ? ORDER BY day',
        )
        .all(keyNumber)
        .map(({ requests }) => requests),
    settle: async (store) => {
      await store.flush();
      expect(errors).toEqual([]);
    },
    [Symbol.asyncDispose]: async () => bench[Symbol.dispose](),
  };
});
