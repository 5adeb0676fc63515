// Times polls, in a thread that does nothing else: the checks of answers and the feed, which stand on another, would count
// as the server's. Each prober follows the whole slate as a client does, by the cursor of its last answer.

import type { PollCounts, ToProbe } from './probe.ts';

declare const self: Worker;

const PROBERS = 4;
const PAUSE_MS = 8;
const ANSWER_MAX_MS = 4_000;
const CURSOR = /"cursor":"([^"]+)"/;

let url = '';
let counts = empty();

self.onmessage = ({ data }: MessageEvent<ToProbe>) => {
  if (data.type === 'take') {
    self.postMessage(counts);
    counts = empty();
    return;
  }
  const isFirst = url === '';
  url = data.url;
  if (isFirst) for (let prober = 0; prober < PROBERS; prober++) void probe(data.key);
};

/** Polls for ever: main ends the thread. */
async function probe(key: string): Promise<void> {
  let cursor = '';
  for (;;) {
    const startMs = performance.now();
    try {
      const response = await fetch(`${url}/v1/odds${cursor === '' ? '' : `?since=${cursor}`}`, {
        headers: { authorization: `Bearer ${key}` },
        signal: AbortSignal.timeout(ANSWER_MAX_MS),
      });
      const text = await response.text();
      if (response.status === 200) counts.latenciesMs.push(performance.now() - startMs);
      else {
        counts.failed++;
        counts.failure = text;
      }
      cursor = CURSOR.exec(text)?.[1] ?? cursor;
    } catch {
      counts.broken++; // counted, and judged by what was done to the server
    }
    await Bun.sleep(PAUSE_MS);
  }
}

function empty(): PollCounts {
  return { latenciesMs: [], broken: 0, failed: 0, failure: '' };
}
