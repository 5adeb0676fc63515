// The rules of ops/overround.nft, loaded in a separate network: a client that opens connections too fast is
// reset, others are not. Skipped without nftables, or if this user may not create a network.

import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const NFT = Bun.which('nft') ?? ['/usr/sbin/nft'].find(existsSync) ?? null;
const CAN_ISOLATE =
  NFT !== null &&
  Bun.which('unshare') !== null &&
  (Bun.which('ip') !== null || existsSync('/usr/sbin/ip')) &&
  Bun.spawnSync(['unshare', '-n', NFT, 'list', 'tables']).exitCode === 0;
if (!CAN_ISOLATE) console.log('skipped: nftables is not installed, or no network may be made');

const BURST = 200;

test.skipIf(!CAN_ISOLATE)(
  'a client that opens connections too fast is reset, and no other client is',
  async () => {
    const shipped = await Bun.file(join(import.meta.dir, '../../ops/overround.nft')).text();
    // In a separate network the only interface is the loopback.
    const rules = shipped.replace('iifname "lo" accept', '');
    const steps = [
      'ip link set lo up',
      'for host in fd00::1/64 fd00::2/64 fd00:0:0:1::1/64; do ip -6 addr add $host dev lo nodad; done',
      `${NFT} -f -`,
      `exec ${process.execPath} ${join(import.meta.dir, 'new-connections.child.ts')}`,
    ];
    const child = Bun.spawnSync(['unshare', '-n', 'sh', '-ec', steps.join('\n')], {
      stdin: new TextEncoder().encode(rules),
      env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
    });
    expect(child.stderr.toString()).toBe('');
    const counts = JSON.parse(child.stdout.toString()) as Record<string, number>;
    for (const client of ['127.0.0.2', '127.0.0.3', 'fd00::1', 'fd00:0:0:1::1']) {
      // The number of connections that a client may open: the burst, and what was refilled meanwhile.
      expect([client, counts[client]! >= BURST, counts[client]! < 2 * BURST]).toEqual([client, true, true]);
    }
    // This address belongs to the network of an earlier client, which has just used up its burst.
    expect(counts['fd00::2']!).toBeLessThan(BURST);
  },
  120_000,
);
