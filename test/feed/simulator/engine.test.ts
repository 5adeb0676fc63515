// The simulator speaks the feed protocol, and sends the same messages every time.

import { expect, test } from 'bun:test';
import { MINUTE_MS } from '../../../src/clock.ts';
import { parseMessage } from '../../../src/feed/parse-message.ts';
import { SimulatorEngine } from '../../../src/feed/simulator/engine.ts';
import {
  DumbSlate,
  messageFault,
  OPTIONS,
  START_MS,
  simulate,
  statusOf,
  type Wire,
} from '../simulator-support.ts';

const FEWER = { ...OPTIONS, footballFixtures: 22, basketballFixtures: 6 };

test('SimulatorEngine: a hundred minutes of messages follow every rule of the protocol', () => {
  const sports = new Map<string, string>();
  const slate = new DumbSlate();
  const types = new Map<string, number>();
  let seq = 0;
  let at = '';
  let heartbeatAt = START_MS;
  const use = (message: Wire): void => {
    const fault = messageFault(message, sports);
    if (fault !== null) throw new Error(`${fault}: ${JSON.stringify(message)}`);
    if (message.type !== 'hello' && message.seq !== ++seq)
      throw new Error(`seq ${message.seq} after ${seq - 1}`);
    if (typeof message.at === 'string') {
      if (message.at < at) throw new Error(`time fell from ${at} to ${message.at}`);
      at = message.at;
    }
    if (message.type === 'heartbeat') {
      expect(Date.parse(message.at as string) - heartbeatAt).toBe(5_000);
      heartbeatAt = Date.parse(message.at as string);
    }
    // The service's own parser, which is independent of the validator, agrees.
    const parsed = parseMessage(message);
    if (typeof parsed === 'string') throw new Error(`${parsed}: ${JSON.stringify(message)}`);
    slate.apply(message);
    types.set(message.type as string, (types.get(message.type as string) ?? 0) + 1);
  };
  simulate(FEWER, { startMs: START_MS, endMs: START_MS + 100 * MINUTE_MS, sliceMs: 250 }, use);
  for (const type of ['hello', 'snapshot_begin', 'snapshot_end']) expect(types.get(type)).toBe(1);
  for (const type of ['event', 'state', 'quote', 'close', 'result', 'remove', 'heartbeat']) {
    expect(types.get(type) ?? 0).toBeGreaterThan(8);
  }
});

test('SimulatorEngine.start: sends hello, then the slate between its marks, without matches that finished long ago', () => {
  const messages: Wire[] = [];
  new SimulatorEngine(OPTIONS).start(START_MS, (message) => messages.push(message));
  expect(messages[0]).toMatchObject({ type: 'hello', protocol: 1, source: 'simulator' });
  expect(messages[1]).toEqual({ type: 'snapshot_begin', seq: 1 });
  expect(messages.at(-1)).toEqual({ type: 'snapshot_end', seq: messages.length - 1 });
  const results = messages.filter((message) => message.type === 'result');
  for (const result of results) {
    expect(START_MS - Date.parse(result.finished_at as string)).toBeLessThan(15 * MINUTE_MS);
  }
  const live = messages.filter((message) => message.type === 'state' && message.status === 'live');
  expect(live.length).toBeGreaterThan(15);
  expect(live.some((message) => (message.clock as string).startsWith('2h'))).toBe(true);
});

test('SimulatorEngine: the same seed and start give the same bytes, into whatever steps the time is divided', () => {
  const spanMs = 5 * MINUTE_MS;
  const run = (seed: number, sliceMs: number): string => {
    const hash = new Bun.CryptoHasher('sha256');
    const span = { startMs: START_MS, endMs: START_MS + spanMs, sliceMs };
    simulate({ ...FEWER, seed }, span, (message) => hash.update(JSON.stringify(message)));
    return hash.digest('hex');
  };
  const once = run(7, 100);
  expect(run(7, 100)).toBe(once);
  expect(run(7, 7_777)).toBe(once);
  expect(run(7, spanMs)).toBe(once);
  expect(run(8, 100)).not.toBe(once);
});

test('SimulatorEngine: a restart shows the same fixtures, scores and clocks, and nearly the same prices', () => {
  const later = START_MS + 95 * MINUTE_MS + 1;
  const running = new DumbSlate();
  simulate(FEWER, { startMs: START_MS, endMs: later, sliceMs: MINUTE_MS }, (m) => running.apply(m));
  const restarted = new DumbSlate();
  new SimulatorEngine(FEWER).start(later, (m) => restarted.apply(m));

  expect([...restarted.fixtures.keys()].sort()).toEqual([...running.fixtures.keys()].sort());
  let compared = 0;
  let near = 0;
  for (const [key, before] of running.fixtures) {
    const after = restarted.fixtures.get(key);
    if (after === undefined) throw new Error(`${key} is gone`);
    expect(after.event.scheduled_at).toBe(before.event.scheduled_at);
    expect(statusOf(after)).toBe(statusOf(before));
    expect(after.state?.score).toEqual(before.state?.score as number[]);
    expect(after.state?.clock).toEqual(before.state?.clock as string);
    for (const [line, quote] of before.quotes) {
      const other = after.quotes.get(line);
      if (other === undefined || quote.status !== 'open' || statusOf(before) !== 'scheduled') continue;
      compared++;
      if (Math.abs((other.prices[0] as number) / (quote.prices[0] as number) - 1) < 0.02) near++;
    }
  }
  expect(compared).toBeGreaterThan(700);
  expect(near / compared).toBeGreaterThan(0.97);
});
