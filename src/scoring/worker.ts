// Entry of a scoring worker: attaches to the store and to its desk, then scores the task on the desk whenever the pool
// says so. It parks in its event loop, not in Atomics.wait: waking it takes no longer (about 10 microseconds either way
// here), and a worker at rest in its event loop can always be ended.

import { SlateReader } from '../store/reader.ts';
import { attachDesk, type DeskViews, scoreDesk, WORKER_READY, type WorkerInit } from './desk.ts';
import { createScoreBuffers, type ScoreBuffers } from './hits.ts';

declare const self: Worker;

interface Attached {
  readonly reader: SlateReader;
  readonly desk: DeskViews;
  readonly out: ScoreBuffers;
}

self.addEventListener('message', receiveInit, { once: true });

function receiveInit(event: MessageEvent<WorkerInit>): void {
  const reader = new SlateReader(event.data.storeBuffer);
  const attached = {
    reader,
    desk: attachDesk(event.data.deskBuffer),
    out: createScoreBuffers(reader.quotesPerFixture),
  };
  self.addEventListener('message', (taskEvent: MessageEvent<number>) =>
    receiveTask(attached, taskEvent.data),
  );
  self.postMessage(WORKER_READY);
}

function receiveTask({ reader, desk, out }: Attached, taskNumber: number): void {
  scoreDesk(reader, desk, out);
  self.postMessage(taskNumber);
}
