// The real HTTP worker. A message on a channel ends its scoring workers.

import '../support/ends-scoring.ts';
import { runWorker } from '../support/test-program.ts';

runWorker('start/threads/http.worker.ts');
