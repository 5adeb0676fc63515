// The gate of one HTTP thread, called with one key until the key is refused. Reports the wall clock of the
// last admission. Word 0 of `control` counts the threads that have admitted the key at least once.

import { SharedGate } from '../../src/access/gate.ts';
import { SqliteKeyDirectory } from '../../src/accounts/keys/sqlite-key-directory.ts';
import { systemClock } from '../../src/clock.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { admit } from './admit.ts';

declare const self: Worker;

export interface GateJob {
  readonly memory: SharedArrayBuffer;
  readonly control: SharedArrayBuffer;
  readonly path: string;
  readonly authorization: string;
}

/** After this time the worker's loop ends even if the key is never revoked. */
const GIVE_UP_AFTER_MS = 5_000;

self.onmessage = ({ data }: MessageEvent<GateJob>): void => {
  const database = openDatabase({ path: data.path, schemas: [], create: false, check: false });
  const directory = new SqliteKeyDirectory(database);
  const gate = new SharedGate({ memory: data.memory, directory, clock: systemClock });
  const control = new Int32Array(data.control);
  const startedAtMs = systemClock.monotonicMs();
  let lastAdmittedAtMs = 0;
  let admitted = 0;
  for (;;) {
    const askedAtMs = systemClock.wallMs();
    if (admit(gate, data.authorization, '192.0.2.1', 0).refusal !== null) break;
    lastAdmittedAtMs = askedAtMs;
    if (++admitted === 1) Atomics.add(control, 0, 1);
    if (systemClock.monotonicMs() - startedAtMs > GIVE_UP_AFTER_MS) break;
    Atomics.wait(control, 1, 0, 1);
  }
  database.close();
  postMessage(lastAdmittedAtMs);
};
