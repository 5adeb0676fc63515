// A WebSocket of a caller without a key: subscriptions that wait for the pace of callers without a key, and
// floods of messages.

import { expect, test } from 'bun:test';
import { ServiceError } from '../../../src/errors.ts';
import { eventLoopTurn } from '../../../src/pause.ts';
import type { LeagueIds } from '../../../src/query/lookup/league-filter.ts';
import type { Backlog } from '../../../src/stream/connections/backlog.ts';
import { StreamSocket } from '../../../src/stream/connections/stream-socket.ts';
import { KEYLESS_SOCKET_OPS_ENDING } from '../../../src/stream/limits.ts';
import type { StreamOpener } from '../../../src/stream/stream-opener.ts';

/** An opener of streams that all wait at their pace, with the number of places that they have. */
function waitingOpener() {
  const paced = Promise.withResolvers<void>();
  let places = 0;
  const opener = {
    backlog: () => ({ set: () => true }) as unknown as Backlog,
    inTurn: (_caller: unknown, act: () => void) => act(),
    pace: () => paced.promise,
    takePlace: () => {
      places += 1;
      return () => {
        places -= 1;
      };
    },
  };
  return { opener, paced, placeCount: () => places };
}

test('if the connection of a waiting subscription ends, its league is not looked up', async () => {
  const { opener, paced, placeCount } = waitingOpener();
  let lookUps = 0;
  const leaguesOf = (): LeagueIds => {
    lookUps += 1;
    throw new Error('not reached');
  };
  const socket = openSocket({ ...opener, leaguesOf });
  socket.received(JSON.stringify({ op: 'subscribe', id: 'a', league: 'premier league' }));
  expect(placeCount()).toBe(1);
  socket.closed();
  expect(placeCount()).toBe(0);
  paced.resolve();
  await paced.promise;
  await eventLoopTurn();
  expect(lookUps).toBe(0);
});

test('a subscription that is ended while it waits keeps its place until the wait is over', async () => {
  const { opener, paced, placeCount } = waitingOpener();
  const socket = openSocket(opener);
  socket.received(JSON.stringify({ op: 'subscribe', id: 'a' }));
  socket.received(JSON.stringify({ op: 'unsubscribe', id: 'a' }));
  expect(placeCount()).toBe(1);
  paced.resolve();
  await eventLoopTurn();
  expect(placeCount()).toBe(0);
});

test('a subscription above the allowed number does not wait for the pace, and a wait ends with its connection', async () => {
  const signals: AbortSignal[] = [];
  const sent: string[] = [];
  const opener = {
    backlog: () => ({ set: () => true }) as unknown as Backlog,
    inTurn: (_caller: unknown, act: () => void) => act(),
    pace: (_caller: unknown, _query: unknown, left: AbortSignal) => {
      signals.push(left);
      return new Promise<void>((_resolve, reject) => {
        left.addEventListener('abort', () => reject(new Error('nobody waits')));
      });
    },
    takePlace: () => {
      if (signals.length > 0) throw new ServiceError('rate_limit_exceeded', 'No place');
      return () => undefined;
    },
  };
  const socket = openSocket(opener, () => {}, sent);
  socket.received('{"op":"subscribe","id":"a"}');
  socket.received('{"op":"subscribe","id":"b"}');
  expect([signals.length, sent.length]).toEqual([1, 1]);
  socket.closed();
  await eventLoopTurn();
  expect([signals[0]!.aborted, sent.length]).toEqual([true, 1]);
});

test('after a flood of messages in one turn, the connection is cut before any of them is handled', () => {
  const jobs: (() => void)[] = [];
  let received = 0;
  let cutAfter = null as number | null;
  const backlog = () => ({ set: () => true }) as unknown as Backlog;
  const opener = { backlog, inTurn: (_caller: unknown, job: () => void) => jobs.push(job) };
  const socket = openSocket(opener, () => {
    cutAfter ??= received;
  });
  while (cutAfter === null && received < 1_000) {
    received += 1;
    socket.received('{"op":"ping"}');
  }
  expect(cutAfter).toBe(2 * KEYLESS_SOCKET_OPS_ENDING + 1);
  expect(jobs.length).toBe(KEYLESS_SOCKET_OPS_ENDING + 1);
});

test('a flood of pongs that answer no ping cuts the connection', () => {
  for (const text of ['', 'a', '0', '1']) {
    let cuts = 0;
    const socket = openSocket(IDLE_OPENER, () => {
      cuts += 1;
    });
    for (let sent = 0; sent < KEYLESS_SOCKET_OPS_ENDING; sent++) socket.ponged(text);
    expect(cuts).toBe(0);
    socket.ponged(text);
    expect(cuts).toBe(1);
  }
});

test('the pong of each ping is not counted, and a client may answer only the last of several pings', () => {
  let cuts = 0;
  const pings: string[] = [];
  const onCut = () => {
    cuts += 1;
  };
  const socket = openSocket(IDLE_OPENER, onCut, [], pings);
  const sendAndPing = () => {
    socket.received('{"op":"ping"}');
    socket.watch(0);
  };
  for (let sent = 0; sent < 10; sent++) {
    sendAndPing();
    sendAndPing();
    if (sent % 2 === 0) socket.ponged(pings.at(-2)!);
    socket.ponged(pings.at(-1)!);
  }
  expect(pings.length).toBe(20);
  for (let sent = 21; sent < KEYLESS_SOCKET_OPS_ENDING; sent++) socket.ponged(pings.at(-1)!);
  sendAndPing(); // with the twenty messages before, as many as may be sent
  const sentBytes = Number(pings.at(-1));
  socket.ponged(String(sentBytes - 2));
  expect(cuts).toBe(0);
  socket.ponged(String(sentBytes - 1));
  expect(cuts).toBe(1); // one ping has one answer, whatever its text
});

test('messages to a connection that is ending are counted, and a flood of them cuts it', () => {
  let cuts = 0;
  const socket = openSocket(IDLE_OPENER, () => {
    cuts += 1;
  });
  socket.sendAway('limit');
  for (let sent = 0; sent < 2 * KEYLESS_SOCKET_OPS_ENDING; sent++) socket.received('{"op":"ping"}');
  expect(cuts).toBe(0);
  socket.received('{"op":"ping"}');
  expect(cuts).toBe(1);
});

/** Acts on every message immediately. */
const IDLE_OPENER = {
  backlog: () => ({ set: () => true }) as unknown as Backlog,
  inTurn: (_caller: unknown, act: () => void) => act(),
};

/**
 * An open WebSocket.
 * @param onCut called when the server cuts the connection
 * @param sent receives what the server sends
 * @param pings receives the texts of the server's pings
 */
function openSocket(
  opener: object,
  onCut: () => void = () => {},
  sent: string[] = [],
  pings: string[] = [],
): StreamSocket {
  const socket = new StreamSocket(
    {
      ...{ opener: opener as unknown as StreamOpener, publicUrl: 'http://odds.example' },
      clock: { wallMs: () => 0, monotonicMs: () => 0 },
      issueTicket: () => ({ ticket: '', expiresAtMs: 0 }),
      onError: (error) => {
        throw error;
      },
      onClosed: () => undefined,
    },
    {
      ...{ principal: { tier: 'free', seesSharp: false, keyId: null }, clientAddress: '192.0.2.1' },
      ...{ wire: 'json', deflates: false, isAllowed: () => true },
    },
  );
  socket.opened({
    send: (text) => sent.push(String(text)),
    ping: (text) => pings.push(String(text)),
    close: () => {},
    terminate: onCut,
    getBufferedAmount: () => 0,
  });
  return socket;
}
