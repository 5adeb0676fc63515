// The real query worker, in a thread that dies when a channel requests it, and whose scoring workers another
// channel ends.

import '../service/mortal-query.worker.ts';
import '../support/ends-scoring.ts';
