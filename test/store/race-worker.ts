// One thread of the race, a writer or a reader. All threads start together, and the race ends with the
// writer.

import { type Breakage, RaceReader, writeRace } from './race.ts';

export interface RaceJob {
  readonly buffer: SharedArrayBuffer;
  /** Int32: [threads ready, race over]. */
  readonly signals: SharedArrayBuffer;
  readonly threadCount: number;
  /** The number of batches to write. With 0, this thread is a reader. */
  readonly batches: number;
  readonly breakage: Breakage;
}

const READY = 0;
const OVER = 1;
const WAIT_MS = 10_000;

declare const self: Worker;

self.onmessage = (message: MessageEvent<RaceJob>) => {
  const { buffer, threadCount, batches, breakage } = message.data;
  const signals = new Int32Array(message.data.signals);
  Atomics.add(signals, READY, 1);
  Atomics.notify(signals, READY);
  for (let ready = Atomics.load(signals, READY); ready < threadCount; ready = Atomics.load(signals, READY)) {
    if (Atomics.wait(signals, READY, ready, WAIT_MS) === 'timed-out')
      throw new Error('Cannot race: a thread is missing');
  }
  if (batches > 0) {
    writeRace(buffer, batches, breakage);
    Atomics.store(signals, OVER, 1);
    self.postMessage(null);
  } else {
    const reader = new RaceReader(buffer);
    do reader.pass();
    while (Atomics.load(signals, OVER) === 0);
    self.postMessage(reader.report());
  }
};
