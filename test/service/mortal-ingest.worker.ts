// The real ingest worker, in a thread that also dies on request.

import '../../src/ingest/worker.ts';
import '../support/dies-as-told.ts';
