// plays trial in process and times its phases
import { fullGC } from 'bun:jsc';
import { systemClock } from '../src/clock.ts';
import { TapeFollower } from '../src/history/live/tape-follower.ts';
import { TapeReader } from '../src/history/past/tape-reader.ts';
import { sightOf } from '../src/history/past/past-instant.ts';
import { principalOf } from '../src/domain/tiers.ts';
import { tapeBatches } from '../src/history/replay/tape-replay.ts';
import { historyFolder } from '../src/start/history/history-folder.ts';
import { playAlerts } from '../src/start/alerts/past-alerts.ts';
import { dayOf } from '../src/history/tick.ts';
const config = { dataDir: '/tmp/st', historyDir: '/tmp/st/history' };
const limits = { maxEdge: 0.1, maxMargin: 0.1 };
const now = performance.now.bind(performance);
for (let round = 0; round < 6; round++) {
  const t0 = now();
  const cpu0 = process.cpuUsage();
  const folder = historyFolder(config);
  const source = new TapeFollower(folder);
  await source.catchUp();
  const tape = new TapeReader({ folder, source, monotonicMs: systemClock.monotonicMs, onBroken: () => {} });
  const toMs = 1796033030870 + 3600_000;
  const fromMs = toMs - 86_400_000;
  const beginMs = await tape.beginMs(dayOf(fromMs));
  const t1 = now();
  fullGC();
  const t2 = now();
  let batches = 0, messages = 0;
  async function* batchesOf() {
    for await (const batch of tapeBatches({ tape, range: { fromMs: Math.max(fromMs, beginMs! - 1), toMs }, sight: sightOf(principalOf('free')), stamps: 'published', results: new Map(), isOver: () => false })) {
      batches++; messages += batch.messages.length;
      yield batch;
    }
  }
  if (process.argv[2] === 'read') { for await (const _ of batchesOf()); }
  let count = 0;
  if (process.argv[2] !== 'read') await playAlerts(batchesOf(), { rule: { when: { kind: 'value', min_edge_pct: 0, closed: true, again_after_s: 0 } as any, where: {}, names: {} as any, plan: 'free' }, limits }, () => { count++; });
  const t3 = now();
  await folder.close();
  const cpu = process.cpuUsage(cpu0);
  console.log(JSON.stringify({ read: t1 - t0, gc: t2 - t1, play: t3 - t2, batches, messages, count, cpuMs: (cpu.user + cpu.system) / 1000, begin: new Date(beginMs!).toISOString() }));
}
