import { SqliteCountStore } from '../../src/access/counts/count-store.ts';
import { defineCountStoreSuite } from './count-store-suite.ts';
import { AccessBench } from './support.ts';

defineCountStoreSuite('SQLite', async () => {
  const bench = new AccessBench();
  return {
    keys: bench.keys,
    open: async () => new SqliteCountStore(bench.database, bench.directory),
    requestsOf: async (keyNumber) =>
      bench.database
        .query<{ requests: number }, [number]>(
          'SELECT requests FROM key_usage_days WHERE key_number = ? ORDER BY day',
        )
        .all(keyNumber)
        .map(({ requests }) => requests),
    settle: async () => {},
    [Symbol.asyncDispose]: async () => bench[Symbol.dispose](),
  };
});
