// `bun run chaos`: the real server under load, feed and accounts, while its threads throw and hang, its
// process is killed and stopped, its disk is locked and full, and its clock is set. Every answer is checked;
// at the end a table shows the cost of each fault.

import { parseArgs } from 'node:util';
import { FeedStandIn } from '../service/mirrors/feed-stand-in.ts';
import { createKeys } from '../support/callers.ts';
import type { KeyHolder } from '../support/key-holder.ts';
import { Poller, personOf } from './callers.ts';
import { type Fault, faultsNamed, suffer } from './faults.ts';
import { type PollCounts, Probe } from './probe.ts';
import { Site } from './site.ts';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
});
const FAULTS = faultsNamed(values.only);
/** How many callers check answers. */
const POLLERS = values.quick ? 2 : 3;
const MESSAGES_PER_SECOND = values.quick ? 30 : 2_000;
/** The pauses between two polls: of a caller that checks answers, and of a prober. */
const [POLL_PAUSE_MS, PROBE_PAUSE_MS] = values.quick ? [120, 80] : [15, 8];
const QUIET_MS = values.quick ? 700 : 20_000;
/** How long polls are watched after a fault is over. */
const AFTER_MS = values.quick ? 300 : 5_000;
/** How long a fault lasts if it ends by itself. */
const LASTS_MS = values.quick ? 800 : 2_000;

interface Row {
  readonly name: string;
  times: number;
  worstRecoveryMs: number;
  polls: number;
  broken: number;
  failed: number;
  latenciesMs: number[];
}

const feed = new FeedStandIn(Number(values.seed));

/** Runs until the time is over. @throws Error at the first wrong answer */
async function main(): Promise<void> {
  const startMs = performance.now();
  await using site = new Site(feed.url, { setsClock: true });
  await site.start();
  await site.whenWell('its start');
  const [key] = await createKeys(site.dataDir, 'enterprise', 1);
  const pollers = Array.from(
    { length: POLLERS },
    () => new Poller(site, feed, { key: key!, pauseMs: POLL_PAUSE_MS }),
  );
  const probe = new Probe(site, { key: key!, pauseMs: PROBE_PAUSE_MS });
  const person = await personOf(site);
  const endTalk = feed.sendAtRate(MESSAGES_PER_SECOND);
  const callers = [...pollers, person];
  const running = Promise.all(callers.map((caller) => caller.run()));
  const story = playFaults({ site, pollers, probe, person }, startMs);
  // The first failure of any kind ends the run.
  const rows = await Promise.race([story, running.then(() => story)]);
  for (const caller of callers) caller.end();
  probe.end();
  await running;
  endTalk();
  await feed.stop();
  print(rows, person);
}

interface Story {
  readonly site: Site;
  readonly pollers: readonly Poller[];
  readonly probe: Probe;
  readonly person: KeyHolder;
}

async function playFaults({ site, pollers, probe, person }: Story, startMs: number): Promise<Row[]> {
  const rows = [rowOf('quiet'), ...FAULTS.map(({ name }) => rowOf(name))];
  const endMs = startMs + (values.quick ? 0 : Number(values.minutes) * 60_000);
  for (let round = 0; round === 0 || performance.now() < endMs; round++) {
    await Bun.sleep(QUIET_MS);
    add(rows[0]!, await takeCounts(pollers, probe), 0, { name: 'quiet', provoke: async () => undefined });
    for (const [index, fault] of FAULTS.entries()) {
      if (fault.needs?.(site) === false) continue;
      if (fault.isLong === true && values.quick) continue;
      const recoveryMs = await suffer({ site, feed, lastsMs: LASTS_MS }, fault, round);
      await Bun.sleep(AFTER_MS);
      await person.check();
      add(rows[index + 1]!, await takeCounts(pollers, probe), recoveryMs, fault);
    }
  }
  return rows;
}

function rowOf(name: string): Row {
  return { name, times: 0, worstRecoveryMs: 0, polls: 0, broken: 0, failed: 0, latenciesMs: [] };
}

/** Counts of the callers that check answers and of those that time them; latencies only of the latter. */
async function takeCounts(pollers: readonly Poller[], probe: Probe): Promise<PollCounts & { polls: number }> {
  const probed = await probe.take();
  const all = [...pollers.map(({ counts }) => counts), probed];
  for (const poller of pollers) poller.counts = { latenciesMs: [], broken: 0, failed: 0, failure: '' };
  return {
    latenciesMs: probed.latenciesMs,
    polls: all.reduce((sum, { latenciesMs }) => sum + latenciesMs.length, 0),
    broken: all.reduce((sum, { broken }) => sum + broken, 0),
    failed: all.reduce((sum, { failed }) => sum + failed, 0),
    failure: all.map(({ failure }) => failure).join(''),
  };
}

function add(
  row: Row,
  counts: PollCounts & { readonly polls: number },
  recoveryMs: number,
  { mayBreak = false, mayFail = false }: Fault,
): void {
  row.times++;
  row.worstRecoveryMs = Math.max(row.worstRecoveryMs, recoveryMs);
  row.polls += counts.polls;
  row.broken += counts.broken;
  row.failed += counts.failed;
  for (const latencyMs of counts.latenciesMs) row.latenciesMs.push(latencyMs);
  if (counts.latenciesMs.length === 0) throw new Error(`${row.name}: no poll was answered`);
  if (counts.broken > 0 && !mayBreak)
    throw new Error(`${row.name}: ${counts.broken} polls were left without an answer`);
  if (counts.failed > 0 && !mayFail)
    throw new Error(`${row.name}: ${counts.failed} polls were answered 5xx, such as ${counts.failure}`);
}

function print(rows: readonly Row[], person: KeyHolder): void {
  const quietMs = highOf(rows[0]!.latenciesMs);
  console.log('| fault | times | polls | unanswered | 5xx | worst recovery | p99.9 of polls | to quiet |');
  console.log('|---|---|---|---|---|---|---|---|');
  for (const { name, times, polls, broken, failed, worstRecoveryMs, latenciesMs } of rows) {
    if (times === 0) {
      console.log(`| ${name} | skipped: only part of the long run, or not possible on this machine |||||||`);
      continue;
    }
    const highMs = highOf(latenciesMs);
    const words = [
      name,
      times,
      polls,
      broken,
      failed,
      `${Math.round(worstRecoveryMs)} ms`,
      `${Math.round(highMs)} ms`,
    ];
    console.log(`| ${[...words, `${(highMs / quietMs).toFixed(1)}x`].join(' | ')} |`);
  }
  console.log(`Keys: ${person.acknowledged} acknowledged, none lost; ${person.refused} refused or cut off.`);
}

/** The 99.9th percentile. */
function highOf(latenciesMs: readonly number[]): number {
  const sorted = [...latenciesMs].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.999))] ?? 0;
}

await main();
process.exit(0);
