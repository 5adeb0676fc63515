// The real ingest worker, in a thread that also dies when its starter or a message on a channel requests it.

import '../../../src/ingest/worker.ts';
import { die } from '../../support/dies-as-told.ts';

new BroadcastChannel('overround-ingest-death').onmessage = ({ data }) => die(data as string);
