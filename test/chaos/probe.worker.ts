// Times polls in a thread that does nothing else: the checks of answers and the feed, which run on another
// thread, would otherwise count as the server's time. Each prober follows the whole slate like a client, by
// the cursor of its last answer.

import { pollOdds } from '../service/mirrors/poll-odds.ts';
import type { PollCounts, ToProbe } from './probe.ts';

declare const self: Worker;

const PROBERS = 4;
const ANSWER_MAX_MS = 30_000;
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
  if (isFirst) for (let prober = 0; prober < PROBERS; prober++) void probe(data);
};

/** Polls for ever: main ends the thread. */
async function probe({ key, pauseMs }: { key: string; pauseMs: number }): Promise<void> {
  let cursor: string | null = null;
  for (;;) {
    const polled = await pollOdds({ url, key, cursor, maxMs: ANSWER_MAX_MS });
    if (polled === null) counts.broken++;
    else {
      const { status, text, tookMs } = polled;
      if (status === 200) counts.latenciesMs.push(tookMs);
      else {
        counts.failed++;
        counts.failure = text;
      }
      cursor = CURSOR.exec(text)?.[1] ?? cursor;
    }
    await Bun.sleep(pauseMs);
  }
}

function empty(): PollCounts {
  return { latenciesMs: [], broken: 0, failed: 0, failure: '' };
}
