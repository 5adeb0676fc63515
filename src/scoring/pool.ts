// The scoring pool: splits a scan by fixture over a fixed number of workers and caches their results.
//
//   scan -> cache (still valid: no work) -> tasks -> waiting queue -> a worker's task buffer -> worker
//     -> task buffer -> scan, cache
//
// A pool belongs to the thread that started it: the query thread, or an HTTP thread with streams that follow
// signals. Nothing here blocks: workers answer by message.

import { assert, ServiceError } from '../errors.ts';
import { SlateReader } from '../store/reader.ts';
import { checkCriteria, criteriaKey } from './criteria.ts';
import { NO_COUNTS, SCORING_LIMITS, type ScoringLimits, type ScoringStats } from './pool-limits.ts';
import { restOf, type Scan, type ScanRequest, type ScanTask, splitMoved, tasksOf } from './scan.ts';
import { NO_SCORES, ScoreCache } from './score-cache.ts';
import type { FixtureScore, ScoreWithHits } from './score-rows.ts';
import { ScoringWorkers, type SpawnWorker, spawnScoringWorker } from './scoring-workers.ts';

export interface ScoringPoolOptions {
  readonly storeBuffer: SharedArrayBuffer;
  /** Number of workers, 1 or more. */
  readonly threads: number;
  readonly limits?: Partial<ScoringLimits>;
  /** Called for every worker that was lost, for the log. */
  readonly onWorkerLost?: (reason: string) => void;
  /** Creates a worker; tests pass misbehaving ones. */
  readonly spawnWorker?: SpawnWorker;
}

const TRIES_MAX = 2;

export class ScoringPool {
  readonly #limits: ScoringLimits;
  readonly #reader: SlateReader;
  readonly #cache: ScoreCache;
  readonly #workers: ScoringWorkers;
  readonly #scans = new Set<Scan>();
  #waiting: ScanTask[] = [];
  readonly #counts = { ...NO_COUNTS };
  #stopped = false;

