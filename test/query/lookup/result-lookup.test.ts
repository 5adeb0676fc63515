// Finished matches are read and indexed in steps, once for all callers that ask at the same time.

import { expect, test } from 'bun:test';
import { strangerAt } from '../../../src/access/quotas/fair-shares.ts';
import { holderNow, workingFor } from '../../../src/access/quotas/holder-now.ts';
import type { ArchivedResult } from '../../../src/archive/tables.ts';
import { ServiceError } from '../../../src/errors.ts';
import { RESULTS_PER_STEP, ResultLookups } from '../../../src/query/lookup/result-lookup.ts';
import { turnsDuring } from '../../support/turns-during.ts';
import { awayOf, homeOf } from '../many-matches.ts';

const NOW_MS = Date.UTC(2026, 2, 2);
const COUNT = 5 * RESULTS_PER_STEP;

function resultOf(index: number): ArchivedResult {
  const team = (name: string) => ({ number: index, name });
  return {
    ...{
      eventNumber: index + 1,
      sport: 0,
      league: null,
      home: team(homeOf(index)),
      away: team(awayOf(index)),
    },
    ...{ scheduledAtMs: NOW_MS - 7_200_000, score: [1, 0], redCards: null, finishedAtMs: NOW_MS - 3_600_000 },
    source: 'final',
  };
}

function unavailable(): ServiceError {
  return new ServiceError('upstream_unavailable', 'Cannot read');
}

/** An archive that counts how often it is read, and fails for the first `failures` times. */
function archiveOf(failures = 0) {
  const archive = {
    readCount: 0,
    results: async () => {
      archive.readCount += 1;
      if (archive.readCount <= failures) throw unavailable();
      return Array.from({ length: COUNT }, (_, index) => resultOf(index));
    },
    result: async () => null,
  };
  return archive;
}

test('results are indexed in steps, and callers that ask meanwhile wait for the same index', async () => {
  const archive = archiveOf();
  const lookups = new ResultLookups(archive);
  const indexes = [0, COUNT - 1, 7];
  const turns = await turnsDuring(async () => {
    const asked = indexes.map((index) => lookups.find({ query: homeOf(index) }, NOW_MS));
    const found = await Promise.all(asked);
    expect(found.map(({ best }) => best?.result.home_team)).toEqual(indexes.map(homeOf));
  });
  expect(turns).toBeGreaterThanOrEqual(COUNT / RESULTS_PER_STEP);
  expect(archive.readCount).toBe(1);
  await lookups.find({ query: homeOf(3) }, NOW_MS + 9_000);
  expect(archive.readCount).toBe(1);
  await lookups.find({ query: homeOf(3) }, NOW_MS + 10_000);
  expect(archive.readCount).toBe(2);
});

test('a refresh counts against no caller, so no caller fails because the share of another one is in use', async () => {
  const archive = archiveOf();
  const read = archive.results;
  // The archive refuses every call that counts against a caller.
  archive.results = () => (holderNow() === null ? read() : Promise.reject(unavailable()));
  const lookups = new ResultLookups(archive);
  const ask = () =>
    workingFor(
      () => strangerAt('192.0.2.1'),
      () => lookups.find({ query: homeOf(3) }, NOW_MS),
    );
  const found = await Promise.all([ask(), ask(), ask()]);
  expect(found.map(({ status }) => status)).toEqual(['matched', 'matched', 'matched']);
  expect(archive.readCount).toBe(1);
});

test('if a refresh fails, all who wait for it fail, and the next caller begins another', async () => {
  const archive = archiveOf(1);
  const lookups = new ResultLookups(archive);
  const ask = () => lookups.find({ query: homeOf(3) }, NOW_MS).then(({ status }) => status, String);
  const failed = 'ServiceError: Cannot read';
  expect(await Promise.all([ask(), ask()])).toEqual([failed, failed]);
  expect([await ask(), archive.readCount]).toEqual(['matched', 2]);
});
