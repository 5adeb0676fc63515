// The steps for alerts continue, whatever happens in one of them.

import { expect, test } from 'bun:test';
import { alertSteps } from '../../../src/start/alerts/alert-steps.ts';
import { StorageError } from '../../../src/storage/storage-errors.ts';

/**
 * Runs steps that fail with these errors, one after the other.
 * @returns what happened, until a step succeeded
 */
async function ran(...failures: readonly Error[]): Promise<string[]> {
  const seen: string[] = [];
  const left = [...failures];
  const done = Promise.withResolvers<void>();
  const stop = alertSteps(
    {
      isIdle: false,
      beginAgain: () => void seen.push('begin again'),
      step: async () => {
        const failure = left.shift();
        if (failure !== undefined) throw failure;
      },
    },
    {
      onWork: () => {},
      onStep: () => {
        seen.push('step');
        done.resolve();
      },
      onStorageError: (cause) => seen.push(`storage: ${(cause as Error).message}`),
      onError: (error) => seen.push(`bug: ${(error as Error).message}`),
    },
  );
  await done.promise;
  await stop();
  return seen.slice(0, seen.indexOf('step') + 1);
}

test('after a step that failed because of a bug, the engine begins again and the steps continue', async () => {
  expect(await ran(new Error('a constraint'), new Error('another'))).toEqual([
    ...['bug: a constraint', 'begin again', 'bug: another', 'begin again', 'step'],
  ]);
});

test('after a step that failed because of the database, the next step tries again and has lost nothing', async () => {
  const failed = new StorageError('the database is busy', new Error('locked'), { isBusy: true });
  expect(await ran(failed)).toEqual(['storage: locked', 'step']);
});
