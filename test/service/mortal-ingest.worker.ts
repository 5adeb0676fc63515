// The real ingest worker, in a thread that also dies as it is told.

import '../../src/ingest/worker.ts';
import '../support/dies-as-told.ts';
