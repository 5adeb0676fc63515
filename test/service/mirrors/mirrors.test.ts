// Twenty programs mirror views of random filters, tiers, formats and transports, and stall, disconnect and
// resume, while the feed sends 5,000 changes a second, the ingest worker dies twice and a snapshot replaces
// the slate. After every event each mirror equals a state that the feed had, and at the end it equals the
// full answer at its cursor. MIRROR_SEED gives another course of events.

import { expect, test } from 'bun:test';
import { Random } from '../../../src/domain/random.ts';
import { rulesOf, TIER_KEYS, type TierKey } from '../../../src/domain/tiers.ts';
import type { Answer } from '../../query/changes-scene.ts';
import { createKeys } from '../../support/callers.ts';
import { until } from '../../support/condition.ts';
import { type RunningService, runService } from '../../support/running-service.ts';
import { runs } from '../../support/runs.ts';
import { CheckedMirror, type MirroredView } from './checked-mirror.ts';
import { FeedStandIn } from './feed-stand-in.ts';
import { MirrorClient, WIRES } from './mirror-client.ts';

const SECONDS = runs(6);
const SEED = Number(process.env.MIRROR_SEED ?? 20_261_121);
const MIRRORS = 20;
const MESSAGES_PER_SECOND = 5_000;
const STEP_MS = 10;
const ACTS_PER_SECOND = 6;
/**
 * How often a client polls to check whether it has reached the end, since a free key allows one poll a
 * second.
 */
const CHECK_EVERY_MS = 1_100;
const FORMATS = ['decimal', 'american', 'hk', 'malay'];

function oneOf<Value>(random: Random, values: readonly Value[]): Value {
  return values[Math.floor(random.unit() * values.length)]!;
}

function viewOf(random: Random, tier: TierKey): MirroredView {
  const sometimes = <Value>(share: number, value: Value): Value | null =>
    random.unit() < share ? value : null;
  const { seesSharp } = rulesOf({ tier });
  return {
    seesSharp,
    bookmakers: sometimes(0.3, seesSharp ? ['crown', 'pinnacle'] : ['crown', 'macau']),
    markets: sometimes(0.3, oneOf(random, [['1x2'], ['totals', 'asian_handicap']])),
    status: sometimes(0.4, oneOf(random, ['scheduled', 'live'] as const)),
    league: sometimes(0.2, 'League 1'),
    format: oneOf(random, FORMATS),
  };
}

function queryOf({ bookmakers, markets, status, league, format }: MirroredView): Record<string, string> {
  return {
    format,
    ...(bookmakers === null ? {} : { bookmakers: bookmakers.join() }),
    ...(markets === null ? {} : { markets: markets.join() }),
    ...(status === null ? {} : { status }),
    ...(league === null ? {} : { league }),
  };
}

async function clientsOf(
  service: RunningService,
  feed: FeedStandIn,
  random: Random,
): Promise<MirrorClient[]> {
  const clients: MirrorClient[] = [];
  for (let index = 0; index < MIRRORS; index++) {
    const tier = TIER_KEYS[index % TIER_KEYS.length]!;
    const [key] = await createKeys(service.dataDir, tier, 1);
    const view = viewOf(random, tier);
    clients.push(
      new MirrorClient({
        url: service.url,
        key: key!,
        wire: WIRES[index % WIRES.length]!,
        query: queryOf(view),
        mirror: new CheckedMirror(view, feed.record),
      }),
    );
  }
  return clients;
}

/** The current full answer to a client's view. */
async function fullOf({ options }: MirrorClient): Promise<CheckedMirror> {
  const words = new URLSearchParams(options.query as Record<string, string>);
  const response = await fetch(`${options.url}/v1/odds?${words}`, {
    headers: { authorization: `Bearer ${options.key}` },
  });
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  const full = new CheckedMirror(options.mirror.view, []);
  full.takeWhole((await response.json()) as Answer);
  return full;
}

