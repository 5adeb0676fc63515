// How long polls take while something that accounts need is stalled: `bun bench/stalls.ts`, about half a
// minute, loopback only. The first situation is quiet; only the ratios of the others to it matter.

import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { DATABASE_NAME } from '../src/storage/database.ts';
import { AccountClient } from '../test/support/account-client.ts';
import { createKeys, PROXY_SETTINGS } from '../test/support/callers.ts';
import { ServerProcess } from '../test/support/server-process.ts';

const SECONDS = 5;
/** Below the rate limit of an enterprise key. */
const POLL_EVERY_MS = 2;

interface Situation {
  readonly name: string;
  /** Starts the stall. Resolves with a function that ends it, or null if this machine cannot produce it. */
  begin(server: ServerProcess, url: string): Promise<(() => Promise<void>) | null>;
}

const SITUATIONS: readonly Situation[] = [
  { name: 'quiet', begin: async () => async () => {} },
  {
    name: 'write lock held',
    begin: async (server) => {
      const other = new Database(join(server.dataDir, DATABASE_NAME), { readwrite: true, create: false });
      other.run('PRAGMA busy_timeout = 5000');
      other.run('BEGIN IMMEDIATE');
      return async () => {
        other.run('ROLLBACK');
        other.close();
      };
    },
  },
  {
    name: 'fsync 20 ms, sign-ups',
    begin: async (server, url) => {
      const strace = Bun.which('strace');
      if (strace === null) return null;
      const inject = 'inject=fsync,fdatasync:delay_exit=20000';
      const slow = Bun.spawn(
        [
          strace,
          '-f',
          ...['-e', 'trace=fsync,fdatasync', '-e', inject, '-o', '/dev/null'],
          ...['-p', String(server.child.pid)],
        ],
        { stdout: 'ignore', stderr: 'ignore' },
      );
      let count = 0;
      const timer = setInterval(() => {
        count += 1;
        const person = { email: `person-${count}@example.com`, address: `198.51.100.${count % 250}` };
        void new AccountClient({ url, dataDir: server.dataDir }, person).signUp();
      }, 200);
      return async () => {
        clearInterval(timer);
        slow.kill();
        await slow.exited;
      };
    },
  },
  {
    name: 'bodies of log-ins',
    begin: async (_server, url) => {
      let isOn = true;
      const body = JSON.stringify({ email: 'eve@example.com', password: 'x'.repeat(800_000) });
      const flood = Array.from({ length: 8 }, async (_, index) => {
        const headers = {
          'content-type': 'application/json',
          'x-forwarded-for': `203.0.113.${index}`,
          'content-length': String(body.length),
        };
        while (isOn) {
          const response = await fetch(`${url}/platform/login`, { method: 'POST', headers, body });
          await response.arrayBuffer();
        }
      });
      return async () => {
        isOn = false;
        await Promise.allSettled(flood);
      };
    },
  },
];

await using server = new ServerProcess(PROXY_SETTINGS);
const url = await server.serving();
const [key = ''] = await createKeys(server.dataDir, 'enterprise', 1);
await poll(url, key); // warm-up
console.log('situation              polls   p50 ms   p99 ms  p99.9 ms   max ms   other than 200');
for (const situation of SITUATIONS) {
  const end = await situation.begin(server, url);
  if (end === null) {
    console.log(`${situation.name.padEnd(20)} skipped: strace is not installed`);
    continue;
  }
  const { times, others } = await poll(url, key);
  await end();
  times.sort((a, b) => a - b);
  const at = (share: number) =>
    (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(1);
  const columns = [at(0.5), at(0.99), at(0.999), at(1)].map((text) => text.padStart(9)).join('');
  console.log(
    `${situation.name.padEnd(20)}${String(times.length).padStart(8)}${columns}${String(others).padStart(17)}`,
  );
}

/** Polls at a fixed rate, whether or not earlier polls have been answered. */
async function poll(base: string, text: string): Promise<{ times: number[]; others: number }> {
  const times: number[] = [];
  let others = 0;
  const waiting: Promise<void>[] = [];
  const startedAt = performance.now();
  while (performance.now() - startedAt < SECONDS * 1_000) {
    const sentAt = performance.now();
    waiting.push(
      fetch(`${base}/v1/events?limit=1`, { headers: { authorization: `Bearer ${text}` } }).then(
        async (response) => {
          await response.arrayBuffer();
          times.push(performance.now() - sentAt);
          if (response.status !== 200) others += 1;
        },
      ),
    );
    await Bun.sleep(POLL_EVERY_MS);
  }
  await Promise.all(waiting);
  return { times, others };
}
