// The real ingest worker, in a thread that also dies when its starter or a message on a channel requests it.

import { die } from '../../support/dies-as-told.ts';
import { runWorker } from '../../support/test-program.ts';

runWorker('ingest/worker.ts');

new BroadcastChannel('overround-ingest-death').onmessage = ({ data }) => die(data as string);
