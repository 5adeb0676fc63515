// Keys that end by themselves or work from some addresses only: at every way in of the gate, and on every route and
// stream of a server.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { createGate } from '../../src/access/gate.ts';
import { createTicketMemory, Tickets } from '../../src/access/tickets.ts';
import { AccessBench, fillRandom } from './support.ts';

function gateOf(bench: AccessBench) {
  const tickets = new Tickets(createTicketMemory(64), { thread: 0, fillRandom });
  return createGate({ memory: bench.memory, directory: bench.directory, clock: bench.clock, tickets });
}

test('a key that ends by itself: admitted, hit and streamed until then, and never after', async () => {
  using bench = new AccessBench();
  const gate = gateOf(bench);
  const expiresAtMs = bench.clock.wallMs() + 60_000;
  const header = `Bearer ${(await bench.createKey('standard', { expiresAtMs })).text}`;
  const key = gate.keyOf(header)!;
  expect(gate.take(key)).not.toBeNull();
  const { principal } = gate.admit(header, '', 1);
  const { ticket } = gate.issueTicket(principal);
  bench.clock.advance(59_999);
  expect([gate.admit(header, '', 1).refusal, gate.isLive(principal)]).toEqual([null, true]);
  bench.clock.advance(1);
  expect(gate.admit(header, '192.0.2.1', 1).refusal?.code).toBe('unauthorized');
  expect([gate.keyOf(header), gate.isLive(principal)]).toEqual([null, false]);
  expect(gate.admitTicket(ticket, '192.0.2.1').refusal?.code).toBe('unauthorized');
});

test('a key that is bound to addresses: from there alone, by header and by ticket, and it costs others nothing', async () => {
  using bench = new AccessBench();
  const gate = gateOf(bench);
  const allowedAddresses = ['192.0.2.0/28', '198.51.100.7', '2001:db8:7::/48', '::ffff:203.0.113.0/120'];
  const header = `Bearer ${(await bench.createKey('standard', { allowedAddresses })).text}`;
  const inside = ['192.0.2.15', '198.51.100.7', '::ffff:192.0.2.1', '2001:db8:7:1::9', '203.0.113.9'];
  const outside = ['192.0.2.16', '198.51.100.8', '2001:db8:8::1', '203.0.114.9', 'unknown', ''];
  expect(gate.needsAddress(header)).toBe(true);
  for (const address of inside) expect(gate.admit(header, address, 0).refusal).toBeNull();
  for (const address of outside) expect(gate.admit(header, address, 1).refusal?.code).toBe('forbidden');
  expect(gate.admit(header, inside[0]!, 0).remaining).toBe(120);
  // The shortest way of a request does not know the address, and leaves it to the long one.
  expect(gate.take(gate.keyOf(header)!)).toBeNull();
  const { principal } = gate.admit(header, inside[0]!, 1);
  expect(gate.admitTicket(gate.issueTicket(principal).ticket, outside[0]!).refusal?.code).toBe('forbidden');
  expect(gate.admitTicket(gate.issueTicket(principal).ticket, inside[0]!).refusal).toBeNull();
  const plain = `Bearer ${(await bench.createKey('standard')).text}`;
  expect([gate.needsAddress(plain), gate.admit(plain, '', 1).refusal]).toEqual([false, null]);
});

test('of any range, just the addresses that share its first bits', async () => {
  using bench = new AccessBench();
  const gate = gateOf(bench);
  const textOf = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
  const value = fc.integer({ min: 0, max: 2 ** 32 - 1 });
  await fc.assert(
    fc.asyncProperty(
      value,
      fc.integer({ min: 8, max: 32 }),
      fc.integer({ min: 0, max: 31 }),
      async (base, bits, flip) => {
        const allowedAddresses = [`${textOf(base)}/${bits}`];
        const header = `Bearer ${(await bench.createKey('free', { allowedAddresses })).text}`;
        const other = (base ^ (1 << flip)) >>> 0;
        const isInside = 31 - flip >= bits;
        expect(gate.admit(header, textOf(other), 0).refusal === null).toBe(isInside);
        expect(gate.admit(header, textOf(base), 0).refusal).toBeNull();
      },
    ),
    { numRuns: 40 },
  );
});
