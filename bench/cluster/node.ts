// One node of the bench in its own process, started by run.ts: a leader whose writer gets a set number of
// messages per second, or a follower. Each records when each version was published there, and prints that at
// the end as JSON.

import { systemClock } from '../../src/clock.ts';
import { Random } from '../../src/domain/random.ts';
import { createLog, writeStandardError } from '../../src/log.ts';
import { SlateFollower } from '../../src/replication/follower.ts';
import { SlateLeader } from '../../src/replication/leader.ts';
import { RedisLink } from '../../src/storage/redis.ts';
import { createStore } from '../../src/store/layout.ts';
import { SlateReader } from '../../src/store/reader.ts';
import { ReplicaWriter } from '../../src/store/writer/replica-writer.ts';
import { SlateWriter } from '../../src/store/writer/writer.ts';
import { attachMetricsMemory, createMetricsMemory } from '../../src/telemetry/metrics-memory.ts';
import { NodeNumbers } from '../../src/telemetry/node-numbers.ts';
import { benchKeys, fillSlate } from '../store-slate.ts';

export interface NodeOptions {
  readonly role: 'leader' | 'follower';
  readonly url: string;
  readonly messagesPerSecond: number;
  readonly fixtures: number;
  readonly quotesPerFixture: number;
}

/** A version, and when readers of this process could first see it, in Unix milliseconds with fractions. */
export type Sighting = readonly [version: number, atMs: number];

const STEP_MS = 2;
const log = createLog({ clock: systemClock, json: false, level: 'warn', write: writeStandardError });
const options = JSON.parse(process.argv[2]!) as NodeOptions;
const sightings: Sighting[] = [];
const numbers = new NodeNumbers(attachMetricsMemory(createMetricsMemory(1)));
const link = () => new RedisLink({ url: options.url, clock: systemClock });
const node = options.role === 'leader' ? lead() : follow();
console.log('ready');
process.on('SIGTERM', async () => {
  await node.close();
  await Bun.write(Bun.stdout, JSON.stringify(sightings));
  process.exit(0);
});

function now(): number {
  return performance.timeOrigin + performance.now();
}

function lead(): { close(): Promise<void> } {
  const storeBuffer = createStore(1);
  const writer = new SlateWriter(storeBuffer);
  const reader = new SlateReader(storeBuffer);
  const random = new Random(1);
  const keys = benchKeys(options.quotesPerFixture);
  fillSlate(writer, { fixtureCount: options.fixtures, keys, random });
  writer.facts.setConnected(true);
  writer.setSnapshotComplete();
  const leader = new SlateLeader({
    link: link(),
    storeBuffer,
    writer,
    clock: systemClock,
    log,
    holder: 'bench',
    standby: null,
    numbers,
  });
  leader.start();
  const startMs = now();
  let sent = 0;
  const timer = setInterval(() => {
    const due = Math.floor(((now() - startMs) / 1_000) * options.messagesPerSecond) - sent;
    if (due <= 0) return;
    sent += due;
    const atMs = systemClock.wallMs();
    for (let message = 0; message < due; message++) {
      const slot = writer.slotOf(1 + random.index(options.fixtures));
      const price = 15_000 + random.index(10_000);
      writer.quotes.putQuote(slot, keys[random.index(keys.length)]!, price, price + 1, 0, 0, atMs);
    }
    writer.publish(atMs);
    sightings.push([reader.slateVersion(), now()]);
    writer.facts.setAppliedAt(atMs);
    writer.facts.setCommonAppliedAt(atMs);
  }, STEP_MS);
  return {
    close: async () => {
      clearInterval(timer);
      await leader.close();
    },
  };
}

function follow(): { close(): Promise<void> } {
  const storeBuffer = createStore(0);
  const writer = new ReplicaWriter(storeBuffer);
  const apply = writer.apply.bind(writer);
  writer.apply = (change) => {
    const refused = apply(change);
    sightings.push([change.version, now()]);
    return refused;
  };
  const follower = new SlateFollower({
    reads: link(),
    calls: link(),
    writer,
    clock: systemClock,
    log,
    numbers,
    onError: (error) => {
      throw error;
    },
  });
  follower.start();
  return follower;
}
