// Mirrors kept by the clients, in each language and runtime, by polling, events and WebSocket, through lost
// connections, snapshots that replace the slate, and server restarts. At each version, a mirror must hold
// what every other mirror and the server have at that version; when the feed pauses, all must reach the
// server's current answer. CLIENT_MIRROR_SEED changes the sequence of events.

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { Random } from '../../src/domain/random.ts';
import { FeedStandIn } from '../service/mirrors/feed-stand-in.ts';
import { until } from '../support/condition.ts';
import { CuttableProxy } from '../support/cuttable-proxy.ts';
import { PYTHON, PYTHON_NOTE } from '../support/python.ts';
import { type RunningService, runService } from '../support/running-service.ts';
import { runs } from '../support/runs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { digestOf } from './digest.ts';
import { bundleFollower, FollowerProcess, type Holding, type MirrorRequest } from './followers.ts';

const ROUNDS = runs(3);
const SEED = Number(process.env.CLIENT_MIRROR_SEED ?? 20_261_122);
/** Each round ends with one of these. Between rounds, all mirrors catch up. */
const ROUND_ENDS = ['cut', 'restart', 'snapshot'] as const;
const MESSAGES_PER_STEP = 60;
const STEP_MS = 20;

const VIEWS: readonly Readonly<Record<string, unknown>>[] = [
  {},
  { markets: ['1x2', 'totals'], bookmakers: ['crown', 'pinnacle'], format: 'american' },
];
const WAYS: readonly Readonly<Record<string, unknown>>[] = [
  { via: 'polling', pollEveryMs: 200 },
  { via: 'events', tick_ms: 200 },
  { via: 'websocket', tick_ms: 150 },
];

/** The transports that support MessagePack. */
const PACKED_WAYS = WAYS.filter(({ via }) => via !== 'events').map((way) => ({ ...way, isPacked: true }));

/**
 * A mirror for each transport, alternating between the two views.
 * @param first the view of the first mirror
 */
function mirrorRequestsOf(program: string, first: 0 | 1, ways = WAYS): MirrorRequest[] {
  return ways.map((way, index) => {
    const view = (first + index) % VIEWS.length;
    const packed = way.isPacked === true ? ' packed' : '';
    return { name: `${program} ${way.via}${packed} ${view}`, ...way, ...VIEWS[view] } as MirrorRequest;
  });
}

