// Runs attacks in full, each on a separate server. Prints what a customer saw and what the server used,
// beside the aims: `bun test/faults/run-attacks.ts [name] [--fixtures 430] [--addresses 400] [--each 1]
// [--seconds 20] [--rounds 1] [--floor] [--together] [--behind nginx|caddy]`. A quiet time is measured before
// each round, with the same log-ins by others. It is as long as the attack: among more requests the slowest
// one is slower, so both times need about the same number of requests. With --together, all attacks run on
// one server, one after another, with one quiet time. With --floor, each attack also runs against a minimal
// server (floor-server.ts), which costs only what Bun itself costs.

import { parseArgs } from 'node:util';
import { othersMs, type ThreadTime, threadTimes } from '../support/processor-time.ts';
import type { ProxyName } from '../support/proxies.ts';
import { AttackSite, after, type Polled, type Served } from './attack-site.ts';
import { type AnyAttackName, attackTogether } from './attack-together.ts';
import type { AttackSize } from './attacks.ts';

interface FullSize extends AttackSize {
  readonly fixtures: number;
}

/** How long customers are served before quiet times are measured. */
const WARM_UP_SECONDS = 3;
/**
 * The aims: how many times slower calls with a key may be than in quiet times, and the highest resident
 * memory.
 */
const P99_TIMES_MAX = 2;
const PEAK_MB_MAX = 640;
/** Threads that use a smaller share of a processor are not printed. */
const THREAD_SHARE_MIN = 0.005;

/** Lines of the log that report a warning or an error. */
const WARNINGS = /^\S+ (?:warn|error) +(\w+)/gm;

/** Clients that connect again and again, each with one connection at a time. */
const CROWD: FullSize = { fixtures: 430, addresses: 100, each: 1, seconds: 15 };
/** As CROWD, but so many clients that most wait at the pace of callers without a key. */
const MANY_RETURNING: FullSize = { ...CROWD, addresses: 400 };
/** Clients that keep everything open that they have opened. */
const HOLDERS: FullSize = { ...CROWD, addresses: 400 };

