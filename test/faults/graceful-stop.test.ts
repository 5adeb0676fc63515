// A stop while clients keep their connections open and poll as fast as they are answered: no request is lost,
// and a load balancer sees the stop in /ready before the port closes.

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { childEnvironment } from '../support/child-environment.ts';
import { until } from '../support/condition.ts';
import { ServerProcess } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const CLIENTS = 12;
const SETTINGS = {
  HTTP_THREADS: '2',
  SIMULATOR_FOOTBALL_FIXTURES: '4',
  SIMULATOR_BASKETBALL_FIXTURES: '1',
};

/**
 * One client: polls over one connection as soon as it is answered, opens another when the server closes it,
 * and ends when the port is closed.
 */
class KeepAliveClient {
  answered = 0;
  /** Requests that were sent and never answered. */
  lost = 0;
  toldToClose = 0;
  readonly done: Promise<void>;
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
    this.done = this.#run();
  }

  async #run(): Promise<void> {
    for (;;) {
      const ended = Promise.withResolvers<void>();
      let isWaiting = false;
      let text = '';
      const ask = (socket: Bun.Socket) => {
        isWaiting = true;
        socket.write('GET /v1/sports HTTP/1.1\r\nHost: localhost\r\n\r\n');
      };
      try {
        await Bun.connect({
          hostname: '127.0.0.1',
          port: this.#port,
          socket: {
            open: ask,
            data: (socket, data) => {
              text += data.toString('latin1');
              const bodyAt = text.indexOf('\r\n\r\n') + 4;
              const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? Number.NaN);
              if (bodyAt < 4 || text.length < bodyAt + length) return;
              const closes = /^connection: close/im.test(text.slice(0, bodyAt));
              text = '';
              isWaiting = false;
              this.answered += 1;
              if (!closes) {
                ask(socket);
                return;
              }
              this.toldToClose += 1;
              socket.end();
            },
            close: () => {
              if (isWaiting) this.lost += 1;
              ended.resolve();
            },
            error: () => {},
          },
        });
      } catch {
        return; // refused before anything was sent, so the client knows that nothing was lost
      }
      await ended.promise;
    }
  }
}

test(`${CLIENTS} keep-alive clients lose no request when the server stops`, async () => {
  await using server = new ServerProcess({ ...SETTINGS, STOP_DRAIN_MS: '300' });
  const url = new URL(await server.serving());
  const clients = Array.from({ length: CLIENTS }, () => new KeepAliveClient(Number(url.port)));
  await until('all are being answered', () => clients.every(({ answered }) => answered > 3));
  expect(await server.end('SIGTERM')).toBe(0);
  await Promise.all(clients.map(({ done }) => done));
  expect(clients.map(({ lost }) => lost)).toEqual(clients.map(() => 0));
  expect(clients.every(({ toldToClose }) => toldToClose > 0)).toBe(true);
}, 120_000);

test('after a Ctrl-C in `bun run start`, /ready is 503 and every answer announces that its connection closes; the signal, which arrives twice, counts once, and the exit code is 0', async () => {
  using folder = temporaryFolder();
  const child = Bun.spawn(['setsid', process.execPath, 'run', 'start'], {
    cwd: join(import.meta.dir, '../..'),
    env: { ...childEnvironment(), PORT: '0', DATA_DIR: folder.path, ...SETTINGS, STOP_DRAIN_MS: '2000' },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  });
  let log = '';
  const reading = (async () => {
    for await (const chunk of child.stderr) log += new TextDecoder().decode(chunk);
  })();
  const urlIn = (): string | undefined => /"?url"?[=:]"(http[^"]+)"/.exec(log)?.[1];
  await until('it listens', () => urlIn() !== undefined);
  const url = urlIn()!;
  await until('it is ready', async () => (await fetch(`${url}/ready`)).status === 200);
  // The process group gets it, and so does the server, to which the runner passes it on.
  process.kill(-child.pid, 'SIGINT');
  await until('it is stopping', () => log.includes('stopping'));
  process.kill(-child.pid, 'SIGINT');
  await until('/ready says so', async () => {
    const response = await fetch(`${url}/ready`);
    if (response.status === 200) return false;
    expect(response.status).toBe(503);
    expect(await response.text()).toContain('the server is stopping');
    return true;
  });
  const odds = await fetch(`${url}/v1/events`);
  expect([odds.status, odds.headers.get('connection')]).toEqual([200, 'close']);
  expect([await child.exited, log.slice(-200)]).toEqual([0, expect.any(String)]);
  await reading;
});