interface Program {
  readonly name: string;
  readonly command: readonly string[];
  readonly mirrors: readonly MirrorRequest[];
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * One process keeps the mirrors of both Python clients. Without the websockets package, none uses WebSocket.
 */
function pythonPrograms(): Program[] {
  if (PYTHON === null) return [];
  const { path, env, hasWebSockets, hasMessagePack } = PYTHON;
  const packed = [
    ...mirrorRequestsOf('python', 1, PACKED_WAYS),
    ...mirrorRequestsOf('python-async', 0, PACKED_WAYS),
  ];
  const mirrors = [
    ...mirrorRequestsOf('python', 0),
    ...mirrorRequestsOf('python-async', 1),
    ...(hasMessagePack ? packed : []),
  ].filter(({ via }) => hasWebSockets || via !== 'websocket');
  return [{ name: 'python', command: [path, join(import.meta.dir, 'follower.py')], mirrors, env }];
}

/** The server's answer for a view. */
async function answerOf(
  service: RunningService,
  key: string,
  view: Readonly<Record<string, unknown>>,
): Promise<Holding> {
  const words = new URLSearchParams(view as Record<string, string>);
  const response = await fetch(`${service.url}/v1/odds?${words}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  const { cursor, fixtures } = (await response.json()) as {
    cursor: string;
    fixtures: { event_id: string; event: unknown; state: unknown; odds: unknown[] }[];
  };
  const digest = digestOf(
    fixtures.map(({ event_id, event, state, odds }) => ({ id: event_id, event, state, quotes: odds })),
  );
  return { name: 'the server', cursor, digest };
}

test(
  `mirrors of the clients hold what the server holds, ${ROUNDS} rounds${PYTHON_NOTE.replace('skipped', 'without Python')}`,
  async () => {
    using folder = temporaryFolder();
    const random = new Random(SEED);
    const feed = new FeedStandIn(SEED);
    const start = (): Promise<RunningService> =>
      runService({ FEED: feed.url, HTTP_THREADS: '1', DATA_DIR: folder.path });
    let service = await start();
    const { key } = service;
    await using proxy = await CuttableProxy.to(service.url);

    const byCursor = new Map<string, Holding>();
    const last = new Map<string, Holding>();
    const differences: string[] = [];
    let compared = 0;
    const hear = (holding: Holding): void => {
      const { name, cursor, digest } = holding;
      last.set(name, holding);
      const other = byCursor.get(cursor);
      if (other === undefined) byCursor.set(cursor, holding);
      else {
        compared++;
        if (other.digest !== digest) differences.push(`${name} and ${other.name} differ at ${cursor}`);
      }
    };

    const bundle = await bundleFollower(folder.path);
    const programs: readonly Program[] = [
      {
        name: 'bun',
        command: [process.execPath, bundle],
        mirrors: [...mirrorRequestsOf('bun', 0), ...mirrorRequestsOf('bun', 1, PACKED_WAYS)],
      },
      {
        name: 'node',
        command: ['node', '--experimental-websocket', '--no-warnings', bundle],
        mirrors: mirrorRequestsOf('node', 1),
      },
      ...pythonPrograms(),
    ];
    const names = programs.flatMap(({ mirrors }) => mirrors);
    const followers = programs.map(
      ({ command, ...options }) => new FollowerProcess(command, { url: proxy.url, key, ...options }, hear),
    );
    try {
      /** With the feed paused, waits until every mirror holds the server's answer. */
      const settle = async (): Promise<void> => {
        for (const [index, view] of VIEWS.entries()) {
          const behind = new Set(
            names.filter(({ name }) => name.endsWith(` ${index}`)).map(({ name }) => name),
          );
          await until('every mirror holds what the server answers', async () => {
            for (const follower of followers) follower.assertAlive();
            expect(differences).toEqual([]);
            const answer = await answerOf(service, key, view);
            hear(answer);
            for (const name of behind) if (last.get(name)?.digest === answer.digest) behind.delete(name);
            if (behind.size > 0) await Bun.sleep(STEP_MS);
            return behind.size === 0;
          }).catch((error: Error) => {
            throw new Error(`${error.message}, but not ${[...behind].join(', ')}`);
          });
        }
      };
      await settle();
      for (let round = 0; round < ROUNDS; round++) {
        const steps = 12 + Math.floor(random.unit() * 12);
        for (let step = 0; step < steps; step++) {
          feed.send(MESSAGES_PER_STEP);
          await Bun.sleep(STEP_MS);
          if (random.unit() < 0.1) {
            proxy.cut();
            await Bun.sleep(STEP_MS * 2);
            proxy.restore();
          }
        }
        const end = ROUND_ENDS[round % ROUND_ENDS.length];
        if (end === 'snapshot') feed.replaceSlate();
        else {
          proxy.cut();
          feed.send(MESSAGES_PER_STEP * 5);
          if (end === 'restart') {
            await service[Symbol.asyncDispose]();
            service = await start();
            proxy.retarget(service.url);
          }
          proxy.restore();
        }
        await settle();
      }
      console.log(
        JSON.stringify({ rounds: ROUNDS, compared, versions: byCursor.size, mirrors: names.length }),
      );
      expect(compared).toBeGreaterThan(names.length * ROUNDS);
    } finally {
      await Promise.all(followers.map((follower) => follower.end()));
      await service[Symbol.asyncDispose]();
      await feed.stop();
    }
  },
  (ROUNDS * 15 + 60) * 1_000,
);