const FULL: Readonly<Record<AnyAttackName, FullSize>> = {
  leftStreams: { fixtures: 430, addresses: 80, each: 1, seconds: 15 },
  leftSlates: { fixtures: 430, addresses: 300, each: 1, seconds: 15 },
  refusedReads: { fixtures: 430, addresses: 300, each: 1, seconds: 15 },
  refusedBodies: { fixtures: 150, addresses: 8, each: 1, seconds: 25 },
  wrongMethods: { fixtures: 150, addresses: 8, each: 1, seconds: 25 },
  hugeBodies: { fixtures: 150, addresses: 1, each: 1, seconds: 15 },
  endlessChunks: { fixtures: 150, addresses: 8, each: 1, seconds: 15 },
  endlessReads: { fixtures: 150, addresses: 8, each: 1, seconds: 15 },
  stalledBodies: { fixtures: 150, addresses: 34, each: 30, seconds: 20 },
  stalledSmallBodies: { fixtures: 150, addresses: 34, each: 30, seconds: 20 },
  stalledLogins: { fixtures: 150, addresses: 33, each: 8, seconds: 20 },
  oneByteBodies: { fixtures: 150, addresses: 35, each: 30, seconds: 20 },
  unreadStreams: { fixtures: 430, addresses: 400, each: 1, seconds: 20 },
  unreadViews: { fixtures: 430, addresses: 250, each: 1, seconds: 20 },
  slowReaders: { fixtures: 430, addresses: 9, each: 25, seconds: 20 },
  slowViews: { fixtures: 430, addresses: 400, each: 1, seconds: 20 },
  sweeps: { fixtures: 430, addresses: 33, each: 30, seconds: 20 },
  differentSweeps: { fixtures: 430, addresses: 33, each: 30, seconds: 20 },
  pastSlates: { fixtures: 430, addresses: 34, each: 5, seconds: 15 },
  oneKey: { fixtures: 430, addresses: 1, each: 100, seconds: 15 },
  pipelines: CROWD,
  largeHeaders: CROWD,
  manyHeaders: CROWD,
  manyParameters: CROWD,
  percentBombs: CROWD,
  depthBombs: CROWD,
  tinyChunks: CROWD,
  conditions: CROWD,
  tickets: CROWD,
  signUps: CROWD,
  leftSessions: CROWD,
  mcpBatches: CROWD,
  mcpCalls: CROWD,
  freeKeys: { ...CROWD, addresses: 200 },
  freeSlates: { ...CROWD, addresses: 1_800 },
  freePasts: { ...CROWD, addresses: 400 },
  socketFragments: HOLDERS,
  socketBombs: CROWD,
  packedBombs: CROWD,
  socketPings: HOLDERS,
  subscriptionChurn: CROWD,
  signalThresholds: CROWD,
  readViews: { ...CROWD, addresses: 84 },
  oldCursors: HOLDERS,
  firstCursors: MANY_RETURNING,
  socketReturns: MANY_RETURNING,
  earlyMessages: MANY_RETURNING,
  socketOps: MANY_RETURNING,
  socketGarbage: { ...CROWD, addresses: 200 },
  resumptions: MANY_RETURNING,
  socketResumptions: MANY_RETURNING,
  slowForms: HOLDERS,
  slowPasts: HOLDERS,
  spreadPasts: CROWD,
  slowHistories: HOLDERS,
  alertRules: CROWD,
  pastNames: CROWD,
  halfClosed: MANY_RETURNING,
  oldLists: MANY_RETURNING,
  everyTool: MANY_RETURNING,
  openings: MANY_RETURNING,
  lastEventIds: MANY_RETURNING,
  chunkExtensions: CROWD,
  trailers: CROWD,
  differentOdds: MANY_RETURNING,
  longWords: MANY_RETURNING,
  differentLists: MANY_RETURNING,
  invalidBodies: CROWD,
  manyFields: CROWD,
  largeMessages: CROWD,
  mcpLists: MANY_RETURNING,
  unreadDocuments: HOLDERS,
  pages: MANY_RETURNING,
  probes: MANY_RETURNING,
  compressedSlates: CROWD,
  bodilessAnswers: MANY_RETURNING,
  differentPasts: MANY_RETURNING,
  differentRecords: CROWD,
  bodiedReads: MANY_RETURNING,
  chunkedReads: MANY_RETURNING,
  tinyChunkReads: CROWD,
  openForms: MANY_RETURNING,
  paddedBodies: MANY_RETURNING,
  astrayBodies: MANY_RETURNING,
  wrongKeys: MANY_RETURNING,
  oddCredentials: MANY_RETURNING,
  wrongSessions: MANY_RETURNING,
  keyChurn: CROWD,
  impatient: MANY_RETURNING,
  expectations: HOLDERS,
  oddUpgrades: MANY_RETURNING,
  manySubscriptions: HOLDERS,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    fixtures: { type: 'string' },
    addresses: { type: 'string' },
    each: { type: 'string' },
    seconds: { type: 'string' },
    rounds: { type: 'string', default: '1' },
    floor: { type: 'boolean', default: false },
    behind: { type: 'string' },
    together: { type: 'boolean', default: false },
  },
});
const { floor, rounds, together, behind: _behind, ...sizes } = values;
const behind = proxyOf(values.behind);
const names = positionals.length === 0 ? Object.keys(FULL) : positionals;
const attacks = names.map((name) => {
  if (!(name in FULL)) throw new Error(`Cannot attack: no attack is called ${name}`);
  const full = FULL[name as keyof typeof FULL];
  const numbers = Object.fromEntries(Object.entries(sizes).map(([field, text]) => [field, Number(text)]));
  return { name: name as keyof typeof FULL, size: { ...full, ...numbers } };
});
if (together) await measureTogether();
else for (const attack of attacks) await measureAlone(attack);

/** Runs all attacks one after another on one server, so that many can be compared in little time. */
async function measureTogether(): Promise<void> {
  const fixtures = Math.max(...attacks.map(({ size }) => size.fixtures));
  await using site = await AttackSite.start({ fixtures, behind });
  const paths = await site.oddsPaths();
  await serveQuietly(site, { paths, seconds: WARM_UP_SECONDS });
  const seconds = Math.max(...attacks.map(({ size }) => size.seconds));
  const quiet = await serveQuietly(site, { paths, seconds });
  for (const { name, size } of attacks) {
    console.log(`${name} ${JSON.stringify(size)} after others`);
    await attackOnce(site, name, { size, quiet });
  }
}

async function measureAlone({ name, size }: (typeof attacks)[number]): Promise<void> {
  await measure(name, size, {
    title: '',
    start: () => AttackSite.start({ fixtures: size.fixtures, behind }),
  });
  if (floor) await measure(name, size, { title: ' floor', start: () => AttackSite.floor(behind) });
}

async function measure(
  name: keyof typeof FULL,
  size: FullSize,
  { title, start }: { readonly title: string; readonly start: () => Promise<AttackSite> },
): Promise<void> {
  await using site = await start();
  const paths = await site.oddsPaths();
  await serveQuietly(site, { paths, seconds: WARM_UP_SECONDS });
  console.log(`${name} ${JSON.stringify(size)}${title}`);
  for (let round = 0; round < Number(rounds); round++) {
    const quietTimes = processorTimes(site);
    const quiet = await serveQuietly(site, { paths, seconds: size.seconds });
    const quietUsed = quietTimes();
    await attackOnce(site, name, { size, quiet });
    console.log(`  processor time (waited for it) while it was quiet: ${quietUsed}`);
  }
}

