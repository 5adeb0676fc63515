// The real alerts worker, in a thread that also dies when a message on a channel requests it.

import { die } from '../support/dies-as-told.ts';
import { runWorker } from '../support/test-program.ts';

runWorker('start/threads/alerts.worker.ts');

new BroadcastChannel('overround-alerts-death').onmessage = ({ data }) => die(data.how);
