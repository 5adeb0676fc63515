// The real HTTP worker. A message on a channel ends its scoring workers.

import '../../src/start/threads/http.worker.ts';
import '../support/ends-scoring.ts';
