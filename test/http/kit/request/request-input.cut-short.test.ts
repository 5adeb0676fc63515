// Bodies that end too early or are framed wrongly are the client's fault. They count as a 4xx and cause no
// line in the log, because otherwise strangers could fill the log.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { until } from '../../../support/condition.ts';
import { RawConnection } from '../../../support/raw-connection.ts';
import { GOOD_KEY, startTestServer, type TestServer } from '../../kit.ts';

let server: TestServer;
beforeAll(() => {
  server = startTestServer();
});
afterAll(() => server.http.stop(1_000));

const HEAD = [
  'POST /v1/things HTTP/1.1',
  'Host: localhost',
  `Authorization: ${GOOD_KEY}`,
  'Content-Type: application/json',
];

/**
 * Sends the start of a request, disconnects once it has reached the server, and waits until the request is
 * finished.
 */
async function leaveAfter(...lines: string[]): Promise<void> {
  const finishedBefore = server.finished.length;
  const chargedBefore = server.gate.unitsCharged;
  const isFinished = (): boolean => server.finished.length > finishedBefore;
  const connection = await RawConnection.open(server.http.port);
  connection.send([...HEAD, ...lines].join('\r\n'));
  await until('the request reached the server', () => server.http.bodyCount() === 1 || isFinished());
  connection.end();
  await until('the request is finished', isFinished);
  expect(server.gate.unitsCharged).toBe(chargedBefore + 1);
}

test.each([
  ['Content-Length', ['Content-Length: 100', '', '{"name":']],
  ['chunks', ['Transfer-Encoding: chunked', '', '5', '{"nam', '']],
  ['a malformed chunk', ['Transfer-Encoding: chunked', '', 'zz', '{}', '']],
])(
  'readJsonBody: a body that is cut short or malformed (%s) is 400 and is not logged as a failure of ours',
  async (_name, lines) => {
    await leaveAfter(...lines);
    expect(server.finished.at(-1)).toMatchObject({ status: 400, errorCode: 'invalid_request' });
    expect(server.logged).toEqual([]);
  },
);
