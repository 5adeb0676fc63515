// What main and an HTTP worker say to each other.

import type { HttpThreadOptions } from './http-thread.ts';

/** Requests in flight may take this long when the service stops. */
export const HTTP_STOP_GRACE_MS = 5_000;

/** What all HTTP threads are given alike; it crosses to a worker as it is. */
export type SharedHttpOptions = Pick<
  HttpThreadOptions,
  'config' | 'storeBuffer' | 'accessMemory' | 'metricsMemory' | 'reusePort'
>;

export type ToHttp =
  | {
      readonly type: 'start';
      readonly shared: SharedHttpOptions;
      readonly thread: number;
      readonly scoringThreads: number;
    }
  | { readonly type: 'stop' };

export type FromHttp = { readonly type: 'listening' } | { readonly type: 'stopped' };
