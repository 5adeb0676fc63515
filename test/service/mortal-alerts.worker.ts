// The real alerts worker, in a thread that also dies when a message on a channel requests it.

import '../../src/start/threads/alerts.worker.ts';
import { die } from '../support/dies-as-told.ts';

new BroadcastChannel('overround-alerts-death').onmessage = ({ data }) => die(data.how);
