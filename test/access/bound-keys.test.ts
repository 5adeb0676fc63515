// Keys that expire or are bound to addresses, in every way in which the gate admits them.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { ClientAddresses } from '../../src/access/client-address.ts';
import { SharedGate } from '../../src/access/gate.ts';
import { PaidAddresses } from '../../src/access/paid-addresses.ts';
import { attachAccessMemory } from '../../src/access/quotas/memory.ts';
import { createTicketMemory, Tickets } from '../../src/access/tickets.ts';
import { checkAllowedAddresses } from '../../src/accounts/input.ts';
import { KEYLESS } from '../../src/domain/tiers.ts';
import { fillRandom } from '../../src/start/threads/random.ts';
import { updateRows } from '../../src/storage/row-checksums.ts';
import { validationErrorOf } from '../support/failure.ts';
import { admit, admitTicket } from './admit.ts';
import { AccessBench, START_MS } from './support.ts';

function gateOf(bench: AccessBench) {
  const tickets = new Tickets(createTicketMemory(64), { thread: 0, fillRandom });
  return new SharedGate({ memory: bench.memory, directory: bench.directory, clock: bench.clock, tickets });
}

test('until a key expires it is admitted, its cached answers are served and its streams continue; afterwards it is refused', async () => {
  using bench = new AccessBench();
  const gate = gateOf(bench);
  const expiresAtMs = bench.clock.wallMs() + 60_000;
  const header = `Bearer ${(await bench.createKey('standard', { expiresAtMs })).text}`;
  const key = gate.identify(header);
  expect(gate.charge(key, '', 1).refusal).toBeNull();
  const { principal } = admit(gate, header, '', 1);
  const { ticket } = gate.issueTicket(principal);
  bench.clock.advance(59_999);
  expect([admit(gate, header, '', 1).refusal, gate.isLive(principal)]).toEqual([null, true]);
  bench.clock.advance(1);
  expect(admit(gate, header, '192.0.2.1', 1).refusal?.code).toBe('unauthorized');
  expect([gate.identify(header).principal, gate.isLive(principal)]).toEqual([KEYLESS, false]);
  expect(gate.charge(key, '192.0.2.1', 1).refusal?.code).toBe('unauthorized');
  expect(admitTicket(gate, ticket, '192.0.2.1').refusal?.code).toBe('unauthorized');
});

test('a key that is bound to addresses works only from those addresses, by header and by ticket; a refused call costs nothing', async () => {
  using bench = new AccessBench();
  const gate = gateOf(bench);
  const allowedAddresses = ['192.0.2.0/28', '198.51.100.7', '2001:db8:7::/48', '::ffff:203.0.113.0/120'];
  const header = `Bearer ${(await bench.createKey('standard', { allowedAddresses })).text}`;
  const inside = ['192.0.2.15', '198.51.100.7', '::ffff:192.0.2.1', '2001:db8:7:1::9', '203.0.113.9'];
  const outside = ['192.0.2.16', '198.51.100.8', '2001:db8:8::1', '203.0.114.9', 'unknown', ''];
  expect(gate.identify(header).needsAddress).toBe(true);
  for (const address of inside) expect(admit(gate, header, address, 0).refusal).toBeNull();
  for (const address of outside) expect(admit(gate, header, address, 1).refusal?.code).toBe('forbidden');
  expect(admit(gate, header, inside[0]!, 0).remaining).toBe(120);
  // A cached answer is admitted without the caller's address, so the gate refuses a bound key there.
  expect(gate.charge(gate.identify(header), '', 1).refusal?.code).toBe('forbidden');
  const { principal } = admit(gate, header, inside[0]!, 1);
  expect(admitTicket(gate, gate.issueTicket(principal).ticket, outside[0]!).refusal?.code).toBe('forbidden');
  expect(admitTicket(gate, gate.issueTicket(principal).ticket, inside[0]!).refusal).toBeNull();
  const plain = `Bearer ${(await bench.createKey('standard')).text}`;
  expect([gate.identify(plain).needsAddress, admit(gate, plain, '', 1).refusal]).toEqual([false, null]);
});

test('an IPv4-mapped range wider than all IPv4 addresses is refused; an older key that has such a range is admitted from no address', async () => {
  for (const range of [
    '::ffff:0:0/95',
    '::ffff:192.0.2.0/95',
    '0:0:0:0:0:ffff:c000:200/64',
    '::ffff:1.2.3.4/0',
  ]) {
    const refusal = validationErrorOf(() => checkAllowedAddresses(['192.0.2.7', range]));
    expect(JSON.stringify(refusal.detail)).toContain('all IPv4 addresses are 0.0.0.0/0');
    expect(() => new ClientAddresses([range])).toThrow('Cannot trust proxy');
  }
  expect(() => checkAllowedAddresses(['::ffff:0:0/96', '::/0', '0.0.0.0/0'])).not.toThrow();
  using bench = new AccessBench();
  const gate = gateOf(bench);
  const { text, keyId } = await bench.createKey('standard', { allowedAddresses: ['192.0.2.7'] });
  const header = `Bearer ${text}`;
  // A range that was accepted before 1.0.0.
  const set = { allowed_addresses: '::ffff:0:0/95' };
  updateRows(bench.database, 'api_keys', { where: 'key_id = ?', parameters: [keyId], set });
  for (const address of ['192.0.2.7', '::ffff:192.0.2.7', '::fffe:0:1', '']) {
    expect(admit(gate, header, address, 0).refusal?.code).toBe('forbidden');
  }
  const all = `Bearer ${(await bench.createKey('standard', { allowedAddresses: ['::ffff:0:0/96'] })).text}`;
  expect(admit(gate, all, '192.0.2.7', 0).refusal).toBeNull();
  expect(admit(gate, all, '2001:db8::1', 0).refusal?.code).toBe('forbidden');
});

test('noteAddress: only addresses from which a live paid key works are noted', async () => {
  using bench = new AccessBench();
  const gate = gateOf(bench);
  const headerOf = async (...args: Parameters<typeof bench.createKey>) =>
    `Bearer ${(await bench.createKey(...args)).text}`;
  const bound = await headerOf('standard', { allowedAddresses: ['192.0.2.7'] });
  const note = (credential: string | null, address: string) =>
    gate.noteAddress(gate.identify(credential).principal, address);
  note(bound, '192.0.2.8');
  note(await headerOf('free'), '192.0.2.9');
  note(`${bound}x`, '192.0.2.10');
  note(null, '192.0.2.11');
  const { paid, seed } = attachAccessMemory(bench.memory);
  const noted = () => [...new PaidAddresses(paid, seed).list(START_MS / 1_000)];
  expect(noted()).toEqual([]);
  note(bound, '192.0.2.7');
  expect(noted()).toContain('070200C0');
});

test('a range matches exactly the addresses that share its first bits', async () => {
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
        expect(admit(gate, header, textOf(other), 0).refusal === null).toBe(isInside);
        expect(admit(gate, header, textOf(base), 0).refusal).toBeNull();
      },
    ),
    { numRuns: 40 },
  );
});
