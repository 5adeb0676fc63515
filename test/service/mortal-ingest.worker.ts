// The real ingest worker, in a thread that also dies when its starter requests it.

import '../../src/ingest/worker.ts';
import '../support/dies-as-told.ts';
