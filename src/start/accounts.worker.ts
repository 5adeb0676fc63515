// The entry of the worker of accounts and of the archive: it hashes passwords, waits for the disk and walks tables, which an
// HTTP thread must not. Every HTTP thread calls it over ports of its own, one for each of the two, which main hands to both.

import { systemClock } from '../clock.ts';
import { BoundedLog, serviceLog } from '../log.ts';
import { installCrashGuards } from '../telemetry/crash-guards.ts';
import { attachMetricsMemory, SharedValues } from '../telemetry/metrics-memory.ts';
import { type Accounts, openAccounts } from './accounts.ts';
import { type Archive, openArchive } from './archive.ts';
import { beatTo } from './beat.ts';
import type { ServedConfig } from './requirements.ts';
import { serveCalls } from './thread-calls.ts';

declare const self: Worker;

/** What HTTP threads call: /platform, and results. */
export type Callee = 'accounts' | 'archive';

/** What main says to the worker of accounts. */
export type ToAccounts =
  | {
      readonly type: 'start';
      readonly config: ServedConfig;
      readonly accessMemory: SharedArrayBuffer;
      readonly metricsMemory: SharedArrayBuffer;
    }
  | { readonly type: 'caller'; readonly callee: Callee; readonly port: MessagePort }
  | { readonly type: 'stop' };

interface Opened {
  /** Ready a while after the start. */
  readonly accounts: Promise<Accounts>;
  readonly archive: Archive;
  readonly storageLog: BoundedLog;
}

/** Of one failing disk, however many requests meet it. */
const STORAGE_LOG = { countMax: 3, windowMs: 60_000 };

/** Null before the start message. */
let opened: Opened | null = null;

self.onmessage = (event: MessageEvent<ToAccounts>) => {
  const message = event.data;
  if (message.type === 'start') opened = open(message);
  else if (opened === null) throw new Error('Assertion failed: the start message comes first');
  else if (message.type === 'caller') void serve(opened, message.callee, message.port);
  else void stop(opened);
};

function open({ config, accessMemory, metricsMemory }: Extract<ToAccounts, { type: 'start' }>) {
  const log = serviceLog(config);
  installCrashGuards(log, new SharedValues(attachMetricsMemory(metricsMemory), null));
  beatTo(self);
  const archive = openArchive(config);
  const accounts = openAccounts({ config, clock: systemClock, log, accessMemory });
  accounts.catch((error: unknown) => {
    // Without the database there is nothing to serve: main starts another worker.
    log.error('accounts_not_opened', { error: String(error) });
    process.exit(1);
  });
  return { accounts, archive, storageLog: new BoundedLog(log, systemClock, STORAGE_LOG) };
}

/** Calls that come before the accounts are open wait in the port. */
async function serve(
  { accounts, archive, storageLog }: Opened,
  callee: Callee,
  port: MessagePort,
): Promise<void> {
  const calls = callee === 'archive' ? { ...archive.calls } : { ...(await accounts).platform };
  serveCalls(port, calls, (cause) => storageLog.warn('storage_failed', { error: String(cause) }));
}

async function stop({ accounts, archive }: Opened): Promise<void> {
  archive.close();
  (await accounts).close();
  self.postMessage({ type: 'stopped' });
}
