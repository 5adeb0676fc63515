// A scoring worker that misbehaves in the way that its first message says. The pool's own messages come after
// that.

import { attachTaskBuffer, WORKER_READY, type WorkerInit } from '../../src/scoring/task-buffer.ts';

declare const self: Worker;

/** `gate` word 0 counts the tasks received. */
export interface Unruliness {
  readonly kind:
    | 'silent at start'
    | 'exits at start'
    | 'spins'
    | 'parks'
    | 'exits'
    | 'throws'
    | 'rejects'
    | 'lies';
  readonly gate: Int32Array;
}

self.addEventListener('message', (event: MessageEvent<Unruliness>) => receiveUnruliness(event.data), {
  once: true,
});

function receiveUnruliness(unruliness: Unruliness): void {
  self.addEventListener('message', (event: MessageEvent<WorkerInit>) => receiveInit(unruliness, event.data), {
    once: true,
  });
}

function receiveInit(unruliness: Unruliness, init: WorkerInit): void {
  attachTaskBuffer(init.taskBuffer);
  if (unruliness.kind === 'silent at start') {
    self.addEventListener('message', () => {}); // without a listener the worker would end
    return;
  }
  if (unruliness.kind === 'exits at start') process.exit(3);
  self.addEventListener('message', (event: MessageEvent<number>) => receiveTask(unruliness, event.data));
  self.postMessage(WORKER_READY);
}

function receiveTask({ kind, gate }: Unruliness, taskNumber: number): void {
  Atomics.add(gate, 0, 1);
  if (kind === 'exits') process.exit(3);
  if (kind === 'throws') throw new Error('unruly');
  if (kind === 'rejects') Promise.reject(new Error('unruly'));
  if (kind === 'lies') self.postMessage(taskNumber);
  while (kind === 'spins') Atomics.load(gate, 0);
}
