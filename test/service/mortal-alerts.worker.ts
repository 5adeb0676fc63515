// The real alerts worker, in a thread that also dies when a channel requests it, which main cannot do.

import '../../src/start/threads/alerts.worker.ts';
import { die } from '../support/dies-as-told.ts';

new BroadcastChannel('overround-alerts-death').onmessage = ({ data }) => die(data.how);
