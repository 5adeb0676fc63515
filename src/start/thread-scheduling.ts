// Which thread of the process goes first when there are more at work than processors. Linux alone; no right is needed.
//
// Left to itself, Linux lets a poll that comes in wait while another thread computes (a compiler, a collector of garbage, a
// scan) until that one's slice is over, which it looks for every 4 ms on many machines; and a thread that is woken by an
// HTTP thread may take the processor from it in the middle of its polls. So HTTP threads ask for short slices, with which
// they get a processor at once. The rest of the process, ingest excepted, has long slices and never takes a processor from
// another thread just because it wakes up (SCHED_BATCH). Nobody gets more or less of the processors than before. Slices are
// a wish that Linux knows from 6.12 on; before it, they change nothing.
//
// A thread's own collector of garbage keeps the place of the thread that started it: an HTTP thread that has stopped for a
// collection waits for its collector, and no poll shall wait for that of another thread. To put all collectors last, or all of
// them before compilers and scans, made the tail of polls longer.

import { dlopen, FFIType, ptr } from 'bun:ffi';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';

const POLICY_NORMAL = 0;
const POLICY_BATCH = 3;
/** Long enough for a dozen polls: a shorter one ends in the middle of them, and others run until the next look. */
const SHORT_SLICE_NS = 700_000n;
const LONG_SLICE_NS = 10_000_000n;
/** 0 asks for the length that threads have by default, 1.4 ms on two processors. */
const USUAL_SLICE_NS = 0n;
/** Numbers of the system call sched_setattr(2), by processor: the C library has no function for it. */
const SYSTEM_CALLS: Readonly<Record<string, number>> = { x64: 314, arm64: 274 };
/** struct sched_attr in its first version: size, policy, flags, nice, priority, runtime, deadline, period. */
const ATTRIBUTE_BYTES = 48;
const POLICY_AT = 4;
const NICE_AT = 16;
const RUNTIME_AT = 24;
const THIS_THREAD = 0;
const TASKS = '/proc/self/task';
/** The collector of a thread, as Linux cuts its name. */
const COLLECTOR = 'ollector Thread';

interface Scheduling {
  readonly policy: number;
  readonly sliceNs: bigint;
}

const FIRST: Scheduling = { policy: POLICY_NORMAL, sliceNs: SHORT_SLICE_NS };
const LIKE_OTHER_PROCESSES: Scheduling = { policy: POLICY_NORMAL, sliceNs: USUAL_SLICE_NS };
const LAST: Scheduling = { policy: POLICY_BATCH, sliceNs: LONG_SLICE_NS };

/** The calling thread gets a processor as soon as it has something to do. @returns whether the system took the setting */
export function scheduleFirst(): boolean {
  return schedule(THIS_THREAD, FIRST);
}

/**
 * Sets the scheduling of every thread of the process, which threads that they start inherit. The engine starts threads
 * whenever it needs them, some from an HTTP thread, whose short slices they then have too: so call this again and again.
 */
export function scheduleThreads(): void {
  for (const { thread, name } of threads()) {
    if (name !== COLLECTOR) schedule(thread, schedulingOf(name));
  }
}

/** By the names that workers.ts gives its workers. */
function schedulingOf(threadName: string): Scheduling {
  if (threadName.startsWith('http ')) return FIRST;
  return threadName === 'ingest' || threadName === 'follower' ? LIKE_OTHER_PROCESSES : LAST;
}

/** The threads of the process; none where the system does not show them. */
function threads(): { readonly thread: number; readonly name: string }[] {
  try {
    return readdirSync(TASKS).flatMap((text) => {
      const name = nameOf(text);
      return name === null ? [] : [{ thread: Number(text), name }];
    });
  } catch {
    return []; // no /proc: not Linux, or a container without it
  }
}

function nameOf(thread: string): string | null {
  try {
    return readFileSync(`${TASKS}/${thread}/comm`, 'utf8').trim();
  } catch {
    return null; // it has ended meanwhile
  }
}

/** Opened once for each thread that asks: each opening compiles code of its own, which stays. */
let system: ReturnType<typeof openSystem> | undefined;

function schedule(thread: number, { policy, sliceNs }: Scheduling): boolean {
  const call = SYSTEM_CALLS[process.arch];
  if (process.platform !== 'linux' || call === undefined) return false;
  system ??= openSystem();
  if (system === null) return false;
  const attributes = new DataView(new ArrayBuffer(ATTRIBUTE_BYTES));
  attributes.setUint32(0, ATTRIBUTE_BYTES, true);
  attributes.setUint32(POLICY_AT, policy, true);
  attributes.setInt32(NICE_AT, getPriority(THIS_THREAD), true);
  attributes.setBigUint64(RUNTIME_AT, sliceNs, true);
  return system.syscall(BigInt(call), thread, ptr(attributes.buffer), 0) === 0n;
}

function openSystem() {
  try {
    return dlopen('libc.so.6', {
      syscall: { args: [FFIType.i64, FFIType.i32, FFIType.ptr, FFIType.u32], returns: FFIType.i64 },
    }).symbols;
  } catch {
    return null; // another C library
  }
}