/** Runs each attack once and prints what customers and attackers saw. */
async function attackOnce(
  site: AttackSite,
  name: keyof typeof FULL,
  { size, quiet }: { readonly size: FullSize; readonly quiet: Served },
): Promise<void> {
  const startMb = site.residentMb;
  const loggedBefore = site.log.length;
  const lostBefore = site.lostThreads.length;
  const attackedTimes = processorTimes(site);
  const seen = await attackTogether(site, [{ name, size, awaited: [] }]);
  const attackedUsed = attackedTimes();
  const { customers, ...rest } = seen;
  console.log(`  polls    ${compared(quiet.polls, customers.polls)}`);
  console.log(`  slates   ${compared(quiet.slates, customers.slates)}`);
  console.log(`  queries  ${compared(quiet.queries, customers.queries)}`);
  console.log(`  pasts    ${compared(quiet.pasts, customers.pasts)}`);
  console.log(`  resident ${startMb} MB, peak ${site.peakMb} (aim: ${PEAK_MB_MAX})`);
  console.log(`  threads lost: ${site.lostThreads.slice(lostBefore).join('; ') || 'none'}`);
  console.log(`  logged: ${loggedIn(site.log.slice(loggedBefore))}`);
  console.log(`  processor time (waited for it): ${attackedUsed}`);
  console.log(`  ${JSON.stringify(rest)}`);
}

/** Serves customers without an attack. Others log in meanwhile, as they do during an attack. */
function serveQuietly(
  site: AttackSite,
  { paths, seconds }: { readonly paths: readonly string[]; readonly seconds: number },
): Promise<Served> {
  return site.serveCustomers(paths, () => site.logIn(after(seconds)));
}

/**
 * @returns a function that reports, as text and busiest first, what the threads of the server and of this
 * program have used since this call. If other processes used much, measure again; a proxy counts as one of
 * them.
 */
function processorTimes({ pid }: AttackSite): () => string {
  const startMs = performance.now();
  const [server, clients] = [threadTimes(pid), threadTimes(process.pid)];
  const ours = [pid, process.pid];
  const othersStartMs = othersMs(ours);
  return () => {
    const spentMs = performance.now() - startMs;
    const part = (ms: number) => `${Math.round((100 * ms) / spentMs)} %`;
    const text = (since: ReadonlyMap<string, ThreadTime>, now: ReadonlyMap<string, ThreadTime>) =>
      [...now]
        .map(([name, { usedMs, waitedMs }]) => {
          const before = since.get(name) ?? { usedMs: 0, waitedMs: 0 };
          return { name, usedMs: usedMs - before.usedMs, waitedMs: waitedMs - before.waitedMs };
        })
        .filter(({ usedMs }) => usedMs / spentMs >= THREAD_SHARE_MIN)
        .toSorted((left, right) => right.usedMs - left.usedMs)
        .map(({ name, usedMs, waitedMs }) => `${name} ${part(usedMs)} (${part(waitedMs)})`)
        .join(', ');
    const others = part(othersMs(ours) - othersStartMs);
    return [
      `server ${text(server, threadTimes(pid))}`,
      `clients ${text(clients, threadTimes(process.pid))}`,
      `other processes and the host ${others}`,
    ].join('; ');
  };
}

/** The warnings and errors that the server has logged, each with how often it was logged. */
function loggedIn(log: string): string {
  const counts: Record<string, number> = {};
  for (const [, event] of log.matchAll(WARNINGS)) counts[event!] = (counts[event!] ?? 0) + 1;
  return Object.keys(counts).length === 0 ? 'nothing' : JSON.stringify(counts);
}

function compared(quiet: Polled, attacked: Polled): string {
  const ms = (value: number) => value.toFixed(1);
  const times = attacked.p99Ms / quiet.p99Ms;
  const p95 = `p95 ${ms(quiet.p95Ms)} -> ${ms(attacked.p95Ms)} ms,`;
  return [
    `p50 ${ms(quiet.p50Ms)} -> ${ms(attacked.p50Ms)} ms,`,
    p95,
    `p99 ${ms(quiet.p99Ms)} -> ${ms(attacked.p99Ms)} ms, ${times.toFixed(1)} times (aim: ${P99_TIMES_MAX}),`,
    JSON.stringify(attacked.statuses),
  ].join(' ');
}

function proxyOf(name: string | undefined): ProxyName | undefined {
  if (name === undefined || name === 'nginx' || name === 'caddy') return name;
  throw new Error('--behind nginx or caddy');
}
