// `bun run cluster faults`: every fault of a cluster in turn, under polls and streams, and a table of the
// cost of each. `--only upgraded --from <folder>` begins with the release whose source lies in that folder.

import { parseArgs } from 'node:util';
import { CLUSTER_MISSING } from '../../scripts/cluster/cluster.ts';
import { FAULTS, playStory, tableOf } from './story.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    from: { type: 'string' },
  },
});

if (CLUSTER_MISSING !== null) throw new Error(`Cannot start a cluster: ${CLUSTER_MISSING}`);
const interrupted = Promise.withResolvers<never>();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => interrupted.reject(new Error(`Interrupted by ${signal}`)));
}
const rows = await playStory({
  seed: Number(values.seed),
  messagesPerSecond: 1_000,
  ingestNodes: 2,
  servingNodes: 3,
  pollers: 6,
  stillMs: 10_000,
  rounds: Number(values.rounds),
  interrupted: interrupted.promise,
  ...(values.from === undefined ? {} : { source: values.from }),
  faults: FAULTS.map(({ name }) => name).filter((name) => name.includes(values.only ?? '')),
});
console.log(tableOf(rows));
process.exit(0);
