// The real ingest worker, in a thread that also dies as a channel tells it: main has no word for that.

import '../../../src/ingest/worker.ts';
import { die } from '../../support/dies-as-told.ts';

new BroadcastChannel('overround-ingest-death').onmessage = ({ data }) => die(data as string);