/** A client stalls, disconnects, or reconnects, mostly with its cursor. */
async function act(
  client: MirrorClient,
  random: Random,
  counts: { drops: number; resumes: number; stalls: number },
): Promise<void> {
  if (!client.isConnected) {
    if (random.unit() < 0.3) client.options.mirror.forget();
    else counts.resumes++;
    await client.connect();
  } else if (random.unit() < 0.5) {
    counts.drops++;
    await client.drop();
  } else {
    counts.stalls++;
    client.stall(random.unit() * 2_000);
  }
}

test(
  `for ${SECONDS} s at ${MESSAGES_PER_SECOND} messages a second, ${MIRRORS} mirrors equal states of the feed`,
  async () => {
    const random = new Random(SEED);
    const feed = new FeedStandIn(SEED);
    await using service = await runService(
      { FEED: feed.url, HTTP_THREADS: '2' },
      { workerUrls: { ingest: new URL('./mortal-ingest.worker.ts', import.meta.url) } },
    );
    const death = new BroadcastChannel('overround-ingest-death');
    const clients = await clientsOf(service, feed, random);
    await Promise.all(clients.map((client) => client.connect()));
    const counts = { sent: 0, acts: 0, drops: 0, resumes: 0, stalls: 0 };

    const startMs = performance.now();
    const shareNow = (): number => (performance.now() - startMs) / (SECONDS * 1_000);
    const events: [share: number, run: () => void, after: () => boolean][] = [
      [0.3, () => death.postMessage('exit'), () => feed.connections === 1],
      [0.5, () => feed.replaceSlate(), () => true],
      // On a busy machine, the replacement of the thread that died may not be ready yet.
      [0.7, () => death.postMessage('throw'), () => feed.connections === 2],
    ];
    while (shareNow() < 1) {
      const due = Math.floor(((performance.now() - startMs) / 1_000) * MESSAGES_PER_SECOND) - counts.sent;
      feed.send(due);
      counts.sent += due;
      if (events.length > 0 && shareNow() >= events[0]![0] && events[0]![2]()) events.shift()![1]();
      for (; counts.acts < ((performance.now() - startMs) / 1_000) * ACTS_PER_SECOND; counts.acts++) {
        await act(oneOf(random, clients), random, counts);
      }
      for (const { failure } of clients) if (failure !== null) throw failure;
      await Bun.sleep(STEP_MS);
    }

    for (const [, run, after] of events) {
      await until('the feed is followed again', after);
      run();
    }
    await until('the feed is followed after both deaths', () => feed.connections === 3);

    // The feed is idle now, so every mirror reaches the cursor of the full answer and has the same content.
    for (const client of clients) if (!client.isConnected) await client.connect();
    for (const client of clients) {
      const { mirror } = client.options;
      let full = await fullOf(client);
      await until('the mirror has come to the end', async () => {
        if (client.failure !== null) throw client.failure;
        if (mirror.cursor === full.cursor) return true;
        await Bun.sleep(CHECK_EVERY_MS);
        full = await fullOf(client);
        return false;
      });
      expect(mirror.content()).toEqual(full.content());
      await client.drop();
    }
    const mirrors = clients.map(({ options }) => options.mirror);
    const sum = (of: (mirror: CheckedMirror) => number): number =>
      mirrors.reduce((all, one) => all + of(one), 0);
    const figures = {
      ...counts,
      frames: sum(({ framesChecked }) => framesChecked),
      snapshots: sum(({ snapshots }) => snapshots),
      conflated: sum(({ conflated }) => conflated),
      feedConnections: feed.connections,
    };
    console.log(JSON.stringify(figures));
    await feed.stop();
    expect(figures.feedConnections).toBe(3);
    expect(figures.sent).toBeGreaterThan(SECONDS * 1_000);
    expect(Math.min(...mirrors.map(({ framesChecked }) => framesChecked))).toBeGreaterThan(1);
    for (const count of [figures.drops, figures.resumes, figures.stalls])
      expect(count).toBeGreaterThan(SECONDS / 3);
  },
  (SECONDS + 60) * 1_000,
);
