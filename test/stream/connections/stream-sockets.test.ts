// All WebSockets of a thread, with a clock that moves each time it is read.

import { expect, test } from 'bun:test';
import { KEYLESS } from '../../../src/domain/tiers.ts';
import type { Backlog } from '../../../src/stream/connections/backlog.ts';
import type { Socket, SocketHandler } from '../../../src/stream/connections/socket-handler.ts';
import { StreamSockets } from '../../../src/stream/connections/stream-sockets.ts';
import { WATCH_EVERY_MS } from '../../../src/stream/limits.ts';
import type { StreamOpener } from '../../../src/stream/stream-opener.ts';
import { turnsDuring } from '../../support/turns-during.ts';
import { Timers } from '../hub-clients.ts';

test('many connections are checked over several turns of the event loop, in which some close', async () => {
  const timers = new Timers();
  let nowMs = 0;
  const opener = { backlog: () => ({ set: () => true }) as unknown as Backlog };
  const sockets = new StreamSockets({
    ...{ opener: opener as unknown as StreamOpener, publicUrl: '', every: timers.every },
    clock: { wallMs: () => 0, monotonicMs: () => nowMs++ },
    issueTicket: () => ({ ticket: '', expiresAtMs: 0 }),
    onError: (error) => {
      throw error;
    },
  });
  const handlers: SocketHandler[] = [];
  const ended = new Set<SocketHandler>();
  for (let index = 0; index < 200; index++) {
    sockets.open({
      ...{ principal: KEYLESS, clientAddress: '192.0.2.1', header: headerOf, allowance: () => () => false },
      upgrade: (handler) => {
        handlers.push(handler);
        const close = () => ended.add(handler);
        const socket = { send: () => 1, ping: () => 1, close, getBufferedAmount: () => 0 };
        handler.opened(socket as unknown as Socket);
        return true;
      },
    });
  }
  handlers[0]!.closed();
  const counts: number[] = [];
  await turnsDuring(
    () => timers.fire(WATCH_EVERY_MS),
    () => {
      counts.push(ended.size);
      if (counts.length === 1) handlers[199]!.closed();
    },
  );
  expect(counts.length).toBeGreaterThan(10);
  expect(handlers.filter((handler) => !ended.has(handler))).toEqual([handlers[0]!, handlers[199]!]);
});

function headerOf(name: string): string | null {
  return name === 'upgrade' ? 'websocket' : null;
}
