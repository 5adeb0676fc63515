import { expect, spyOn, test } from 'bun:test';
import { connect } from 'node:net';
import { systemClock } from '../../../src/clock.ts';
import { RefusalRest } from '../../../src/http/edge/refusal-rest.ts';
import { until } from '../../support/condition.ts';
import { GOOD_KEY, startTestServer } from '../kit.ts';

const refusal = () => new Response('{}', { status: 429 });

test('refusals beyond three hundred wait, and leave one after the other; answers do not wait', async () => {
  let nowMs = 5_000;
  const waits: number[] = [];
  const rest = new RefusalRest({ monotonicMs: () => nowMs }, async (ms) => {
    waits.push(ms);
  });
  for (let count = 0; count < 300; count++) expect(rest.after(refusal())).toBeInstanceOf(Response);
  const late = rest.after(refusal());
  expect(late).toBeInstanceOf(Promise);
  const alsoLate = rest.after(Promise.resolve(refusal()));
  const served = new Response('{}');
  expect(rest.after(served)).toBe(served);
  expect(rest.after(undefined)).toBeUndefined();
  expect([(await late)!.status, (await alsoLate)!.status]).toEqual([429, 429]);
  expect(waits).toEqual([500, 504]);
  // A tenth of a second later, ten more are sent at once.
  nowMs += 100;
  for (let count = 0; count < 10; count++) expect(rest.after(refusal())).toBeInstanceOf(Response);
  expect(rest.after(refusal())).toBeInstanceOf(Promise);
});

test('at most two thousand wait: the next are sent at once', () => {
  const rest = new RefusalRest({ monotonicMs: () => 0 }, () => new Promise(() => {}));
  const answers = Array.from({ length: 2_310 }, () => rest.after(refusal()));
  expect(answers.filter((answer) => answer instanceof Promise).length).toBe(2_000);
});

test('refusals that wait take no place: other callers are answered meanwhile', async () => {
  const { promise: rested, resolve } = Promise.withResolvers<void>();
  const { sleep } = Bun;
  const spy = spyOn(Bun, 'sleep').mockImplementation((ms) => (Number(ms) >= 500 ? rested : sleep(ms)));
  const server = startTestServer({ clock: { ...systemClock, monotonicMs: () => 5_000 } });
  const open = (path: string, key = '') => {
    const socket = connect({ host: '127.0.0.1', port: server.http.port });
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${key}\r\n`);
    return socket;
  };
  const sockets = Array.from({ length: 2_300 }, () => open('/v1/nothing'));
  try {
    await until('two thousand wait', () => server.http.pendingCount() === 2_000);
    for (let count = 0; count < 60; count++) sockets.push(open('/hang', `Authorization: ${GOOD_KEY}\r\n`));
    await until('sixty are under way', () => server.http.pendingCount() === 2_060);
    const answer = await fetch(`${server.url}/large`, { method: 'HEAD' });
    expect(answer.status).toBe(200);
  } finally {
    resolve();
    spy.mockRestore();
    for (const socket of sockets) socket.destroy();
    await server.http.stop(0);
  }
});
