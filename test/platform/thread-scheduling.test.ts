// The time that a thread has waited for a processor, as Linux counts it.

import { expect, test } from 'bun:test';
import { availableParallelism } from 'node:os';
import { processorWaitMs } from '../../src/platform/thread-scheduling.ts';
import { until } from '../support/condition.ts';

const SPIN = URL.createObjectURL(new Blob(['for (;;);'], { type: 'application/javascript' }));

test.if(process.platform === 'linux')(
  'processorWaitMs() grows for a thread that shares its processor',
  async () => {
    const name = 'a name longer than Linux keeps';
    const workers = Array.from({ length: 1 + availableParallelism() }, () => new Worker(SPIN, { name }));
    try {
      await until('the newest has waited', () => (processorWaitMs(name) ?? 0) > 0);
    } finally {
      for (const worker of workers) worker.terminate();
    }
  },
);

test('processorWaitMs() is null for a thread that does not exist', () => {
  expect(processorWaitMs('nobody')).toBeNull();
});
