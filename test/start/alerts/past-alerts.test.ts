// A rule of an account that may not see the sharp bookmaker, tried on the past. The alerts that it would have
// sent, and their times, do not depend on that bookmaker's prices, although these prices may be the first to
// show a goal or a kickoff.

import { expect, test } from 'bun:test';
import { systemClock } from '../../../src/clock.ts';
import type { AlertWhen } from '../../../src/contract/alerts/alert-rules.ts';
import { encodeId } from '../../../src/domain/ids.ts';
import { dayPrefix } from '../../../src/history/files/folder.ts';
import { LocalFolder } from '../../../src/history/files/local-folder.ts';
import { encodeTickFile } from '../../../src/history/files/parquet-file.ts';
import { compareTickLines, dayOf, NO_PRICES, type Tick } from '../../../src/history/tick.ts';
import { eventLoopTurn } from '../../../src/pause.ts';
import { neverReports } from '../../../src/start/alerts/past-alerts.ts';
import { PastAlertsWorkers } from '../../../src/start/alerts/past-alerts-workers.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const START_MS = Date.UTC(2026, 5, 19, 12);

function tickAt(minute: number, bookmaker: string, score: readonly [number, number] | null): Tick {
  const receivedAtMs = START_MS + minute * 60_000;
  return {
    ...{ eventId: encodeId('event', 7), sport: 'football', league: 'League', home: 'Ajax', away: 'Celta' },
    ...{ kickoffMs: START_MS + 60_000, bookmaker, marketType: 'totals', period: 'full_time', line: 2.5 },
    ...{ status: 'open', pricesE4: { ...NO_PRICES, over: 19_000 + minute, under: 19_000 } },
    ...{ atMs: receivedAtMs, receivedAtMs, inPlay: score !== null, standing: false },
    ...{ scoreHome: score?.[0] ?? null, scoreAway: score?.[1] ?? null },
  };
}

const COMMON = [tickAt(0, 'crown', null), tickAt(3, 'crown', [0, 0]), tickAt(9, 'crown', [1, 0])];
const SHARP = [tickAt(2, 'pinnacle', [0, 0]), tickAt(7, 'pinnacle', [1, 0])];

const RANGE = { fromMs: START_MS - 60_000, toMs: START_MS + 3_600_000 };

/** Plays the past of a folder that has these ticks. */
async function workersOver(folder: string, ticks: readonly Tick[]): Promise<PastAlertsWorkers> {
  const path = `${dayPrefix(dayOf(START_MS))}${START_MS - 1}-a.parquet`;
  const bytes = encodeTickFile(ticks.toSorted(compareTickLines), new Map());
  await new LocalFolder(folder).write(path, bytes);
  const config = { dataDir: folder, historyDir: folder, valueEdgeMaxPct: 15 };
  return new PastAlertsWorkers({ ...config, arbitrageMarginMaxPct: 10 }, systemClock);
}

async function trialOf(
  ticks: readonly Tick[],
  plan: 'free' | 'enterprise',
  when: AlertWhen = { kind: 'match' },
) {
  using folder = temporaryFolder();
  const workers = await workersOver(folder.path, ticks);
  return await workers.play({ when, where: {}, names: {}, ...RANGE, accountId: 'acc_1', plan });
}

test('if a trial of a paid plan begins while one without a plan is running, both are answered', async () => {
  using folder = temporaryFolder();
  // There are so many ticks that the free trial pauses for the first time before it has played all of them.
  const ticks = Array.from({ length: 1_000 }, (_, index) => tickAt(index / 20, 'crown', null));
  const workers = await workersOver(folder.path, ticks);
  const question = { when: { kind: 'match' }, where: {}, names: {}, accountId: 'acc_1', ...RANGE } as const;
  const free = workers.play({ ...question, plan: 'free' });
  await eventLoopTurn();
  const paid = workers.play({ ...question, plan: 'realtime' });
  await expect(workers.play({ ...question, plan: 'free' })).rejects.toThrow('another rule is being tried');
  expect(Date.parse((await free).to!)).toBeLessThan(RANGE.toMs);
  expect(await paid).toMatchObject({ to: new Date(RANGE.toMs).toISOString() });
});

test('two paid accounts that interrupt the same free trial are both answered, one after the other', async () => {
  using folder = temporaryFolder();
  const ticks = Array.from({ length: 1_000 }, (_, index) => tickAt(index / 20, 'crown', null));
  const workers = await workersOver(folder.path, ticks);
  const question = { when: { kind: 'match' }, where: {}, names: {}, ...RANGE } as const;
  const free = workers.play({ ...question, accountId: 'acc_1', plan: 'free' });
  await eventLoopTurn();
  const paid = ['acc_2', 'acc_3'].map((accountId) =>
    workers.play({ ...question, accountId, plan: 'realtime' }),
  );
  const to = new Date(RANGE.toMs).toISOString();
  expect(await Promise.all([free, ...paid])).toMatchObject([{}, { to }, { to }]);
});

test('a trial for the free tier does not depend on the sharp bookmaker, and a trial for other tiers does', async () => {
  const free = await trialOf(COMMON, 'free');
  expect(free.latest.map(({ at }) => at)).toEqual(
    [9, 3].map((minute) => new Date(START_MS + minute * 60_000).toISOString()),
  );
  expect(await trialOf([...COMMON, ...SHARP], 'free')).toEqual(free);
  const paid = await trialOf([...COMMON, ...SHARP], 'enterprise');
  expect(paid.latest.map(({ at }) => at)).toEqual(
    [7, 2].map((minute) => new Date(START_MS + minute * 60_000).toISOString()),
  );
});

test('a trial of a rule about value against a bookmaker that the plan hides reports nothing, for the whole range', async () => {
  const [from, to] = [START_MS - 2, START_MS + 3_600_000].map((ms) => new Date(ms).toISOString());
  const when: AlertWhen = { kind: 'value', min_edge_pct: 1 };
  const free = await trialOf([...COMMON, ...SHARP], 'free', when);
  expect(free).toEqual({ count: 0, from: from!, to: to!, latest: [] });
  expect([
    neverReports({ when, where: {}, names: {}, plan: 'free' }),
    neverReports({ when, where: {}, names: {}, plan: 'enterprise' }),
    neverReports({ when: { ...when, reference: 'consensus' }, where: {}, names: {}, plan: 'free' }),
    neverReports({ when: { kind: 'arbitrage' }, where: {}, names: {}, plan: 'free' }),
  ]).toEqual([true, false, false, false]);
});
