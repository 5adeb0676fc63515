// The processor time that 1,000 rules cost. The same changes of 1,000 fixtures are sent without rules, with
// them, and without again, in one run. The applied changes are counted, because a server that falls behind
// would seem cheap. Nearly half of the rules are about the whole slate, so that many rules see each change.

import { systemClock } from '../../src/clock.ts';
import { Random } from '../../src/domain/random.ts';
import { sendChanges } from '../../test/support/page-slate.ts';
import { eventId, type GivenRule, type WatchedService, watchedService } from './watched-service.ts';

const FIXTURES = 1_000;
const RULES = 1_000;
const CHANGES_PER_S = 1_000;
const EVERY_MS = 20;
const AIM_CORES = 0.2;
/** Index of `low_hold` in the list of kinds in `rulesOf`. */
const LOW_HOLD = 3;

interface Measured {
  /** Processor seconds of this process per second of elapsed time. */
  readonly cores: number;
  readonly appliedPerS: number;
}

/** @returns whether the aim is met */
export async function benchCost(seconds: number): Promise<boolean> {
  using endpoint = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('') });
  await using service = await watchedService(FIXTURES);
  const before = await measure(service, seconds);
  await service.watch(rulesOf(`http://127.0.0.1:${endpoint.port}`));
  const alertsBefore = await alertsOf(service);
  const watched = await measure(service, seconds);
  const alerts = (await alertsOf(service)) - alertsBefore;
  await service.forget();
  const after = await measure(service, seconds);
  const cost = watched.cores - (before.cores + after.cores) / 2;
  console.log(`| without rules, before and after | ${shown(before)}; ${shown(after)} | |`);
  console.log(`| with ${RULES} rules, ${alerts} alerts taken | ${shown(watched)} | |`);
  console.log(`| the rules | ${cost.toFixed(3)} of a core | below ${AIM_CORES} |`);
  return cost < AIM_CORES;
}

async function alertsOf(service: WatchedService): Promise<number> {
  return service.metric('overround_alerts_total{end="taken"}');
}

function shown({ cores, appliedPerS }: Measured): string {
  return `${cores.toFixed(3)} of a core at ${appliedPerS.toFixed(0)} changes/s`;
}

/** Warms up for a third of the time, then measures. */
async function measure(service: WatchedService, seconds: number): Promise<Measured> {
  await change(service, seconds / 3);
  const appliedBefore = await service.metric('overround_feed_quotes_applied_total');
  const cpuBefore = process.cpuUsage();
  const startMs = systemClock.monotonicMs();
  await change(service, seconds);
  const tookMs = systemClock.monotonicMs() - startMs;
  const { user, system } = process.cpuUsage(cpuBefore);
  const applied = (await service.metric('overround_feed_quotes_applied_total')) - appliedBefore;
  return { cores: (user + system) / 1_000 / tookMs, appliedPerS: (applied / tookMs) * 1_000 };
}

async function change({ feed }: WatchedService, seconds: number): Promise<void> {
  const startMs = systemClock.monotonicMs();
  let sent = 0;
  for (let tookMs = 0; tookMs < seconds * 1_000; tookMs = systemClock.monotonicMs() - startMs) {
    const due = Math.floor((tookMs / 1_000) * CHANGES_PER_S);
    sendChanges(feed, FIXTURES, due - sent, sent);
    sent = due;
    await Bun.sleep(EVERY_MS);
  }
}

/** Rules of every kind in turn; nearly half of them are about the whole slate, the others about one match. */
function rulesOf(url: string): GivenRule[] {
  const random = new Random(7);
  const price = { kind: 'price', market: 'totals', outcome: 'over' } as const;
  const whens: readonly (() => GivenRule['when'])[] = [
    () => ({ kind: 'value', min_edge_pct: 9 + random.index(8) / 2 }),
    () => ({ kind: 'arbitrage', min_margin_pct: 10 + random.index(6) }),
    () => ({ kind: 'middle', min_ev_pct: 10 + 5 * random.index(2) }),
    () => ({ kind: 'low_hold', max_hold_pct: 0.1 }),
    () => ({ kind: 'move', pct: 15 + 5 * random.index(3) }),
    () => ({ kind: 'steam', pct: 20 }),
    () => ({ ...price, price: 2.3 + random.index(20) / 10 }),
    () => ({ kind: 'match' }),
  ];
  return Array.from({ length: RULES }, (_, index) => ({
    when: whens[index % whens.length]!(),
    // Nearly every change of these random prices creates a low hold on some line, so low-hold rules are about
    // one match each.
    where:
      index % 16 < 8 || index % whens.length === LOW_HOLD
        ? { event_id: eventId(random.index(FIXTURES)) }
        : { sport: 'football' },
    url: `${url}/${index % 100}`,
  }));
}
