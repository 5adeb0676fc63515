// The real query worker, in a thread that also dies when a message on a channel requests it.

import { die } from '../support/dies-as-told.ts';
import { runWorker } from '../support/test-program.ts';

runWorker('start/threads/query.worker.ts');

new BroadcastChannel('overround-query-death').onmessage = ({ data }) => die(data.how);
