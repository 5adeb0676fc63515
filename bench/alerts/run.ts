// `bun bench/alerts/run.ts`: from a price that a source sends to the POST of its alert, with 1,000 rules,
// half a minute. The service runs in this process with threads of its own; one endpoint answers well,
// another is slow, and what is measured goes to the good one. The baseline is a POST to that endpoint alone.

import { join } from 'node:path';
import { AccountRepository } from '../../src/accounts/account-repository.ts';
import type { AlertRule } from '../../src/alerts/rules/alert-rule.ts';
import { RuleRepository } from '../../src/alerts/rules/rule-repository.ts';
import { systemClock } from '../../src/clock.ts';
import { encodeId, entityNumber } from '../../src/domain/ids.ts';
import { SQLITE_SCHEMAS } from '../../src/start/data/service-database.ts';
import { DATABASE_NAME, openDatabase } from '../../src/storage/database.ts';
import { sqliteSql } from '../../src/storage/sqlite-sql.ts';
import { quoteWire } from '../../test/feed/wire.ts';
import { until } from '../../test/support/condition.ts';
import { pageFeed } from '../../test/support/page-slate.ts';
import { runService } from '../../test/support/running-service.ts';
import { nowText } from '../../test/support/scripted-feed.ts';
import { flagsOf } from '../flags.ts';
import { quantileOf } from '../http/load.ts';

const { isQuick } = flagsOf({
  command: 'bun bench/alerts/run.ts',
  about: 'From a price to the POST of its alert, with 1,000 rules, in half a minute.',
});
const FIXTURES = 100;
const RULES = 1_000;
const SIGNALS = isQuick ? 100 : 400;
const EVERY_MS = 25;
/** A price stands for so many rounds: longer than a step of the watch, which would miss it otherwise. */
const STANDS_ROUNDS = 20;
/** A price that no other quote of the slate reaches. */
const PRICE_FROM = 50;

const arrivedMs = new Map<string, number>();
const endpoint = Bun.serve({
  ...{ port: 0, hostname: '127.0.0.1' },
  fetch: async (request) => {
    const atMs = systemClock.monotonicMs();
    if (new URL(request.url).pathname === '/slow') return new Promise<Response>(() => {});
    const body = (await request.json()) as {
      readonly data?: { readonly items: readonly { readonly details: { readonly price?: number } }[] };
    };
    for (const { details } of body.data?.items ?? []) {
      const name = `${new URL(request.url).pathname} ${details.price}`;
      if (details.price !== undefined && !arrivedMs.has(name)) arrivedMs.set(name, atMs);
    }
    return new Response('');
  },
});
const site = `http://127.0.0.1:${endpoint.port}`;

/** Ten rules for each fixture: nine that nothing reaches, of different kinds, and one that is measured. */
function ruleOf(index: number): AlertRule {
  const fixture = index % FIXTURES;
  const event_id = encodeId('event', entityNumber('event', 0, `e${fixture}`));
  const isMeasured = index < FIXTURES;
  const price = { kind: 'price', market: 'totals', outcome: 'over', again_after_s: 0 } as const;
  const whens: readonly AlertRule['when'][] = [
    { kind: 'value', min_edge_pct: 90 + (index % 7) },
    { kind: 'arbitrage', min_margin_pct: 90 },
    { ...price, price: 1_000 },
    { kind: 'match' },
  ];
  return {
    ...{ id: `alr_${String(index).padStart(20, '0')}`, accountId: 'acc_1', name: `n${index}`, names: {} },
    when: isMeasured ? { ...price, price: PRICE_FROM } : whens[index % whens.length]!,
    where: { event_id },
    to: { url: isMeasured ? `${site}/${fixture}` : `${site}/slow`, format: 'raw' },
    ...{ status: 'active', note: null, secretVersion: 1, rotatedAtMs: null, createdAtMs: index },
  };
}

async function baselineMs(): Promise<number[]> {
  const taken: number[] = [];
  for (let index = 0; index < 100; index++) {
    const startMs = systemClock.monotonicMs();
    await (await fetch(`${site}/base`, { method: 'POST', body: '{}' })).arrayBuffer();
    taken.push(systemClock.monotonicMs() - startMs);
  }
  return taken;
}

const feed = pageFeed(FIXTURES);
const service = await runService({ FEED: feed.url, ALERTS_ALLOW: '127.0.0.1' });
const database = openDatabase({
  path: join(service.dataDir, DATABASE_NAME),
  schemas: SQLITE_SCHEMAS,
  create: false,
});
const sql = sqliteSql(database);
await new AccountRepository(sql).createAccount({
  ...{ id: 'acc_1', email: 'a@example.com', passwordHash: '', plan: 'enterprise' },
  ...{ verifiedAtMs: 1, createdAtMs: 1 },
});
const rules = new RuleRepository(sql);
for (let index = 0; index < RULES; index++) await rules.create(ruleOf(index), RULES);
database.close();
await until('the rules are watched', async () => {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return text.includes(`overround_alert_rules ${RULES}\n`);
});
const sentMs = new Map<string, number>();
// Each round raises the price of one fixture and takes an earlier one back, so that each is a new signal.
for (let round = 0; round < SIGNALS; round++) {
  const fixture = round % FIXTURES;
  const price = PRICE_FROM + 1 + Math.floor(round / FIXTURES);
  const send = (over: number, event: number): void =>
    feed.send(
      quoteWire(0, `e${event}`, {
        ...{ at: nowText(), bookmaker: 'crown', market_type: 'totals', line: 2.5 },
        prices: [over, 1.5],
      }),
    );
  if (round >= STANDS_ROUNDS) send(1.9, (round - STANDS_ROUNDS) % FIXTURES);
  sentMs.set(`/${fixture} ${price}`, systemClock.monotonicMs());
  send(price, fixture);
  await Bun.sleep(EVERY_MS);
}
await until('every signal arrives', () => [...sentMs.keys()].every((name) => arrivedMs.has(name)));
const taken = [...sentMs].map(([name, atMs]) => arrivedMs.get(name)! - atMs);
const base = await baselineMs();
const shown = (values: readonly number[], share: number): string =>
  quantileOf(Float64Array.from(values).sort(), share).toFixed(1);
const [p50, p99] = [shown(taken, 0.5), shown(taken, 0.99)];
console.log(`| ${RULES} rules, ${SIGNALS} signals: price to POST, p50 | ${p50} ms | |`);
console.log(`| the same, p99 | ${p99} ms | at most 250 ms |`);
console.log(`| baseline: a POST to the endpoint alone, p99 | ${shown(base, 0.99)} ms | |`);
await service[Symbol.asyncDispose]();
feed.stop();
endpoint.stop(true);
process.exit(Number(p99) <= 250 ? 0 : 1);
