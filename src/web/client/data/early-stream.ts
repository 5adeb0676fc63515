// The board's request for its prices, which first.ts sends before the board's scripts run.

import { remember } from './choices.ts';

export interface EarlyStream {
  readonly path: string;
  /** The API key that it was sent with. */
  readonly key: string | null;
  readonly answer: Promise<Response>;
  readonly stop: AbortController;
}

interface EarlyWindow {
  overroundEarly?: EarlyStream | undefined;
}

export const STREAM_PATH = '/v1/stream?';

/** Remembers the request of this address for the next visit. Only the board has an early request. */
export function keepRequest(path: string): void {
  if (location.pathname !== '/') return;
  remember('stream', JSON.stringify({ search: location.search, path }));
}

/** Whether first.ts has sent a request that nothing has used yet. */
export function hasEarlyStream(): boolean {
  return (window as EarlyWindow).overroundEarly !== undefined;
}

/**
 * Takes over the answer to the early request. The first stream of the page gets it, if its path and key are
 * the same; otherwise the early request is aborted. Null if there is no answer. Null also if the early
 * request was refused, perhaps because the stream of the page that the visitor just left still counted.
 */
export async function earlyAnswer(
  path: string,
  key: string | null,
  signal: AbortSignal | undefined,
): Promise<Response | null> {
  const page = window as EarlyWindow;
  const early = page.overroundEarly;
  if (early === undefined || !path.startsWith(STREAM_PATH)) return null;
  page.overroundEarly = undefined;
  const { stop } = early;
  if (early.path !== path || early.key !== key) {
    stop.abort();
    return null;
  }
  signal?.addEventListener('abort', () => stop.abort());
  const answer = await early.answer;
  return answer.ok ? answer : null;
}
