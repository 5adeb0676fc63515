// `bun run cluster`: runs two ingest nodes and three serving nodes behind nginx, with a Redis and a Postgres
// of their own, until it is interrupted. Everything is on loopback and in one folder, which is deleted at the
// end unless --keep names it.

import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { Cluster } from './cluster.ts';

const { values } = parseArgs({
  options: {
    keep: { type: 'string' },
    feed: { type: 'string', default: 'simulator' },
    fixtures: { type: 'string', default: '40' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  console.log(
    'bun run cluster [--keep <folder for data and logs>] [--feed <value of FEED>] [--fixtures <number of simulated football fixtures>]',
  );
  process.exit(0);
}

const temporary = values.keep === undefined ? temporaryFolder() : null;
const folder = resolve(values.keep ?? temporary!.path);
const interrupted = Promise.withResolvers<void>();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupted.resolve());

console.log('Starting a Redis, a Postgres, two ingest nodes, three serving nodes and nginx ...');
const cluster = await Cluster.start({
  folder,
  feed: values.feed,
  ingestNodes: 2,
  servingNodes: 3,
  settings: { SIMULATOR_FOOTBALL_FIXTURES: values.fixtures, SIMULATOR_BASKETBALL_FIXTURES: '5' },
});
const rows = [
  ['nginx', cluster.url, join(folder, 'nginx.log')],
  ...cluster.nodes.map(({ name, url, logPath }) => [name, url, logPath]),
  ['redis', cluster.redis.url, cluster.redis.logPath],
  ['postgres', cluster.postgres.url(), cluster.postgres.logPath],
];
for (const [name, url, log] of rows) console.log(`${name!.padEnd(10)} ${url!.padEnd(46)} log: ${log}`);
console.log(`\nA key: DATABASE_URL=${cluster.postgres.url()} bun run overround keys create --tier standard`);
console.log(`Try:   curl -i ${cluster.url}/v1/events\nStop:  Ctrl-C`);
await interrupted.promise;
console.log('\nStopping ...');
await cluster[Symbol.asyncDispose]();
temporary?.[Symbol.dispose]();
process.exit(0);
