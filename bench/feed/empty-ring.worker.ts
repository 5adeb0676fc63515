// A stand-in for the history thread that does the least possible: it only frees the ring. If a burst with it
// takes longer than a burst without history, the difference is what writing changes into the ring costs.

import { TapeRingReader } from '../../src/store/tape-ring.ts';

declare const self: Worker;

/** The same interval as in the history thread. */
const STEP_EVERY_MS = 100;

self.onmessage = ({ data }: MessageEvent<{ readonly tapeMemory: SharedArrayBuffer }>) => {
  const ring = new TapeRingReader(data.tapeMemory);
  ring.want();
  setInterval(() => ring.release(ring.written()), STEP_EVERY_MS);
};
