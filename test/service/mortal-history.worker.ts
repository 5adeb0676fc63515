// The real history worker, in a thread that also dies when a message on a channel requests it.

import { die } from '../support/dies-as-told.ts';
import { runWorker } from '../support/test-program.ts';

runWorker('start/threads/history.worker.ts');

new BroadcastChannel('overround-history-death').onmessage = ({ data }) => die(data.how);
