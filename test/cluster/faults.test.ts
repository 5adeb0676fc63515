// A small cluster whose processes die and freeze in turn; `bun run cluster faults` is the full version.

import { expect, test } from 'bun:test';
import { CLUSTER_MISSING } from '../../scripts/cluster/cluster.ts';
import { FAULTS, playStory, tableOf } from './story.ts';

if (CLUSTER_MISSING !== null) console.log(`skipped: ${CLUSTER_MISSING}`);

test.skipIf(CLUSTER_MISSING !== null)(
  'a cluster whose processes die and freeze recovers, and no caller gets a wrong price, an older version or more requests than its limit',
  async () => {
    const rows = await playStory({
      seed: 7,
      messagesPerSecond: 10,
      ingestNodes: 2,
      servingNodes: 2,
      pollers: 1,
      stillMs: 2_000,
      rounds: 1,
    });
    console.log(tableOf(rows));
    expect(rows.map(({ name }) => name)).toEqual(FAULTS.map(({ name }) => name));
  },
  180_000,
);
