// Closing prices in the archive, in both databases: frozen once, replaced only for a postponed match, kept as
// long as results.

import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { CLOSING_PRICES_SCHEMA, ClosingPrices, type MatchClosing } from '../../src/archive/closing-prices.ts';
import { HOUR_MS } from '../../src/clock.ts';
import { RESULTS_KEPT_MS } from '../../src/limits.ts';
import { postgresSql } from '../../src/storage/postgres-sql.ts';
import type { Sql } from '../../src/storage/sql.ts';
import { sqliteSql } from '../../src/storage/sqlite-sql.ts';
import { describePostgres, emptyTables } from '../support/postgres-tables.ts';

const KICKOFF_MS = Date.UTC(2026, 5, 19, 18);

function closingAt(kickoffMs: number, priceE4 = 19_500): MatchClosing {
  const price = { bookmaker: 'crown', market: 1, period: 0, lineQuarters: -3, pricesE4: [priceE4, 19_700] };
  const times = { closedAtMs: kickoffMs - 60_000, confirmedAtMs: kickoffMs - 1 };
  return { eventNumber: 2 ** 51 + 1, sport: 0, kickoffMs, prices: [{ ...price, ...times }] };
}

function defineSuite(openEmpty: () => Promise<Sql>): void {
  test('frozen prices are read back and stay', async () => {
    const closings = new ClosingPrices(await openEmpty());
    const first = closingAt(KICKOFF_MS);
    expect(await closings.of(first.eventNumber)).toBeNull();
    await closings.freeze(first, KICKOFF_MS + 1_000);
    await closings.freeze(closingAt(KICKOFF_MS - 500, 20_000), KICKOFF_MS + 2_000);
    expect(await closings.of(first.eventNumber)).toEqual(first);
  });

  test('prices that must be kept are not replaced, even by those of a later kickoff', async () => {
    const closings = new ClosingPrices(await openEmpty());
    const first = closingAt(KICKOFF_MS);
    await closings.freeze(first, KICKOFF_MS + 1_000, { keepsFrozen: true });
    const later = closingAt(KICKOFF_MS + HOUR_MS, 21_000);
    await closings.freeze(later, KICKOFF_MS + HOUR_MS, { keepsFrozen: true });
    expect(await closings.of(first.eventNumber)).toEqual(first);
  });

  test('if a match was postponed after its prices were frozen, new prices replace them; forget removes stored prices', async () => {
    const closings = new ClosingPrices(await openEmpty());
    await closings.freeze(closingAt(KICKOFF_MS), KICKOFF_MS + 1_000);
    const putOff = closingAt(KICKOFF_MS + HOUR_MS, 21_000);
    await closings.freeze(putOff, KICKOFF_MS + 2 * HOUR_MS);
    expect(await closings.of(putOff.eventNumber)).toEqual(putOff);
    await closings.forget(putOff.eventNumber);
    expect(await closings.of(putOff.eventNumber)).toBeNull();
  });

  test('closing prices are kept as long as results', async () => {
    const closings = new ClosingPrices(await openEmpty());
    const one = closingAt(KICKOFF_MS);
    await closings.freeze(one, KICKOFF_MS);
    await closings.purge(KICKOFF_MS + RESULTS_KEPT_MS);
    expect(await closings.of(one.eventNumber)).toEqual(one);
    await closings.purge(KICKOFF_MS + RESULTS_KEPT_MS + 1);
    expect(await closings.of(one.eventNumber)).toBeNull();
  });
}

describe('SQLite', () => {
  defineSuite(async () => {
    const database = new Database(':memory:', { strict: true });
    database.run(CLOSING_PRICES_SCHEMA);
    return sqliteSql(database);
  });
});

describePostgres((postgres) => {
  defineSuite(async () => {
    await emptyTables(postgres.pool);
    return postgresSql(postgres.pool);
  });
});
