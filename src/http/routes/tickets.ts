// Tickets, with which a browser opens a stream, because it cannot send an Authorization header there.

import type { Gate } from '../../access/gate.ts';
import { toIsoText } from '../../clock.ts';
import { StreamTicket } from '../../contract/stream/stream.ts';
import { Reply } from '../kit/reply.ts';
import { defineRoute, type Route } from '../kit/route.ts';

export function ticketRoutes(gate: Gate): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/v1/tickets',
      operationId: 'createTicket',
      summary: 'Get a ticket for one stream',
      description:
        'A ticket replaces the key once, within 30 seconds. Send it as the parameter `ticket` of `/v1/stream` or `/v1/ws` from a browser, whose EventSource and WebSocket send no Authorization header. A key may have 100 unused tickets; on the free plan, all keys of an account have 20 together.',
      tags: ['Events and odds'],
      access: 'key',
      response: StreamTicket,
      handle: (_input, { principal }) => {
        const { ticket, expiresAtMs } = gate.issueTicket(principal);
        return Reply.json({ ticket, expires_at: toIsoText(expiresAtMs) }, { cacheControl: 'no-store' });
      },
    }),
  ];
}
