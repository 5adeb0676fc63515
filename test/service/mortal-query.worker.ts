// The real query worker, in a thread that also dies as a channel tells it: main has no word for that.

import '../../src/start/threads/query.worker.ts';
import { die } from '../support/dies-as-told.ts';

new BroadcastChannel('overround-query-death').onmessage = ({ data }) => die(data.how);
