// The messages from the main thread to the worker of accounts, and the callees that serving threads call
// there.

import type { ServedConfig } from '../requirements.ts';

/** What the worker of accounts answers: /platform, results, and keys if they are in Postgres. */
export const CALLEES = ['accounts', 'archive', 'keys'] as const;
export type Callee = (typeof CALLEES)[number];

export type ToAccounts =
  | {
      readonly type: 'start';
      readonly config: ServedConfig;
      readonly accessMemory: SharedArrayBuffer;
      readonly metricsMemory: SharedArrayBuffer;
    }
  | { readonly type: 'caller'; readonly callee: Callee; readonly port: MessagePort }
  /** Requests a garbage collection: see platform/memory-watch.ts. */
  | { readonly type: 'collect' }
  | { readonly type: 'stop' };
