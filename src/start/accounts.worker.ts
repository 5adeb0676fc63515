// The entry of the worker of accounts: it hashes passwords and waits for the disk, which an HTTP thread must not. Every
// HTTP thread calls it over a port of its own, which main hands to both.

import { systemClock } from '../clock.ts';
import { serviceLog } from '../log.ts';
import { installCrashGuards } from '../telemetry/crash-guards.ts';
import { attachMetricsMemory, SharedValues } from '../telemetry/metrics-memory.ts';
import { type Accounts, openAccounts } from './accounts.ts';
import { beatTo } from './beat.ts';
import type { ServedConfig } from './requirements.ts';
import { serveCalls } from './thread-calls.ts';

declare const self: Worker;

/** What main says to the worker of accounts. */
export type ToAccounts =
  | {
      readonly type: 'start';
      readonly config: ServedConfig;
      readonly accessMemory: SharedArrayBuffer;
      readonly metricsMemory: SharedArrayBuffer;
    }
  | { readonly type: 'caller'; readonly port: MessagePort }
  | { readonly type: 'stop' };

/** Null before the start message. */
let opening: Promise<Accounts> | null = null;

self.onmessage = (event: MessageEvent<ToAccounts>) => {
  const message = event.data;
  if (message.type === 'start') opening = open(message);
  else if (message.type === 'caller') void serve(message.port);
  else void stop();
};

function open({ config, accessMemory, metricsMemory }: Extract<ToAccounts, { type: 'start' }>) {
  const log = serviceLog(config);
  installCrashGuards(log, new SharedValues(attachMetricsMemory(metricsMemory), null));
  beatTo(self);
  const accounts = openAccounts({ config, clock: systemClock, log, accessMemory });
  accounts.catch((error: unknown) => {
    // Without the database there is nothing to serve: main starts another worker.
    log.error('accounts_not_opened', { error: String(error) });
    process.exit(1);
  });
  return accounts;
}

/** Calls that come before the accounts are open wait in the port. */
async function serve(port: MessagePort): Promise<void> {
  if (opening === null) return;
  serveCalls(port, { ...(await opening).platform });
}

async function stop(): Promise<void> {
  (await opening)?.close();
  self.postMessage({ type: 'stopped' });
}
