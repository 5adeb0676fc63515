// A rule is tried on the past. Alerts are counted from the tape, for the matches that the rule names, and the
// answer says which part of the time the tape lacks.

import { expect, test } from 'bun:test';
import { previewOf } from '../../../src/alerts/rules/preview.ts';
import { systemClock } from '../../../src/clock.ts';
import type { AlertWhen } from '../../../src/contract/alerts/alert-rules.ts';
import { type PastAlert, type PastRule, playAlerts } from '../../../src/start/alerts/past-alerts.ts';
import { type PastAlertsTask, PastAlertsWorkers } from '../../../src/start/alerts/past-alerts-workers.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const START_MS = Date.parse('2026-03-01T12:00:00Z');
const KICKOFF = '2026-03-01T20:00:00Z';
const at = (minute: number): number => START_MS + minute * 60_000;

interface Moment {
  readonly minute: number;
  readonly messages: readonly object[];
}

async function* batchesOf(moments: readonly Moment[]) {
  let seq = 0;
  const hello = { type: 'hello', protocol: 1, source: 'history', at: new Date(START_MS).toISOString(), seq };
  yield { atMs: START_MS, messages: [hello] };
  for (const { minute, messages } of moments) {
    const atText = new Date(at(minute)).toISOString();
    yield {
      atMs: at(minute),
      messages: messages.map((message) => ({ at: atText, ...message, seq: ++seq })),
    };
  }
}

function fixture(event: string, home: string): object {
  const league = { key: `${home} league`, name: `${home} league` };
  const names = { league, home: { key: home, name: home }, away: { key: 'B', name: 'B' } };
  return { type: 'event', event, sport: 'football', ...names, scheduled_at: KICKOFF };
}

function quote(event: string, bookmaker: string, over: number, under = 1.9): object {
  const place = { event, bookmaker, market_type: 'totals', period: 'full_time', line: 2.5 };
  return { type: 'quote', ...place, prices: [over, under], status: 'open' };
}

const MOMENTS: readonly Moment[] = [
  {
    minute: 0,
    messages: [fixture('evt_1', 'Ajax'), fixture('evt_2', 'Celta'), quote('evt_1', 'crown', 1.9)],
  },
  { minute: 10, messages: [quote('evt_2', 'crown', 2.2), quote('evt_1', 'sbobet', 2.3)] },
  { minute: 20, messages: [quote('evt_1', 'sbobet', 1.9)] },
  { minute: 40, messages: [quote('evt_1', 'sbobet', 2.4)] },
];

async function alertsOf(when: AlertWhen, where: PastRule['where'] = {}, names: PastRule['names'] = {}) {
  const found: PastAlert[] = [];
  const rule = { when, where, names, plan: 'enterprise' } as const;
  const limits = { maxEdge: 1, maxMargin: 1 };
  await playAlerts(batchesOf(MOMENTS), { rule, limits }, (alert) => found.push(alert));
  return found.map(({ atMs, item }) => [(atMs - START_MS) / 60_000, item.event?.home] as const);
}

const PRICE: AlertWhen = { kind: 'price', market: 'totals', outcome: 'over', price: 2.2 };

test('alerts are counted as a live rule would have sent them', async () => {
  expect(await alertsOf(PRICE)).toEqual([
    [10, 'Ajax'],
    [10, 'Celta'],
    [40, 'Ajax'],
  ]);
  expect(await alertsOf({ ...PRICE, again_after_s: 3_600 })).toHaveLength(2);
  expect(await alertsOf({ kind: 'arbitrage', min_margin_pct: 3 })).toEqual([
    [10, 'Ajax'],
    [40, 'Ajax'],
  ]);
});

test('a move is found by comparing a price with the prices before it', async () => {
  const move: AlertWhen = { kind: 'move', of: 'price', pct: 20, within_s: 900 };
  expect(await alertsOf({ ...move, again_after_s: 0 })).toEqual([[40, 'Ajax']]);
});

test('only the matches that the rule names are played', async () => {
  expect(await alertsOf(PRICE, { event_id: 'evt_2' })).toEqual([[10, 'Celta']]);
  expect(await alertsOf(PRICE, { team: 'tm_x' }, { team: 'Ajax' })).toHaveLength(2);
  expect(await alertsOf(PRICE, { league: 'lg_x' }, { league: 'Celta league' })).toHaveLength(1);
  expect(await alertsOf(PRICE, { sport: 'basketball' })).toEqual([]);
});

test('the note says if the tape covers less than the whole day', () => {
  const day = { fromMs: at(0), toMs: at(1_440) };
  const played = (from: number, to: number) => ({
    ...{ count: 1, latest: [] },
    from: new Date(at(from)).toISOString(),
    to: new Date(at(to)).toISOString(),
  });
  expect(previewOf('s', PRICE, played(0, 1_440), day).note).toBeNull();
  expect(previewOf('s', PRICE, played(60, 1_440), day).note).toContain('begins later');
  expect(previewOf('s', PRICE, played(0, 600), day).note).toContain('ends early');
  expect(previewOf('s', { kind: 'match' }, played(0, 1_440), day).note).toContain('Final whistles');
  expect(previewOf('s', PRICE, null, day)).toMatchObject({ count: null, note: expect.any(String) });
});

