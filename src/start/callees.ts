// What main says to the worker of accounts, and what HTTP threads call there.

import type { ServedConfig } from './requirements.ts';

/** /platform, results, and keys where they are in Postgres. */
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
  | { readonly type: 'stop' };