  private constructor(options: ScoringPoolOptions) {
    assert(Number.isInteger(options.threads) && options.threads > 0, 'a scoring pool has a worker or more');
    this.#limits = { ...SCORING_LIMITS, ...options.limits };
    this.#reader = new SlateReader(options.storeBuffer);
    this.#cache = new ScoreCache(this.#limits.cachedScoresMax);
    this.#workers = new ScoringWorkers({
      storeBuffer: options.storeBuffer,
      size: options.threads,
      limits: this.#limits,
      spawnWorker: options.spawnWorker ?? spawnScoringWorker,
      onFree: () => this.#handOut(),
      onDone: (task, scores) => this.#finish(task, scores),
      onLost: (reason, task) => {
        options.onWorkerLost?.(reason);
        if (task !== null) this.#retry(task);
      },
    });
  }

  /** Starts the workers. Scans may be requested immediately; they wait for the first worker. */
  static start(options: ScoringPoolOptions): ScoringPool {
    return new ScoringPool(options);
  }

  /**
   * Scores the fixtures of a scan. A fixture whose cached score is still valid comes from the cache, all
   * others go to the workers.
   * @returns scores in the order of the request, without the fixtures that have left the slate
   * @throws ServiceError upstream_unavailable, retry after a second: the queue is full, a task failed twice,
   * the scan missed its deadline, or the pool is stopping
   */
  async scan(request: ScanRequest): Promise<readonly FixtureScore[]> {
    this.#check(request);
    const key = criteriaKey(request);
    const split = splitMoved(this.#reader, this.#cache.scoresOf(key), request);
    const known = split.scores.filter((score) => score !== null);
    this.#counts.fixturesFromCache += known.length;
    return split.moved.positions.length === 0 ? known : this.#score(request, split, key);
  }

  /**
   * Like `scan`, with every hit of each fixture. The cache is not used, because the caller keeps the results.
   */
  async scanHits(request: ScanRequest): Promise<readonly ScoreWithHits[]> {
    this.#check(request);
    const split = splitMoved(this.#reader, NO_SCORES, request);
    if (split.moved.positions.length === 0) return [];
    return (await this.#score(request, split, null)) as readonly ScoreWithHits[];
  }

  #check(request: ScanRequest): void {
    checkCriteria(request);
    this.#counts.scans++;
    if (this.#stopped) throw this.#refusal('the pool is stopping');
  }

  #score(
    request: ScanRequest,
    { scores, moved }: ReturnType<typeof splitMoved>,
    criteriaKey: string | null,
  ): Promise<readonly FixtureScore[]> {
    const movedCount = moved.positions.length;
    const share = this.#shareOf(movedCount);
    const taskCount = Math.ceil(movedCount / share);
    if (this.#waiting.length + taskCount > this.#limits.tasksWaitingMax)
      throw this.#refusal('its queue is full');
    const scan: Scan = {
      criteriaKey,
      scores,
      result: Promise.withResolvers(),
      deadline: setTimeout(() => this.#fail(scan, 'it missed its deadline'), this.#limits.scanDeadlineMs),
      tasksLeft: taskCount,
      isEnded: false,
    };
    this.#scans.add(scan);
    this.#waiting.push(...tasksOf(scan, request, moved, share));
    this.#handOut();
    return scan.result.promise;
  }

  stats(): ScoringStats {
    return {
      threads: this.#workers.size,
      freeThreads: this.#workers.freeCount,
      workersLost: this.#workers.lostCount,
      tasksWaiting: this.#waiting.length,
      cachedScores: this.#cache.count,
      ...this.#counts,
    };
  }

  /** Fails scans under way and ends every worker. Resolves when their threads have ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const scan of this.#scans) this.#fail(scan, 'the pool is stopping');
    await this.#workers.stop();
  }

  /** Number of fixtures per task: an even share per worker, within the limits. */
  #shareOf(fixtureCount: number): number {
    const { fixturesPerTaskMin, fixturesPerTaskMax } = this.#limits;
    const even = Math.ceil(fixtureCount / this.#workers.size);
    return Math.min(Math.max(even, fixturesPerTaskMin), fixturesPerTaskMax);
  }

  #handOut(): void {
    while (this.#waiting.length > 0) {
      const worker = this.#workers.free();
      if (worker === undefined) return;
      worker.give(this.#waiting.shift()!);
    }
  }

  #finish(task: ScanTask, scores: readonly (FixtureScore | null)[]): void {
    this.#counts.fixturesScored += scores.length;
    const { scan } = task;
    const { confirmedAtMs } = task.moment;
    scores.forEach((score, index) => {
      scan.scores[task.positions[index]!] = score;
      if (score !== null && scan.criteriaKey !== null)
        this.#cache.put(scan.criteriaKey, { score, confirmedAtMs });
    });
    if (scores.length < task.positions.length && !scan.isEnded) {
      // The hits of the remaining fixtures did not fit, so those are scored next.
      this.#waiting.unshift(restOf(task, scores.length));
      this.#handOut();
      return;
    }
    scan.tasksLeft--;
    if (scan.tasksLeft > 0 || scan.isEnded) return;
    this.#end(scan);
    scan.result.resolve(scan.scores.filter((score) => score !== null));
  }

  #fail(scan: Scan, why: string): void {
    if (scan.isEnded) return;
    this.#end(scan);
    this.#counts.scansFailed++;
    this.#waiting = this.#waiting.filter((task) => task.scan !== scan);
    scan.result.reject(unavailable(why));
  }

  #end(scan: Scan): void {
    scan.isEnded = true;
    clearTimeout(scan.deadline);
    this.#scans.delete(scan);
  }

  #refusal(why: string): ServiceError {
    this.#counts.scansRefused++;
    return unavailable(why);
  }

  /** Tries a task again, ahead of the queue, after its worker was lost. The second time, its scan fails. */
  #retry(task: ScanTask): void {
    if (task.scan.isEnded) return;
    task.tries++;
    if (task.tries === TRIES_MAX) {
      this.#fail(task.scan, 'its worker failed twice');
      return;
    }
    this.#counts.tasksRetried++;
    this.#waiting.unshift(task);
    this.#handOut();
  }
}

function unavailable(why: string): ServiceError {
  return new ServiceError('upstream_unavailable', `Cannot scan slate: ${why}`, {
    retryAfterSeconds: 1,
    fix: 'Retry after a second',
  });
}
