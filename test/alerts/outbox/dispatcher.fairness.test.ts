// How the dispatcher shares attempts among rules, sites and accounts: pace, merging and fairness. The engine
// and an SQLite database are real; alert-engine.test.ts tests what is stored, over both databases.

import { expect, test } from 'bun:test';
import { OUTBOX_MAX } from '../../../src/alerts/outbox/outbox-store.ts';
import { DELIVERIES_PER_S } from '../../../src/alerts/outbox/routes.ts';
import { until } from '../../support/condition.ts';
import { Node, openSqlite, STEP_MS, stranger, World } from '../engine-world.ts';

const open = async () => new World(await openSqlite());

/** Makes rules of free accounts, each at its own site. Their endpoints hang from `begin` until `end`. */
async function hangingEndpoints(world: World, accounts: number, rules: number) {
  const urls: string[] = [];
  for (let index = 0; index < rules; index++) {
    const rule = await world.rule(`s${index}`, `https://s${index}.test/`, 50, stranger(index % accounts));
    urls.push(rule.to.url);
  }
  let stuck: PromiseWithResolvers<void>;
  return {
    begin: () => {
      stuck = world.hold(...urls);
    },
    end: () => {
      stuck.resolve();
      world.held.clear();
    },
  };
}

test('alerts beyond ten a second are merged', async () => {
  await using world = await open();
  await world.rule('one');
  const node = new Node(world, 'a');
  await node.run(1_000);
  node.news.given.push(...Array.from({ length: 60 }, (_, index) => `s${index}`));
  await until('all have arrived', async () => {
    await node.run(STEP_MS);
    return world.arrived.reduce((sum, { merged }) => sum + merged, 0) >= 60;
  });
  expect(world.arrived.length).toBeLessThan(60);
  expect(world.arrived.reduce((sum, { merged }) => sum + merged, 0)).toBe(60);
});

test('hundreds of endpoints that do not answer do not keep another endpoint from getting its alerts', async () => {
  await using world = await open();
  const node = new Node(world, 'a');
  for (let index = 0; index < 300; index++) {
    const { url } = (await world.rule(`s${index}`, `https://slow${index}.test/`, 1_000)).to;
    world.answers.set(url, 500);
  }
  await node.run(1_000);
  await node.run(500, 'x');
  // From now on none of the 300 endpoints answers; each has failed once, and is tried again after five
  // seconds.
  const stuck = world.hold(...world.answers.keys());
  await node.run(10_000);
  await world.rule('good', undefined, 1_000);
  await node.run(500);
  await node.run(500, 'y');
  expect(world.arrived.map(({ url }) => url)).toEqual(['https://good.example/']);
  stuck.resolve();
  await node.run(100);
});

test('free accounts with hundreds of endpoints that hang do not delay alerts of paying customers', async () => {
  await using world = await open();
  const node = new Node(world, 'a');
  for (let index = 0; index < 300; index++) {
    const owner = stranger(Math.floor(index / 50));
    await world.rule(`s${index}`, `https://stuck.example/${index}`, 50, owner);
  }
  const stuck = world.hold(...Array.from({ length: 300 }, (_, index) => `https://stuck.example/${index}`));
  await world.rule('good');
  await node.run(1_000);
  await node.run(500, 'x');
  expect(world.arrived.map(({ url }) => url)).toEqual(['https://good.example/']);
  stuck.resolve();
  // Once they answer, all get their alerts, at the pace of one site.
  await node.run(5_000);
  expect(world.arrived.length).toBe(301);
});

test('eight free accounts whose endpoints hang do not delay alerts of another free account', async () => {
  await using world = await open();
  const node = new Node(world, 'a');
  const hanging = await hangingEndpoints(world, 8, 400);
  await node.run(1_000);
  hanging.begin();
  await node.run(500, 'x');
  await world.rule('good', 'https://good.test/', 50, stranger(99));
  await node.run(500);
  await node.run(500, 'y');
  expect(world.arrived.map(({ url, ids }) => [url, ...ids])).toEqual([['https://good.test/', 'y']]);
  hanging.end();
  await node.run(100);
});