const QUESTION = { when: PRICE, where: {}, names: {}, fromMs: 0, toMs: at(60) } as const;
const LIMITS = { valueEdgeMaxPct: 15, arbitrageMarginMaxPct: 10 };

test('while a rule is being tried, a second trial is refused; after the answer, it is accepted', async () => {
  using folder = temporaryFolder();
  const config = { dataDir: folder.path, historyDir: null, ...LIMITS };
  const workers = new PastAlertsWorkers(config, systemClock);
  const question = { ...QUESTION, plan: 'enterprise' } as const;
  const first = workers.play(question);
  await expect(workers.play(question)).rejects.toMatchObject({ code: 'upstream_unavailable' });
  await first;
  expect(await workers.play(question)).toEqual({ count: 0, from: null, to: null, latest: [] });
});

test('after a trial, the next trial of an account without a paid plan waits for as long as the earlier trial worked', async () => {
  using folder = temporaryFolder();
  const waits: number[] = [];
  let nowMs = 0;
  // Each read of the clock returns a time 100 ms later.
  const clock = { monotonicMs: () => (nowMs += 100) };
  const wait = async (ms: number): Promise<void> => {
    waits.push(ms);
    nowMs += ms;
  };
  const workers = new PastAlertsWorkers({ dataDir: folder.path, historyDir: null, ...LIMITS }, clock, wait);
  await workers.play({ ...QUESTION, plan: 'free' });
  expect(waits).toEqual([]);
  nowMs += 30;
  await workers.play({ ...QUESTION, plan: 'realtime' });
  expect(waits).toEqual([]);
  await workers.play({ ...QUESTION, plan: 'free' });
  // The last trial took 100 ms. The clock moves by 100 ms when it is read before the wait, so no time to wait
  // is left.
  expect(waits).toEqual([]);
  // The last trial, of the free plan, took 100 ms and paused for half of that, so it worked for 50 ms. 20 ms
  // have passed since.
  nowMs -= 80;
  await workers.play({ ...QUESTION, plan: 'free' });
  expect(waits).toEqual([30]);
});

test('while an account without a paid plan waits for its trial, another one is refused and a paid plan is answered', async () => {
  using folder = temporaryFolder();
  const { promise: rested, resolve } = Promise.withResolvers<void>();
  const config = { dataDir: folder.path, historyDir: null, ...LIMITS };
  const workers = new PastAlertsWorkers(config, systemClock, () => rested);
  await workers.play({ ...QUESTION, plan: 'free' });
  const waiting = workers.play({ ...QUESTION, plan: 'free' });
  await expect(workers.play({ ...QUESTION, plan: 'free' })).rejects.toMatchObject({
    code: 'upstream_unavailable',
  });
  expect(await workers.play({ ...QUESTION, plan: 'realtime' })).toMatchObject({ count: 0 });
  resolve();
  expect(await waiting).toMatchObject({ count: 0 });
});

test('without a paid plan, the wait before a trial and the trial itself share one deadline', async () => {
  using folder = temporaryFolder();
  const config = { dataDir: folder.path, historyDir: null, ...LIMITS };
  const waits: number[] = [];
  const deadlines: number[] = [];
  let nowMs = 0;
  const { postMessage } = Worker.prototype;
  // The clock moves as if each trial used all the time it is allowed.
  Worker.prototype.postMessage = function (this: Worker, task: PastAlertsTask) {
    deadlines.push(task.deadlineMs);
    nowMs += task.deadlineMs;
    postMessage.call(this, task);
  };
  try {
    const workers = new PastAlertsWorkers(config, { monotonicMs: () => nowMs }, async (ms) => {
      waits.push(ms);
      nowMs += ms;
    });
    for (let trial = 0; trial < 3; trial++) await workers.play({ ...QUESTION, plan: 'free' });
  } finally {
    Worker.prototype.postMessage = postMessage;
  }
  const [first, second, third] = deadlines as [number, number, number];
  expect(waits).toEqual([first / 2, second / 2]);
  expect([second, third]).toEqual([first - waits[0]!, first - waits[1]!]);
});

test('if an account without a paid plan would wait for more than four seconds, its trial is refused immediately', async () => {
  using folder = temporaryFolder();
  let nowMs = 0;
  const clock = { monotonicMs: () => (nowMs += 10_000) };
  const config = { dataDir: folder.path, historyDir: null, ...LIMITS };
  const workers = new PastAlertsWorkers(config, clock, async () => {});
  await workers.play({ ...QUESTION, plan: 'free' });
  nowMs -= 9_500;
  await expect(workers.play({ ...QUESTION, plan: 'free' })).rejects.toThrow('another rule is being tried');
});
