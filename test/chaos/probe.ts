// The interface to the thread that times polls (probe.worker.ts).

import type { Site } from './site.ts';

/** Results of polls since the last call. */
export interface PollCounts {
  latenciesMs: number[];
  /** Polls without an answer: the connection broke, or the time-out was over. */
  broken: number;
  /** Polls that were answered with a status other than 200. */
  failed: number;
  /** The last answer with a status other than 200. */
  failure: string;
}

export type ToProbe =
  | { readonly type: 'poll'; readonly url: string; readonly key: string; readonly pauseMs: number }
  | { readonly type: 'take' };

export class Probe {
  readonly #worker = new Worker(new URL('./probe.worker.ts', import.meta.url).href);

  /** Polls the server of the site, and continues after each restart. */
  constructor(site: Site, options: { readonly key: string; readonly pauseMs: number }) {
    const poll = () => this.#post({ type: 'poll', url: site.url, ...options });
    poll();
    site.onStart = poll;
  }

  /** The results since the last call. */
  take(): Promise<PollCounts> {
    const { promise, resolve } = Promise.withResolvers<PollCounts>();
    this.#worker.onmessage = ({ data }: MessageEvent<PollCounts>) => resolve(data);
    this.#post({ type: 'take' });
    return promise;
  }

  end(): void {
    this.#worker.terminate();
  }

  #post(message: ToProbe): void {
    this.#worker.postMessage(message);
  }
}
