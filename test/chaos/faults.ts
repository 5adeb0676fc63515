// The faults of chaos, in the order in which they happen, and the effect on polls that each may have.

import type { FeedStandIn } from '../service/mirrors/feed-stand-in.ts';
import type { Site } from './site.ts';

/**
 * How often `isReplaced` reads /metrics, which allows a read every 250 ms. All reads together take longer
 * than the longest pause before a restart.
 */
const REPLACED_CHECKS_MAX = 160;
const REPLACED_CHECK_MS = 250;

/** What a fault acts on. */
interface Scene {
  readonly site: Site;
  readonly feed: FeedStandIn;
  /** How long a fault lasts if it ends by itself. */
  readonly lastsMs: number;
}

export interface Fault {
  readonly name: string;
  /** @param time how often this fault was provoked before */
  readonly provoke: (scene: Scene, time: number) => Promise<void>;
  /** Whether the fault is possible here; absent if it always is. */
  readonly needs?: (site: Site) => boolean;
  /** Whether `provoke` resolves only when the fault is over. Recovery is then measured from that moment. */
  readonly lasts?: boolean;
  /** How long after the fault its recovery is first checked. */
  readonly unnoticedMs?: number;
  /** Whether the quick round leaves it out, because it takes long and another test provokes it. */
  readonly isLong?: boolean;
  /** Whether polls may get no answer if their connection belonged to the thread or process that died. */
  readonly mayBreak?: boolean;
  /** Whether polls may be answered 503: there is no slate yet, or its feed seems silent for a moment. */
  readonly mayFail?: boolean;
  /**
   * The kind of thread that the fault ends, so a new one must have been started afterwards. Absent if no
   * thread ends.
   */
  readonly ends?: 'http' | 'query' | 'ingest' | 'accounts';
  /**
   * Whether the fault is also provoked under as many polls as the machine answers (load.ts): the slate is
   * lost or rebuilt, or a thread dies.
   */
  readonly underLoad?: boolean;
}

const CLOCK_STEP_MS = 600_000;
/** The server checks once a second whether its clock was set. */
const CLOCK_UNNOTICED_MS = 1_200;

/** A fault in which a thread throws, ends or hangs. It hits the two HTTP threads in turn. */
function thread(
  [name, worker, how]: readonly [string, Parameters<Site['thread']>[0], string],
  effect: Partial<Fault> = {},
): Fault {
  const provoke: Fault['provoke'] = async ({ site }, time) =>
    site.thread(worker, worker === 'http' ? time % 2 : 0, how);
  return { name, unnoticedMs: how === 'hang' ? 5_500 : 300, provoke, ...effect };
}

const FAULTS: readonly Fault[] = [
  thread(['an HTTP thread throws, and goes on', 'http', 'throw']),
  thread(['an HTTP thread ends', 'http', 'exit'], { ends: 'http', mayBreak: true, underLoad: true }),
  // Quick runs leave out the hangs: service/thread-deaths.test.ts and
  // faults/hung-threads.test.ts test them.
  thread(['an HTTP thread hangs', 'http', 'hang'], { ends: 'http', mayBreak: true, isLong: true }),
  thread(['the ingest thread throws', 'ingest', 'throw'], { ends: 'ingest', underLoad: true }),
  thread(['the ingest thread hangs', 'ingest', 'hang'], { ends: 'ingest', isLong: true }),
  thread(['the query thread throws, and goes on', 'query', 'throw']),
  thread(['the query thread ends', 'query', 'exit'], { ends: 'query', underLoad: true }),
  thread(['the query thread hangs', 'query', 'hang'], { ends: 'query', isLong: true }),
  thread(['the accounts thread ends', 'accounts', 'end'], { ends: 'accounts', underLoad: true }),
  thread(['the scoring threads end', 'scoring', 'end'], { underLoad: true }),
  {
    name: 'the feed is cut',
    lasts: true,
    underLoad: true,
    provoke: ({ feed, lastsMs }) => feed.cut(lastsMs),
  },
  {
    name: 'the feed loses messages',
    unnoticedMs: 300,
    underLoad: true,
    provoke: async ({ feed }) => feed.lose(),
  },
  { name: 'the feed replaces its slate', underLoad: true, provoke: async ({ feed }) => feed.replaceSlate() },
  { name: 'the database is locked', lasts: true, provoke: ({ site, lastsMs }) => site.lockDatabase(lastsMs) },
  {
    name: 'the disk is full',
    needs: ({ hasOwnDisk }) => hasOwnDisk,
    lasts: true,
    provoke: ({ site, lastsMs }) => site.fillDisk(lastsMs),
  },
  {
    name: 'the clock is set back by ten minutes',
    needs: ({ clock }) => clock !== null,
    ends: 'ingest',
    unnoticedMs: CLOCK_UNNOTICED_MS,
    provoke: async ({ site, feed }) => {
      feed.setClock(-CLOCK_STEP_MS);
      site.clock!.set(-CLOCK_STEP_MS);
    },
  },
  {
    name: 'the clock is set ahead by ten minutes',
    needs: ({ clock }) => clock !== null,
    unnoticedMs: CLOCK_UNNOTICED_MS,
    // This is the state after the machine slept: until the feed sends again, the feed seems to have been
    // silent for ten minutes.
    mayFail: true,
    provoke: async ({ site, feed }) => {
      site.clock!.set(0);
      feed.setClock(0);
    },
  },
  { name: 'the process stands still', lasts: true, provoke: ({ site, lastsMs }) => site.standStill(lastsMs) },
  {
    name: 'kill -9 and a start',
    mayBreak: true,
    mayFail: true,
    provoke: async ({ site }) => {
      await site.kill();
      await site.start();
    },
  },
];

/**
 * The faults whose name contains `words`.
 * @throws Error that lists all faults when no name contains them
 */
export function faultsNamed(words: string): readonly Fault[] {
  const found = FAULTS.filter(({ name }) => name.includes(words));
  if (found.length > 0) return found;
  throw new Error(`No fault is named '${words}': ${FAULTS.map(({ name }) => name).join(', ')}`);
}

/**
 * Provokes a fault and waits until the server has recovered.
 * @returns how long the recovery took, in milliseconds
 * @throws Error when it does not recover, or when the thread that should have ended has not
 */
export async function suffer(scene: Scene, fault: Fault, time: number): Promise<number> {
  const { site } = scene;
  const { name, ends } = fault;
  const restarts = ends === undefined ? 0 : await site.restarts(ends);
  const provokedMs = performance.now();
  await fault.provoke(scene, time);
  const sinceMs = fault.lasts === true ? performance.now() : provokedMs;
  // The death of a thread is not noticed immediately: the server counts as healthy until then.
  await Bun.sleep(fault.unnoticedMs ?? 0);
  await site.whenWell(name);
  const recoveryMs = performance.now() - sinceMs;
  if (ends !== undefined && !(await isReplaced(site, ends, restarts))) {
    throw new Error(`${name}: no new thread was started`);
  }
  return recoveryMs;
}

/** Whether a thread was restarted. After several deaths in a row, a restart comes only after a pause. */
async function isReplaced(site: Site, worker: string, restarts: number): Promise<boolean> {
  for (let check = 0; check < REPLACED_CHECKS_MAX; check += 1) {
    if ((await site.restarts(worker)) > restarts) return true;
    await Bun.sleep(REPLACED_CHECK_MS);
  }
  return false;
}
