// The real query worker, in a thread that dies as a channel tells it, and whose scoring workers another channel ends.

import '../service/mortal-query.worker.ts';
import '../support/ends-scoring.ts';
