// The real HTTP worker, whose scoring workers a channel can end.

import '../../src/start/threads/http.worker.ts';
import '../support/ends-scoring.ts';
