// iSports when it is late, refuses or breaks off, and impossible rows: each is counted, and the slate stays.

import { afterEach, describe, expect, test } from 'bun:test';
import { MINUTE_MS } from '../../../src/clock.ts';
import { until } from '../../support/condition.ts';
import { change, close, match, open, place, quotes, run, START_S, standIn } from './isports-scene.ts';
import { IsportsStandIn } from './stand-in.ts';

afterEach(close);

describe('isports', () => {
  test('treats a missed window as lost changes, so everything is read again under a new epoch', async () => {
    open(['football']);
    match('7');
    const main = place('7', 'europeOdds', [1.73, 4, 3.5]);
    await run.for(10_000);
    const before = run.poller.status().epochs;
    standIn.fault = (path) => (path.endsWith('/changes') ? new Response('', { status: 502 }) : null);
    await run.for(25_000);
    change(main, { now: [1.8, 3.9, 3.4] });
    standIn.fault = () => null;
    await run.for(30_000);
    expect(run.poller.status().failures.get('missed_window')).toBeGreaterThan(0);
    expect(run.poller.status().epochs).toBeGreaterThan(before);
    expect(quotes('football-7')).toEqual({ 'crown|1x2|full_time|': '1.8 3.9 3.4 open' });
  });

  test('does not let a full answer undo a change that is newer than the answer', async () => {
    open(['football']);
    match('7');
    const main = place('7', 'handicap', [0.75, 0.9, 0.94]);
    await run.for(30_000);
    change(main, { now: [1, 0.95, 0.89] });
    await run.for(4_000);
    Object.assign(main, { now: [0.75, 0.9, 0.94], changedAt: START_S - 50 });
    await run.for(2 * MINUTE_MS);
    expect(quotes('football-7')).toEqual({ 'crown|asian_handicap|full_time|-1': '1.95 1.89 0 open' });
  });

  test('treats requests for prices without an answer as a lost source, whatever else is answered', async () => {
    open(['football', 'basketball']);
    match('7');
    place('7', 'handicap', [0.75, 0.9, 0.94]);
    await run.for(3 * MINUTE_MS);
    expect(run.connections).toEqual([true]);
    const deadMs = run.nowMs;
    standIn.fault = (path) => (path.includes('/odds/') ? new Response('', { status: 502 }) : null);
    await run.for(90_000);
    expect(run.connections).toEqual([true, false]);
    const appliedMs = run.desk.reader.feed().appliedAtMs;
    expect(appliedMs - deadMs).toBeLessThanOrEqual(61_000);
    expect(run.desk.reader.feed().heartbeatAtMs).toBeLessThanOrEqual(deadMs);
    expect(run.poller.status().state).toBe('failing');
    standIn.fault = () => null;
    await run.for(2 * MINUTE_MS);
    expect(run.connections.at(-1)).toBe(true);
    expect(run.poller.status().state).toBe('ok');
  });

  test('stays connected when only prices of one kind fail for a while', async () => {
    open(['football']);
    match('7');
    place('7', 'handicap', [0.75, 0.9, 0.94]);
    await run.for(10_000);
    standIn.fault = (path) => (path.endsWith('odds/all/changes') ? new Response('', { status: 502 }) : null);
    await run.for(5 * MINUTE_MS);
    expect(run.connections.every(Boolean)).toBe(true);
    expect(run.poller.status().state).toBe('failing');
  });

  test('treats 429 as a cooldown of the whole source, which answers to earlier requests do not end', async () => {
    open(['football']);
    match('7');
    place('7', 'handicap', [0.75, 0.9, 0.94]);
    await run.for(10_000);
    const isRefused = (): boolean => run.logged.some((line) => line.includes('throttled'));
    let answeredLate = 0;
    standIn.fault = (path) => {
      if (isRefused()) return null;
      if (path === 'football/odds/main/changes') {
        return new Response('{}', { status: 429, headers: { 'retry-after': '300' } });
      }
      return until('the refusal was heard', isRefused).then(() => {
        answeredLate++;
        return Response.json({ code: 0, data: path.includes('odds') ? {} : [] });
      });
    };
    await run.for(5_000);
    await until('an earlier request is answered', () => answeredLate > 0);
    const before = standIn.asked.length;
    await run.for(4 * MINUTE_MS);
    expect(standIn.asked.length).toBe(before);
    expect(run.poller.status()).toMatchObject({ state: 'failing', reason: 'throttled' });
    await run.for(2 * MINUTE_MS);
    expect(run.poller.status()).toMatchObject({ state: 'ok', reason: null });
    expect(Object.keys(quotes('football-7'))).toHaveLength(1);
  });

  test('requests only full answers if the interval is longer than the windows of changes', async () => {
    open(['football'], MINUTE_MS);
    match('7');
    const main = place('7', 'europeOdds', [1.73, 4, 3.5]);
    await run.for(5 * MINUTE_MS);
    change(main, { now: [1.8, 3.9, 3.4] });
    await run.for(2 * MINUTE_MS);
    expect(standIn.asked.some(({ path }) => path.endsWith('/changes'))).toBe(false);
    expect(standIn.asked.length).toBeLessThan(40);
    expect(quotes('football-7')).toEqual({ 'crown|1x2|full_time|': '1.8 3.9 3.4 open' });
    expect(run.poller.status()).toMatchObject({ state: 'ok', epochs: 1 });
    const confirmed = run.wire.filter(({ type }) => type === 'heartbeat').at(-1)!.at as string;
    expect(run.nowMs - Date.parse(confirmed)).toBeLessThan(2 * MINUTE_MS + 1_000);
  });

  test('refuses rows with another number of columns, bad prices and bad lines, and counts each', async () => {
    open(['football']);
    match('7');
    place('7', 'europeOdds', [1.73, 4, 3.5]);
    standIn.extraRows.set('football/odds/main europeOdds', ['7,3,1.7,4,3.5,1.7,4,3.5,1,1,false,2', 12]);
    standIn.extraRows.set('football/odds/main overUnder', [
      '7,31,2.3,0.9,0.9,2.3,0.9,0.9,1,false,2',
      '7,31,2.5,0.9,0.9,2.5,NaN,0.9,1,false,2',
      '7,31,2.5,0.9,0.9,2.5,-0.9,0.9,1,false,2',
      '7,31,2.5,0.9,0.9,2.5,5000,0.9,1,false,2',
    ]);
    await run.for(1_000);
    const { counts } = run.poller.status();
    expect(Object.fromEntries(counts)).toMatchObject({
      column_count: 1,
      bad_row: 1,
      bad_line: 1,
      bad_price: 3,
    });
    expect(quotes('football-7')).toEqual({ 'crown|1x2|full_time|': '1.73 4 3.5 open' });
  });

  test.each([
    ['football/odds/main', { europeOdds: ['7,3,1.7,4,3.5,1.7,4,3.5,1,1,false,2', '7,31,1'] }],
    ['football/livescores', [{ id: 7 }, null]],
  ])('treats an unreadable answer of %s as a missing answer, so the slate stays', async (path, data) => {
    open(['football'], MINUTE_MS);
    match('7');
    place('7', 'europeOdds', [1.73, 4, 3.5]);
    await run.for(1_000);
    standIn.fault = (asked) => (asked === path ? Response.json({ code: 0, data }) : null);
    await run.for(2 * MINUTE_MS);
    expect(run.poller.status()).toMatchObject({ state: 'failing', reason: 'wrong_shape' });
    expect(quotes('football-7')).toEqual({ 'crown|1x2|full_time|': '1.73 4 3.5 open' });
    standIn.fault = () => null;
    await run.for(10 * MINUTE_MS);
    expect(run.poller.status()).toMatchObject({ state: 'ok', reason: null });
  });

  test('treats a bad key with status 200 as final', async () => {
    open();
    standIn.fault = () => Response.json({ code: 2, message: 'Invalid [api_key], illegal access.' });
    await run.for(10 * MINUTE_MS);
    expect(run.poller.status()).toMatchObject({ state: 'stopped', reason: 'bad_key' });
    expect(standIn.asked.length).toBeLessThan(15);
    expect(run.logged.join('')).not.toContain(IsportsStandIn.KEY);
  });
});
