// Stored openings after any number of changes of the roster, compared with a model that stores them by
// bookmaker key.

import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { alignOpenings, ROSTER_SCHEMA } from '../../src/archive/roster-alignment.ts';
import { ARCHIVE_SCHEMA, type OpeningRecord, SELECT_OPENINGS } from '../../src/archive/tables.ts';
import { sqliteSql } from '../../src/storage/sqlite-sql.ts';
import { bookmakerOfKey, packQuoteKey } from '../../src/store/quote-key.ts';

const EVENT = 7;
const NAMES = Array.from({ length: 70 }, (_, index) => `book${index}`);
const UNNAMED = NAMES.slice(0, 7);
const KNOWN_LINES = [packQuoteKey(0, 0, 0, 0), packQuoteKey(2, 1, 10, 0), packQuoteKey(1, 0, -8_000, 0)];

function openFile(): Database {
  const database = new Database(':memory:');
  database.run(ARCHIVE_SCHEMA);
  database.run(ROSTER_SCHEMA);
  return database;
}

function record(database: Database, key: number, price: number): void {
  database.run('INSERT OR IGNORE INTO openings VALUES (NULL, ?, ?, ?, 20000, 0, NULL, 0)', [
    EVENT,
    key,
    price,
  ]);
}

test('openings follow their bookmakers through changes of the roster, and return with them', async () => {
  const roster = fc.shuffledSubarray(NAMES, { minLength: 1, maxLength: 32 });
  const steps = fc.array(roster, { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(steps, async (rosters) => {
      using database = openFile();
      const model = new Map<string, number>();
      let price = 10_001;
      const recordAll = (running: readonly string[]) => {
        for (const line of KNOWN_LINES) {
          running.forEach((name, place) => {
            record(database, line | place, ++price);
            const at: string = `${line} ${name}`;
            if (!model.has(at)) model.set(at, price);
          });
        }
      };
      recordAll(UNNAMED); // as in a file of a release that had only the built-in roster
      for (const running of [...rosters, UNNAMED]) {
        await alignOpenings(sqliteSql(database), { roster: running, unnamed: UNNAMED });
        recordAll(running);
        const rows = database.query<OpeningRecord, [number]>(SELECT_OPENINGS).all(EVENT);
        const found = rows.map((row) => {
          const place = bookmakerOfKey(row.quote_key);
          return [`${row.quote_key - place} ${running[place]}`, row.price_a_e4] as const;
        });
        const expected = [...model].filter(([at]) => running.includes(at.split(' ')[1]!));
        expect(new Map<string, number>(found)).toEqual(new Map(expected));
        expect(found).toHaveLength(expected.length);
      }
    }),
    { numRuns: 60 },
  );
});

test('if the roster is unchanged, alignOpenings writes nothing', async () => {
  using database = openFile();
  await alignOpenings(sqliteSql(database), { roster: ['a', 'b'], unnamed: UNNAMED });
  const before = database.query('SELECT total_changes() AS count').get();
  await alignOpenings(sqliteSql(database), { roster: ['a', 'b'], unnamed: UNNAMED });
  expect(database.query('SELECT total_changes() AS count').get()).toEqual(before);
});
