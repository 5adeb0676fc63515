// The real history worker, in a thread that also dies when a message on a channel requests it.

import '../../src/start/threads/history.worker.ts';
import { die } from '../support/dies-as-told.ts';

new BroadcastChannel('overround-history-death').onmessage = ({ data }) => die(data.how);
