// The least that a history thread can do: it only frees the ring. What a burst then takes longer than without
// the history is the cost of writing its changes into the ring.

import { TapeRingReader } from '../../src/store/tape-ring.ts';

declare const self: Worker;

/** As often as the history thread. */
const STEP_EVERY_MS = 100;

self.onmessage = ({ data }: MessageEvent<{ readonly tapeMemory: SharedArrayBuffer }>) => {
  const ring = new TapeRingReader(data.tapeMemory);
  ring.want();
  setInterval(() => ring.release(ring.written()), STEP_EVERY_MS);
};
