// Which thread of the process runs first when more threads are busy than there are processors. Linux only; no
// privilege is needed.
//
// By default, an incoming poll waits while another thread computes (a compiler, a garbage collector, a scan),
// until that thread's time slice is over. Many machines check that only every 4 ms. A thread woken by an HTTP
// thread may even take the processor from it in the middle of its polls. So HTTP threads ask for short
// slices, with which they get a processor at once. All other threads, except the one that fills the store,
// have long slices and never take a processor from another thread just because they wake up (SCHED_BATCH).
// Linux supports slices from 6.12 on; before that, they have no effect.
//
// A short slice does not help a thread that has used its share of the processors: with seven busy threads on
// two processors, an HTTP thread that needs a third of one gets less. So threads whose work nobody waits for
// within milliseconds get a third of the usual share while processors are short (a higher nice value): the
// memory allocator, hashing of passwords, accounts, alerts and the price history. The compilers keep the
// usual share: with a third of it, the first thousands of requests take a quarter longer.
//
// A thread's garbage collector keeps the priority of the thread that started it. An HTTP thread that has
// stopped for a collection waits for its collector, and no poll should wait for another thread's collector.
// Two alternatives made the slowest polls slower: to put all collectors last, or to put all of them before
// compilers and scans.
//
// Measured with 900 polls a second on two processors, p99.9 of a poll: beside a scan of the slate every 100
// ms, 3.7 ms without this file, 1.5 with it, 1.1 for bare Bun; beside 20 logins at the same time 7.2, 4.7 and
// 5.0 ms. Beside a feed of 5,000 messages a second, sweeps, logins and searches together, p50 and p99 of a
// poll were 0.4 and 177 ms with equal shares, 0.25 and 39 ms with these; most of the p99 is from the first
// seconds. `bun run bench:http` repeats it. It may be removed when Bun can give a Worker a priority.

import { ptr } from 'bun:ffi';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { cLibrary } from './c-library.ts';

const POLICY_NORMAL = 0;
const POLICY_BATCH = 3;
/**
 * The slice of an HTTP thread, long enough for a dozen polls. A shorter slice ends in the middle of them, and
 * then other threads run until the next scheduler tick.
 */
const SHORT_SLICE_NS = 700_000n;
const LONG_SLICE_NS = 10_000_000n;
/** 0 asks for the default length, 1.4 ms on two processors. */
const USUAL_SLICE_NS = 0n;
/**
 * The number of the system call sched_setattr(2), by architecture, because the C library has no function for
 * it.
 */
const SYSTEM_CALLS: Readonly<Record<string, number>> = { x64: 314, arm64: 274 };
/**
 * Size of struct sched_attr in its first version: size, policy, flags, nice, priority, runtime, deadline,
 * period.
 */
const ATTRIBUTE_BYTES = 48;
const POLICY_AT = 4;
const NICE_AT = 16;
const RUNTIME_AT = 24;
const THIS_THREAD = 0;
const TASKS = '/proc/self/task';
/** Linux truncates the names of threads to this length. */
const NAME_LENGTH_MAX = 15;
/** What the names of HTTP threads begin with (start/serving-workers.ts). */
const HTTP = 'http ';
/** A weight of 335, where a thread has 1024 by default. */
const BACKGROUND_NICE = 5;
/**
 * What the names of background threads begin with: three of ours, then two that the engine names: file
 * access and hashing, and the memory allocator.
 */
const BACKGROUND_NAMES = ['history', 'alerts', 'accounts', 'Bun Pool', 'mi-scav'];
/** A garbage collector's thread name, truncated at its start by the engine. */
const COLLECTOR = 'ollector Thread';

interface Scheduling {
  /** Added to the nice value of the process. */
  readonly nice: number;
  readonly policy: number;
  readonly sliceNs: bigint;
}

const FIRST: Scheduling = { nice: 0, policy: POLICY_NORMAL, sliceNs: SHORT_SLICE_NS };
const LIKE_OTHER_PROCESSES: Scheduling = { nice: 0, policy: POLICY_NORMAL, sliceNs: USUAL_SLICE_NS };
const LAST: Scheduling = { nice: 0, policy: POLICY_BATCH, sliceNs: LONG_SLICE_NS };
const BACKGROUND: Scheduling = { ...LAST, nice: BACKGROUND_NICE };

