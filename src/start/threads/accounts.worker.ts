// The entry of the worker for accounts and the archive. It hashes passwords, waits for the disk or Postgres
// and reads whole tables, which an HTTP thread must not do. The query thread calls it over one port for each
// callee, HTTP threads only over a port for keys; the main thread hands out both ends of each channel.

import { systemClock } from '../../clock.ts';
import { type Calls, serveCalls } from '../../http/remote/serve-calls.ts';
import { BoundedLog } from '../../log.ts';
import { ThreadGarbage } from '../../platform/thread-garbage.ts';
import { PostgresPool } from '../../storage/postgres.ts';
import { StorageError, storageErrorOf } from '../../storage/storage-errors.ts';
import { postgresWatch } from '../../telemetry/node-numbers.ts';
import { type Archive, openArchive } from '../data/archive.ts';
import { type RemoteKeys, watchRemoteKeys } from '../data/remote-keys.ts';
import { beginWorker } from '../worker-start.ts';
import { type Accounts, keepOpening, openAccounts } from './accounts.ts';
import type { Callee, ToAccounts } from './callees.ts';

declare const self: Worker;

interface Opened {
  /** Resolves once accounts are open; rejects while opening them fails. */
  readonly accounts: () => Promise<Accounts>;
  readonly archive: Archive;
  /** Null if keys are in the SQLite file, which HTTP threads read themselves. */
  readonly keys: RemoteKeys | null;
  readonly pool: PostgresPool | null;
  readonly storageLog: BoundedLog;
  /**
   * Sends a heartbeat if one is due. It runs at each call, because a flood of calls arrives in one turn of
   * the event loop, before the timer of the heartbeat runs.
   */
  readonly onWork: () => void;
}

/** Limits the lines logged when the storage fails. Otherwise each failed request would log one. */
const STORAGE_LOG = { countMax: 3, windowMs: 60_000 };
const TRY_EVERY_MS = 1_000;

const garbage = ThreadGarbage.inBackground();
/** Null before the start message. */
let opened: Opened | null = null;

self.onmessage = (event: MessageEvent<ToAccounts>) => {
  const message = event.data;
  if (message.type === 'start') opened = open(message);
  else if (opened === null) throw new Error('Assertion failed: the start message comes first');
  else if (message.type === 'caller') serve(opened, message.callee, message.port);
  else if (message.type === 'collect') garbage.collect();
  else void stop(opened);
};

function open(start: Extract<ToAccounts, { type: 'start' }>): Opened {
  const { config, accessMemory } = start;
  const { log, numbers, onWork } = beginWorker(self, start);
  const storageLog = new BoundedLog(log, systemClock, STORAGE_LOG);
  // A separate log: changes are polled every quarter of a second, and their failures would use up the lines
  // meant for failed requests.
  const changesLog = new BoundedLog(log, systemClock, STORAGE_LOG);
  const pool =
    config.databaseUrl === null
      ? null
      : new PostgresPool({
          url: config.databaseUrl,
          watch: postgresWatch(numbers, 'accounts'),
        });
  const keys =
    pool === null
      ? null
      : watchRemoteKeys({
          pool,
          accessMemory,
          clock: systemClock,
          onError: (error) => changesLog.warn('key_changes_unread', { error: String(error) }),
        });
  const archive = openArchive(config, pool);
  const accounts = keepOpening({
    openOnce: () => openAccounts({ config, clock: systemClock, log, accessMemory, pool, keys }),
    pause: () => Bun.sleep(TRY_EVERY_MS),
    onStorageError: (cause) => storageLog.warn('accounts_wait_for_storage', { error: String(cause) }),
    onFailure: (error) => {
      // Without the database this worker cannot do anything. It exits, and the main thread starts another.
      log.error('accounts_not_opened', { error: String(error) });
      process.exit(1);
    },
  });
  return { accounts, archive, keys, pool, storageLog, onWork };
}

function serve(opened: Opened, callee: Callee, port: MessagePort): void {
  const { storageLog } = opened;
  serveCalls(
    port,
    () => callsOf(opened, callee),
    (error) => {
      const storageError = error instanceof StorageError ? error : storageErrorOf(error);
      if (storageError === null) return error;
      storageLog.warn('storage_failed', { error: String(storageError.cause) });
      return storageError;
    },
  );
}

/** The functions of a callee. This runs at each call, and sends a heartbeat if one is due. */
async function callsOf({ accounts, archive, keys, onWork }: Opened, callee: Callee): Promise<Calls> {
  onWork();
  if (callee === 'archive') return { ...archive.calls };
  if (callee === 'keys') return keys === null ? {} : { fetchLive: keys.fetchLive };
  const { platform, alerts } = await accounts();
  return { ...platform, ...alerts };
}

async function stop({ accounts, archive, keys, pool }: Opened): Promise<void> {
  await archive.close();
  keys?.close();
  await accounts().then(
    (open) => open.close(),
    () => {}, // accounts never opened because the storage fails
  );
  await pool?.close();
  self.postMessage({ type: 'stopped' });
}
