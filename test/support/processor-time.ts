// How much processor time the threads of a process have used, and how long they have waited for a processor.
// Linux only.

import { readdirSync, readFileSync } from 'node:fs';

export interface ThreadTime {
  readonly usedMs: number;
  readonly waitedMs: number;
}

/**
 * The processor time of each thread of a process since its start, by the thread's name. Threads with the same
 * name are added up.
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

/** The unit of times in /proc. */
const TICK_MS = 10;
/** The fields of /proc/stat for the time in which a processor had nothing to do. */
const IDLE_FIELDS: readonly number[] = [3, 4];
const GUEST_FIELD = 8;

/**
 * Processor time since the start of the machine, in milliseconds, that was used by anything except these
 * processes, or by the host of a virtual machine. If it grows much during a measurement, the figures are
 * worth little.
 */
export function othersMs(pids: readonly number[]): number {
  const [line] = readFileSync('/proc/stat', 'utf8').split('\n');
  const times = line!.split(/\s+/).slice(1).map(Number);
  const busy = times.filter((_, field) => field < GUEST_FIELD && !IDLE_FIELDS.includes(field));
  const sum = (ticks: readonly number[]) => ticks.reduce((total, one) => total + one, 0) * TICK_MS;
  return sum(busy) - sum(pids.flatMap(processTicks));
}

function processTicks(pid: number): number[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The numbers follow the name, which may have spaces. The 12th and 13th of them are the user's and the
  // system's time.
  return stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
}