/**
 * Makes the calling thread get a processor as soon as it has something to do. @returns whether the system
 * accepted the setting
 */
export function scheduleFirst(): boolean {
  return schedule(THIS_THREAD, FIRST);
}

/**
 * How many calls set the scheduling of a thread again. A thread gets its name only after it has started, and
 * before that it has the name of the thread that started it.
 */
const CALLS_PER_THREAD = 4;

/**
 * Returns a function that sets the scheduling of the threads of the process that are new; threads they start
 * inherit it. The engine starts threads at any time, some of them from an HTTP thread, whose short slices
 * they inherit. So call it regularly.
 */
export function threadScheduler(): () => void {
  /** How many calls have set the scheduling of each thread. */
  let callsByThread = new Map<string, number>();
  return () => {
    const before = callsByThread;
    callsByThread = new Map(threadNumbers().map((thread) => [thread, (before.get(thread) ?? 0) + 1]));
    for (const [thread, calls] of callsByThread) {
      if (calls > CALLS_PER_THREAD) continue;
      const name = nameOf(thread);
      if (name !== null && name !== COLLECTOR) schedule(Number(thread), schedulingOf(name));
    }
  };
}

/** The scheduling for a thread, by its name: the main thread names each worker when it starts it. */
function schedulingOf(threadName: string): Scheduling {
  if (threadName.startsWith(HTTP)) return FIRST;
  if (threadName === 'ingest' || threadName === 'follower') return LIKE_OTHER_PROCESSES;
  return BACKGROUND_NAMES.some((name) => threadName.startsWith(name)) ? BACKGROUND : LAST;
}

/**
 * How long the newest thread of this name has waited for a processor since it started, in milliseconds. While
 * the thread computes or sleeps, this does not grow. Null if the system does not count it.
 */
export function processorWaitMs(threadName: string): number | null {
  const name = threadName.slice(0, NAME_LENGTH_MAX);
  const found = threads().findLast((thread) => thread.name === name);
  return found === undefined ? null : waitMsOf(found.thread);
}

/**
 * Finds the HTTP threads that run now.
 * @returns a function for how long they have waited for a processor since they started, in milliseconds; 0 if
 * the system does not count it. It is fast enough to be called every few milliseconds
 */
export function httpThreadsWait(): () => number {
  const found = threads().filter(({ name }) => name.startsWith(HTTP));
  return () => found.reduce((sumMs, { thread }) => sumMs + (waitMsOf(thread) ?? 0), 0);
}

function waitMsOf(thread: number): number | null {
  try {
    const [, waitNs] = readFileSync(`${TASKS}/${thread}/schedstat`, 'utf8').split(' ');
    return Number(waitNs) / 1_000_000;
  } catch {
    return null; // the thread has ended meanwhile, or the kernel was built without these counts
  }
}

/** The threads of the process, oldest first; empty if the system does not list them. */
function threads(): { readonly thread: number; readonly name: string }[] {
  return threadNumbers().flatMap((text) => {
    const name = nameOf(text);
    return name === null ? [] : [{ thread: Number(text), name }];
  });
}

function threadNumbers(): string[] {
  try {
    return readdirSync(TASKS);
  } catch {
    return []; // no /proc: not Linux, or a container without it
  }
}

function nameOf(thread: string): string | null {
  try {
    return readFileSync(`${TASKS}/${thread}/comm`, 'utf8').trim();
  } catch {
    return null; // the thread has ended meanwhile
  }
}

function schedule(thread: number, { nice, policy, sliceNs }: Scheduling): boolean {
  const call = SYSTEM_CALLS[process.arch];
  const system = cLibrary();
  if (system === null || call === undefined) return false;
  const attributes = new DataView(new ArrayBuffer(ATTRIBUTE_BYTES));
  attributes.setUint32(0, ATTRIBUTE_BYTES, true);
  attributes.setUint32(POLICY_AT, policy, true);
  attributes.setInt32(NICE_AT, getPriority(THIS_THREAD) + nice, true);
  attributes.setBigUint64(RUNTIME_AT, sliceNs, true);
  return system.syscall(BigInt(call), thread, ptr(attributes.buffer), 0) === 0n;
}
