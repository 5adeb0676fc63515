// Every answer about the past fits the served OpenAPI document, for every kind of caller. Commands also read
// ticks that a running server has not written into a file yet.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { LocalFolder } from '../../../src/history/files/local-folder.ts';
import { exportTape, tapeCoverage } from '../../../src/start/history/export-tape.ts';
import { CALLERS, PROXY_SETTINGS } from '../../support/callers.ts';
import { until } from '../../support/condition.ts';
import { Surface } from '../../support/surface.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ANSWERS_MIN = 150;
const EVENTS = 5;

let surface: Surface;
beforeAll(async () => {
  const settings = { FEED: 'simulator', HISTORY_DAYS: '30', SIMULATOR_RATE: '60', ...PROXY_SETTINGS };
  surface = await Surface.on(settings, { freeKeys: 60 });
  await until('the tape has ticks', async () => {
    const { days } = await surface.running.get<{ days: unknown[] }>('/v1/history');
    return days.length > 0;
  });
});
afterAll(() => surface[Symbol.asyncDispose]());

/** Requests about the past by the path of their operation: valid ones, and some that are refused. */
function requests(at: string): (readonly [path: string, method: string, url: string, body: object | null])[] {
  const ids = surface.eventIds.slice(0, EVENTS);
  const ofEvent = (id: string) =>
    [
      ['/v1/events/{event_id}/odds', 'GET', `/v1/events/${id}/odds?at=${at}&format=american`, null],
      ['/v1/events/{event_id}/odds/{market_type}', 'GET', `/v1/events/${id}/odds/totals?at=${at}`, null],
      ['/v1/events/{event_id}/history', 'GET', `/v1/events/${id}/history?limit=20`, null],
      [
        '/v1/events/{event_id}/history',
        'GET',
        `/v1/events/${id}/history?resolution=1m&markets=totals,1x2&to=${at}&format=malay`,
        null,
      ],
      ['/v1/events/{event_id}/closing', 'GET', `/v1/events/${id}/closing?format=hk`, null],
    ] as const;
  const tool = (name: string, body: object) => [`/v1/mcp/${name}`, 'POST', `/v1/mcp/${name}`, body] as const;
  return [
    ...ids.flatMap(ofEvent),
    ['/v1/odds', 'GET', `/v1/odds?at=${at}&markets=1x2`, null],
    ['/v1/odds/batch', 'POST', '/v1/odds/batch', { event_ids: [...ids, 'evt_none'], at }],
    ['/v1/history/events', 'GET', '/v1/history/events?limit=3&sport=football', null],
    ['/v1/history/events', 'GET', `/v1/history/events?day=${at.slice(0, 10)}`, null],
    ['/v1/history', 'GET', '/v1/history', null],
    tool('line_history', { query: ids[0], market_type: 'totals' }),
    tool('get_closing_line', { query: ids[1] }),
    ['/v1/events/{event_id}/odds', 'GET', `/v1/events/${ids[0]}/odds?at=2999-01-01T00:00:00Z`, null],
    ['/v1/events/{event_id}/odds', 'GET', `/v1/events/${ids[0]}/odds?at=2020-01-01T00:00:00Z`, null],
    ['/v1/events/{event_id}/history', 'GET', `/v1/events/${ids[0]}/history?resolution=2h`, null],
  ];
}

test('a hundred and fifty answers about the past fit the document, for every kind of caller', async () => {
  const { operations } = surface.document;
  const problems: string[] = [];
  let answered = 0;
  for (const caller of CALLERS) {
    for (const [path, method, url, body] of requests(new Date().toISOString())) {
      const operation = operations.find((one) => one.path === path && one.method === method);
      if (operation === undefined) throw new Error(`no operation ${method} ${path}`);
      const text = body === null ? null : JSON.stringify(body);
      const answer = await surface.send(caller, { method, path: url, body: text });
      if (answer.status === 200) answered += 1;
      problems.push(
        ...surface.problemsOf(operation, answer).map((problem) => `${caller} ${url}: ${problem}`),
      );
    }
  }
  expect(problems).toEqual([]);
  expect(answered).toBeGreaterThan(ANSWERS_MIN);
});

test('coverage and export include the ticks that the server published a moment ago, each only once', async () => {
  using folder = temporaryFolder();
  const history = new LocalFolder(join(surface.running.dataDir, 'history'));
  const toMs = Date.now() - 2_000;
  const [first] = surface.eventIds;
  const { series } = await surface.running.get<{ series: { ticks: unknown[] }[] }>(
    `/v1/events/${first}/history?limit=10000&to=${new Date(toMs).toISOString()}`,
  );
  const path = join(folder.path, 'ticks.ndjson');
  await Bun.write(path, 'the end of an earlier, longer export\n'.repeat(20_000));
  const range = { fromMs: 0, toMs };
  const event = first!;
  const count = await exportTape({ folder: history, range, event, league: null, format: 'ndjson', path });
  expect(count).toBe(series.reduce((sum, { ticks }) => sum + ticks.length, 0));
  const rows = (await Bun.file(path).text()).trimEnd().split('\n');
  expect([rows.length, new Set(rows).size]).toEqual([count, count]);
  expect((await tapeCoverage(history))[0]).toMatch(/: \d+ ticks in /);
});
