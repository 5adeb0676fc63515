import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { ArchiveReader } from '../../src/archive/archive-reader.ts';
import { ArchiveWriter } from '../../src/archive/archive-writer.ts';
import { IdentityStore, JoinedIdentities } from '../../src/archive/joined-identities.ts';
import { copyOpenings } from '../../src/archive/opening-copy.ts';
import { alignOpenings, ROSTER_SCHEMA } from '../../src/archive/roster-alignment.ts';
import { ARCHIVE_SCHEMA } from '../../src/archive/tables.ts';
import { clockOf } from '../../src/clock.ts';
import { ARCHIVE_ROWS_MAX } from '../../src/limits.ts';
import { postgresSql } from '../../src/storage/postgres-sql.ts';
import { sqliteSql } from '../../src/storage/sqlite-sql.ts';
import { until } from '../support/condition.ts';
import { describePostgres, emptyTables } from '../support/postgres-tables.ts';
import { NOW_MS, openingOf, resultOf } from './archive-fixture.ts';
import { defineArchiveSuite } from './archive-suite.ts';

describePostgres((postgres) => {
  async function openWriter(errors: unknown[] = []): Promise<ArchiveWriter> {
    const options = { clock: clockOf(NOW_MS), onError: (error: unknown) => void errors.push(error) };
    const sql = postgresSql(postgres.pool);
    return new ArchiveWriter({ database: await copyOpenings(sql, options), postgres: sql, ...options });
  }

  defineArchiveSuite(
    'Postgres',
    async () => {
      await emptyTables(postgres.pool);
      const errors: unknown[] = [];
      return {
        openWriter: () => openWriter(errors),
        reader: new ArchiveReader(postgresSql(postgres.pool)),
        [Symbol.asyncDispose]: async () => expect(errors).toEqual([]),
      };
    },
    { openings: 8, results: 8 },
  );

  test('openings of a finished match are not loaded at the start', async () => {
    await emptyTables(postgres.pool);
    const writer = await openWriter();
    for (const eventNumber of [1, 2, 3]) writer.recordOpening(eventNumber, openingOf(1));
    writer.recordResult(resultOf(1));
    writer.recordResult(resultOf(2, { source: 'inferred' }));
    await writer.flush();
    const later = await openWriter();
    expect([1, 2, 3].map((eventNumber) => later.openingsOf(eventNumber).length)).toEqual([0, 1, 1]);
  });

  test('the start retries loading openings when Postgres fails, so that later prices are not shown as openings', async () => {
    await emptyTables(postgres.pool);
    const former = await openWriter();
    former.recordOpening(1, openingOf(1));
    await former.flush();
    const locked = Promise.withResolvers<void>();
    const free = Promise.withResolvers<void>();
    const holding = postgres.pool.transaction(async (sql) => {
      await sql.run('LOCK TABLE openings IN ACCESS EXCLUSIVE MODE');
      locked.resolve();
      await free.promise;
    }, 120_000);
    await locked.promise;
    const errors: unknown[] = [];
    const opening = openWriter(errors);
    await until('it was not answered', () => errors.length > 0);
    free.resolve();
    await holding;
    expect((await opening).openingsOf(1)).toHaveLength(1);
  });

  test('rows that an outage delays are written after it; a stored opening is not replaced; a full queue refuses rows and counts them', async () => {
    await emptyTables(postgres.pool);
    const errors: unknown[] = [];
    const writer = await openWriter(errors);
    const other = await openWriter(errors);
    other.recordOpening(7, openingOf(1, 15_000));
    await other.flush();
    await postgres.server.kill();
    writer.recordOpening(7, openingOf(1, 16_000));
    writer.recordOpening(7, openingOf(2));
    writer.recordResult(resultOf(7));
    await writer.flush();
    expect(errors).toHaveLength(1);
    expect(writer.openingsOf(7)).toHaveLength(2);
    for (let key = 3; writer.pendingCount < ARCHIVE_ROWS_MAX; key++) writer.recordOpening(8, openingOf(key));
    expect(errors).toHaveLength(1);
    writer.recordOpening(9, openingOf(1));
    expect(errors).toHaveLength(2);
    await postgres.server.resume();
    await until('all is written', async () => {
      await writer.flush();
      return writer.pendingCount === 0;
    });
    expect(await new ArchiveReader(postgresSql(postgres.pool)).result(7)).toEqual(resultOf(7));
    const kept = await postgres.pool.rows(
      'SELECT quote_key, price_a_e4 FROM openings WHERE event_number = 7 ORDER BY 1',
    );
    expect(kept).toEqual([
      { quote_key: 1, price_a_e4: 15_000 },
      { quote_key: 2, price_a_e4: 19_000 },
    ]);
    expect(await postgres.pool.rows('SELECT count(*) AS rows FROM openings')).toEqual([
      { rows: ARCHIVE_ROWS_MAX - 1 },
    ]);
  });

  test('openings follow a change of roster in Postgres as in a file', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `book${index}`);
    const rosters = fc.array(fc.shuffledSubarray(names, { minLength: 1, maxLength: 32 }), {
      ...{ minLength: 2, maxLength: 3 },
    });
    await fc.assert(
      fc.asyncProperty(rosters, async (running) => {
        await emptyTables(postgres.pool);
        using file = new Database(':memory:');
        file.run(ARCHIVE_SCHEMA);
        file.run(ROSTER_SCHEMA);
        for (const roster of running) {
          const keys = { roster, unnamed: names.slice(0, 7) };
          await alignOpenings(sqliteSql(file), keys);
          await alignOpenings(postgresSql(postgres.pool), keys);
          for (const place of roster.keys()) {
            const row = [1, 320 + place, 10_000 + place, 0, 0, null, 0];
            file.run(
              'INSERT OR IGNORE INTO openings (event_number, quote_key, price_a_e4, price_b_e4, price_c_e4, opened_at_ms, upstream) VALUES (?, ?, ?, ?, ?, ?, ?)',
              row,
            );
            await postgres.pool.run(
              'INSERT INTO openings (event_number, quote_key, price_a_e4, price_b_e4, price_c_e4, opened_at_ms, upstream) VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING',
              row,
            );
          }
        }
        const select = 'SELECT quote_key, price_a_e4 FROM openings ORDER BY quote_key, price_a_e4';
        expect(await postgres.pool.rows<unknown>(select)).toEqual(file.query(select).all());
      }),
      { numRuns: 4 },
    );
  });

  test('the leader writes identities of fixtures; a standby reads them and writes none', async () => {
    await emptyTables(postgres.pool);
    const leading = { first: true, second: false };
    const firstStore = new IdentityStore(postgresSql(postgres.pool), () => leading.first);
    const secondStore = new IdentityStore(postgresSql(postgres.pool), () => leading.second);
    const errors: unknown[] = [];
    const first = new JoinedIdentities(firstStore, (error) => errors.push(error));
    const second = new JoinedIdentities(secondStore, (error) => errors.push(error));
    const team = { key: 't', name: 'Team' };
    const kept = (event: string) => ({
      teams: 'a|b',
      identity: { event, sport: 0, league: team, home: team, away: team },
      isTurned: event === 'e2',
    });
    first.set('feed|1', kept('e1'));
    first.set('feed|2', kept('e2'));
    second.set('feed|1', kept('other'));
    await first.flush(NOW_MS);
    await second.flush(NOW_MS);
    expect(errors).toHaveLength(1);
    second.adopt(await secondStore.read());
    expect(second.get('feed|1')).toEqual(kept('e1'));
    expect(second.get('feed|2')).toEqual(kept('e2'));
    leading.second = true;
    second.set('feed|2', kept('e3'));
    second.delete('feed|1');
    await second.flush(NOW_MS + 1);
    expect(errors).toHaveLength(1);
    const third = new JoinedIdentities();
    third.adopt(await new IdentityStore(postgresSql(postgres.pool), () => false).read());
    expect(third.get('feed|2')).toEqual(kept('e3'));
    expect(third.get('feed|1')).toBeNull();
  });
});
