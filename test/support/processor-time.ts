// How much processor time the threads of a process have used, and how long they have waited for a processor.
// Linux only.

import { readdirSync, readFileSync } from 'node:fs';

export interface ThreadTime {
  readonly usedMs: number;
  readonly waitedMs: number;
}

/**
 * The time of each thread of a process since its start, by the thread's name; threads with the same name are
 * added up.
 */
export function threadTimes(pid: number): Map<string, ThreadTime> {
  const times = new Map<string, ThreadTime>();
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    const found = threadTime(`/proc/${pid}/task/${task}`);
    if (found === null) continue;
    const { name, usedMs, waitedMs } = found;
    const before = times.get(name) ?? { usedMs: 0, waitedMs: 0 };
    times.set(name, { usedMs: before.usedMs + usedMs, waitedMs: before.waitedMs + waitedMs });
  }
  return times;
}

function threadTime(folder: string): (ThreadTime & { readonly name: string }) | null {
  try {
    const [usedNs, waitedNs] = readFileSync(`${folder}/schedstat`, 'utf8').split(' ');
    const name = readFileSync(`${folder}/comm`, 'utf8').trim();
    return { name, usedMs: Number(usedNs) / 1_000_000, waitedMs: Number(waitedNs) / 1_000_000 };
  } catch {
    return null; // the thread has ended meanwhile
  }
}
