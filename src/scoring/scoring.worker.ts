// Entry point of a scoring worker. It attaches to the store and to its task buffer, then scores the task in
// the buffer whenever the pool sends a message. It waits in its event loop, not in Atomics.wait, because
// waking takes no longer (about 10 microseconds either way), and a worker that waits in its event loop can
// always be terminated.

import { SlateReader } from '../store/reader.ts';
import { createScoreBuffers, type ScoreBuffers } from './hit-rows.ts';
import { createKindBuffers, type KindBuffers } from './kinds/score-kinds.ts';
import {
  attachTaskBuffer,
  scoreTask,
  type TaskBuffer,
  WORKER_READY,
  type WorkerInit,
} from './task-buffer.ts';

declare const self: Worker;

interface Attached {
  readonly reader: SlateReader;
  readonly buffer: TaskBuffer;
  readonly out: ScoreBuffers;
  readonly kinds: KindBuffers;
}

self.addEventListener('message', receiveInit, { once: true });

function receiveInit(event: MessageEvent<WorkerInit>): void {
  const reader = new SlateReader(event.data.storeBuffer);
  const attached = {
    reader,
    buffer: attachTaskBuffer(event.data.taskBuffer),
    out: createScoreBuffers(reader.quotesPerFixture),
    kinds: createKindBuffers(reader.quotesPerFixture),
  };
  self.addEventListener('message', (taskEvent: MessageEvent<number>) =>
    receiveTask(attached, taskEvent.data),
  );
  self.postMessage(WORKER_READY);
}

function receiveTask({ reader, buffer, out, kinds }: Attached, taskNumber: number): void {
  scoreTask(reader, buffer, out, kinds);
  self.postMessage(taskNumber);
}
