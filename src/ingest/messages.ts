// What main and the ingest worker say to each other. Everything else passes through the store.

import type { Config } from '../config.ts';

export interface IngestStart {
  readonly type: 'start';
  readonly storeBuffer: SharedArrayBuffer;
  readonly config: Config;
  /** When the service started, Unix ms. */
  readonly startMs: number;
}
export type ToIngest = IngestStart | { readonly type: 'stop' };

export type FromIngest = { readonly type: 'started' } | { readonly type: 'stopped' };
