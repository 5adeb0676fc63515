// Runs attacks in full and prints what a customer saw and what the server took: `bun test/faults/run-attacks.ts [name]
// [--fixtures 430] [--addresses 400] [--each 1] [--seconds 20]`.

import { parseArgs } from 'node:util';
import { type AttackName, type AttackSize, runAttack } from './attacks.ts';
import { BODY_ATTACKS, type BodyAttackName, runBodyAttack } from './body-attacks.ts';

const FULL: Readonly<Record<AttackName | BodyAttackName, AttackSize>> = {
  leftStreams: { fixtures: 430, addresses: 80, each: 1, seconds: 15 },
  refusedReads: { fixtures: 430, addresses: 300, each: 1, seconds: 15 },
  refusedBodies: { fixtures: 150, addresses: 8, each: 1, seconds: 25 },
  wrongMethods: { fixtures: 150, addresses: 8, each: 1, seconds: 25 },
  hugeBodies: { fixtures: 150, addresses: 1, each: 1, seconds: 15 },
  endlessChunks: { fixtures: 150, addresses: 8, each: 1, seconds: 15 },
  stalledBodies: { fixtures: 150, addresses: 34, each: 30, seconds: 20 },
  stalledSmallBodies: { fixtures: 150, addresses: 34, each: 30, seconds: 20 },
  stalledLogins: { fixtures: 150, addresses: 33, each: 8, seconds: 20 },
  oneByteBodies: { fixtures: 150, addresses: 35, each: 30, seconds: 20 },
  unreadStreams: { fixtures: 430, addresses: 400, each: 1, seconds: 20 },
  unreadViews: { fixtures: 430, addresses: 250, each: 1, seconds: 20 },
  slowReaders: { fixtures: 430, addresses: 9, each: 25, seconds: 20 },
  slowViews: { fixtures: 430, addresses: 400, each: 1, seconds: 20 },
  sweeps: { fixtures: 430, addresses: 33, each: 30, seconds: 20 },
  differentSweeps: { fixtures: 430, addresses: 33, each: 30, seconds: 20 },
  oneKey: { fixtures: 430, addresses: 1, each: 100, seconds: 15 },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    fixtures: { type: 'string' },
    addresses: { type: 'string' },
    each: { type: 'string' },
    seconds: { type: 'string' },
  },
});
const names = positionals.length === 0 ? Object.keys(FULL) : positionals;
for (const name of names) {
  if (!(name in FULL)) throw new Error(`Cannot attack: no attack is called ${name}`);
  const full = FULL[name as keyof typeof FULL];
  const numbers = Object.fromEntries(Object.entries(values).map(([field, text]) => [field, Number(text)]));
  const size = { ...full, ...numbers };
  const result =
    name in BODY_ATTACKS
      ? await runBodyAttack(name as BodyAttackName, size)
      : await runAttack(name as AttackName, size);
  console.log(name, JSON.stringify(size));
  console.log(JSON.stringify(result, null, 1));
}
