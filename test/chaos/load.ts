// `bun run chaos load`: the real server under as many polls as it answers, from wrk, while the feed is lost
// and threads die one after the other. Every answer's status is counted, second by second; a table shows the
// cost of each fault. It ends with an error if a status was not 200, or if a connection broke although no
// HTTP thread died.

import { parseArgs } from 'node:util';
import { toRequestsFile } from '../../bench/http/load.ts';
import { FeedStandIn } from '../service/mirrors/feed-stand-in.ts';
import { createKeys } from '../support/callers.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Fault, faultsNamed, suffer } from './faults.ts';
import { Site } from './site.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    rate: { type: 'string', default: '2000' },
    only: { type: 'string', default: '' },
  },
});
const CONNECTIONS = 64;
/** Each key allows a thousand requests a second. */
const KEYS = 200;
const WARM_SECONDS = 4;
/** For how long wrk polls around one fault, which comes after FAULT_AFTER_MS. */
const WATCHED_SECONDS = 10;
const FAULT_AFTER_MS = 3_300;
const AIM_PER_SECOND = 20_000;

/** The results of wrk. */
interface Polls {
  /** The number of answers by status in each whole second. */
  readonly seconds: readonly ReadonlyMap<string, number>[];
  /** Connections that could not be made or broke. */
  readonly broken: number;
  /** Answers that did not come within two seconds. */
  readonly late: number;
}

/** How long a fault lasts if it ends by itself. */
const LASTS_MS = 2_000;

const QUIET: Fault = { name: 'quiet', provoke: async () => undefined };

async function main(): Promise<void> {
  if (Bun.which('wrk') === null) {
    console.log('Skipped: wrk is not installed, and no other client sends polls fast enough');
    return;
  }
  const faults = [QUIET, ...faultsNamed(values.only).filter(({ underLoad }) => underLoad === true)];
  const feed = new FeedStandIn(Number(values.seed), { fixturesStay: true });
  await using site = new Site(feed.url);
  await site.start();
  await site.whenWell('its start');
  using folder = temporaryFolder();
  const requestsPath = `${folder.path}/requests`;
  const keys = await createKeys(site.dataDir, 'enterprise', KEYS);
  await Bun.write(requestsPath, await requestsOf(site.url, keys));
  const endTalk = feed.sendAtRate(Number(values.rate));
  await poll(site.url, requestsPath, WARM_SECONDS);
  console.log(
    '| fault | polls | slowest second | seconds | 200 | other statuses | broken | late | recovery |',
  );
  console.log('|---|---|---|---|---|---|---|---|');
  const failures: string[] = [];
  for (const fault of faults) {
    const polling = poll(site.url, requestsPath, WATCHED_SECONDS);
    await Bun.sleep(FAULT_AFTER_MS);
    const recoveryMs = await suffer({ site, feed, lastsMs: LASTS_MS }, fault, 0);
    const polls = await polling;
    failures.push(...failuresOf(fault, polls));
    console.log(rowOf(fault, polls, recoveryMs));
  }
  endTalk();
  await feed.stop();
  if (failures.length > 0) throw new Error(failures.join('\n'));
}

/** One poll for each key, of the fixtures in turn. */
async function requestsOf(url: string, keys: readonly string[]): Promise<string> {
  const headersOf = (key: string) => ({ authorization: `Bearer ${key}` });
  const answer = await fetch(`${url}/v1/events?limit=200`, { headers: headersOf(keys[0]!) });
  const { data } = (await answer.json()) as { data: { id: string }[] };
  return toRequestsFile(
    keys.map((key, index) => ({
      path: `/v1/events/${data[index % data.length]!.id}/odds`,
      headers: headersOf(key),
    })),
  );
}

async function poll(url: string, requestsPath: string, seconds: number): Promise<Polls> {
  const script = `${import.meta.dir}/polls.lua`;
  const child = Bun.spawn(['wrk', '-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '-s', script, url], {
    env: { ...process.env, REQUESTS: requestsPath },
    stderr: 'inherit',
  });
  const text = await new Response(child.stdout).text();
  const errors = /^errors (\d+) (\d+) (\d+) (\d+)$/m.exec(text);
  if ((await child.exited) !== 0 || errors === null) throw new Error(`wrk fails: ${text}`);
  const [connect, read, write, late] = errors.slice(1).map(Number);
  const reported = [...text.matchAll(/^(\d{9,})((?: \d+=\d+)*)$/gm)].map(([, second, counts]) => ({
    second: Number(second),
    counts: new Map(
      [...counts!.matchAll(/(\d+)=(\d+)/g)].map(([, status, count]) => [status!, Number(count)]),
    ),
  }));
  // wrk's first second is incomplete, its last is not reported, and a second without any answer is missing.
  const first = reported[0]!.second + 1;
  const all = Array.from({ length: reported.at(-1)!.second - first + 1 }, (_, index) => first + index);
  return {
    seconds: all.map((second) => reported.find((one) => one.second === second)?.counts ?? new Map()),
    broken: connect! + read! + write!,
    late: late!,
  };
}

function failuresOf({ name, mayBreak }: Fault, { seconds, broken, late }: Polls): string[] {
  const others = otherStatuses(seconds);
  return [
    ...(others === '' ? [] : [`${name}: polls were answered ${others}`]),
    ...(broken + late > 0 && mayBreak !== true
      ? [`${name}: ${broken} connections broke, ${late} were late`]
      : []),
  ];
}

function rowOf({ name }: Fault, { seconds, broken, late }: Polls, recoveryMs: number): string {
  const rates = seconds.map((counts) => [...counts.values()].reduce((sum, count) => sum + count, 0));
  const lowest = Math.min(...rates);
  const words = [
    name,
    rates.reduce((sum, rate) => sum + rate, 0),
    lowest < AIM_PER_SECOND ? `${lowest}, below ${AIM_PER_SECOND}` : lowest,
    otherStatuses(seconds) || 'none',
    broken,
    late,
    `${Math.round(recoveryMs)} ms`,
    rates.map((rate) => (rate / 1_000).toFixed(1)).join(' '),
  ];
  return `| ${words.join(' | ')} |`;
}

/** The number of answers for each status except 200, as text; empty if there is no such status. */
function otherStatuses(seconds: readonly ReadonlyMap<string, number>[]): string {
  const counts = new Map<string, number>();
  for (const second of seconds) {
    for (const [status, count] of second) {
      if (status !== '200') counts.set(status, (counts.get(status) ?? 0) + count);
    }
  }
  return [...counts].map(([status, count]) => `${status} ${count} times`).join(', ');
}

await main();
process.exit(0);
