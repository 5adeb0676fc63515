// The real query worker, in a thread that also dies when a message on a channel requests it.

import '../../src/start/threads/query.worker.ts';
import { die } from '../support/dies-as-told.ts';

new BroadcastChannel('overround-query-death').onmessage = ({ data }) => die(data.how);
