// The real history worker, in a thread that also dies when a channel requests it, which main cannot do.

import '../../src/start/threads/history.worker.ts';
import { die } from '../support/dies-as-told.ts';

new BroadcastChannel('overround-history-death').onmessage = ({ data }) => die(data.how);
