// The real HTTP worker, in a thread that also dies when a message on a channel requests it.

import { die } from '../support/dies-as-told.ts';
import { runWorker } from '../support/test-program.ts';

runWorker('start/threads/http.worker.ts');

declare const self: Worker;

let thread = -1;
self.addEventListener('message', ({ data }: MessageEvent<{ type: string; thread: number }>) => {
  if (data.type === 'start') thread = data.thread;
});
new BroadcastChannel('overround-http-death').onmessage = ({ data }) => {
  if (data.thread === thread) die(data.how);
};