test('free accounts whose endpoints hang, answer and hang again do not delay alerts of another free account', async () => {
  await using world = await open();
  const node = new Node(world, 'a');
  const hanging = await hangingEndpoints(world, 80, 400);
  await node.run(1_000);
  hanging.begin();
  await node.run(9_000, 'x');
  hanging.end();
  await node.run(5_000);
  expect(world.arrived.length).toBe(400);
  hanging.begin();
  await node.run(500, 'y');
  await world.rule('good', 'https://good.test/', 50, stranger(99));
  await node.run(500);
  await node.run(500, 'z');
  expect(world.arrived.slice(400).map(({ url }) => url)).toEqual(['https://good.test/']);
  hanging.end();
  await node.run(100);
});

test('when running attempts end, accounts may send in turn, however many endpoints each has', async () => {
  await using world = await open();
  const node = new Node(world, 'a');
  for (let index = 0; index < 800; index++) {
    await world.rule(`s${index}`, `https://s${index}.test/`, 50, stranger(index % 80));
  }
  await world.rule('last', 'https://last.test/', 50, stranger(99));
  await node.run(1_000);
  const held: PromiseWithResolvers<void>[] = [];
  // Each attempt hangs until the test ends it, oldest first.
  world.held.get = (url) => {
    if (url === 'https://last.test/') return undefined;
    const one = Promise.withResolvers<void>();
    held.push(one);
    return one;
  };
  node.news.given.push('x');
  for (let turn = 0; turn < 10; turn++) {
    await node.run(900);
    for (const one of held.splice(0, 4)) one.resolve();
  }
  expect(world.arrived.map(({ url }) => url)).toContain('https://last.test/');
  world.held.get = () => undefined;
  for (const one of held) one.resolve();
  await node.run(100);
});

test('one account sends at most fifty alerts a second to one site, and merges the rest', async () => {
  await using world = await open();
  const node = new Node(world, 'a');
  for (let index = 0; index < 50; index++) {
    await world.rule(`s${index}`, `https://h${index}.victim.test/`, 50);
  }
  await world.rule('other', 'https://other.test/', 50, { accountId: 'acc_2', plan: 'standard' });
  await node.run(1_000);
  for (let step = 0; step < 40; step++) {
    await node.run(STEP_MS, `x${step}`);
  }
  const alertsAt = (site: string) =>
    world.arrived.reduce((sum, { url, merged }) => sum + (url.includes(site) ? merged : 0), 0);
  await until('all arrived', async () => {
    await node.run(STEP_MS);
    return alertsAt('victim') === 50 * 40 && alertsAt('other') === 40;
  });
  expect(world.attemptsPerSecond).toBeLessThanOrEqual(50 + DELIVERIES_PER_S);
});

test('all free accounts together send at most a hundred alerts a second to one site', async () => {
  await using world = await open();
  const node = new Node(world, 'a');
  for (let index = 0; index < 200; index++) {
    await world.rule(`s${index}`, `https://h${index}.victim.test/`, 50, stranger(index % 10));
  }
  await node.run(1_000);
  await node.run(900, 'x');
  expect(world.attempts.length).toBe(100);
  await node.run(1_500);
  expect(world.arrived.length).toBe(200);
});

test('a free account that fills its part of the outbox leaves room for customers', async () => {
  await using world = await open();
  const urls = [0, 1, 2].map((index) => `https://stuck.example/${index}`);
  for (const [index, url] of urls.entries()) await world.rule(`s${index}`, url, 50, stranger(1));
  const stuck = world.hold(...urls);
  await world.rule('good');
  const node = new Node(world, 'a');
  await node.run(1_000);
  for (let index = 0; index < 900; index++) await node.run(100, `x${index}`);
  expect(new Set(world.full)).toEqual(new Set(['s0', 's1', 's2']));
  expect(3 * 900 - world.full.length).toBe(Math.floor(OUTBOX_MAX / 4 / 8));
  stuck.resolve();
  await node.run(100);
});
