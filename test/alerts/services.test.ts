// A whole service sends to stand-ins of Slack, Discord, Telegram and ntfy, and to endpoints that attack the
// service. Tests what each gets, and that good endpoints are still served in time.

import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { postAlert } from '../../src/alerts/delivery/post.ts';
import { alertTarget, allowedTargets } from '../../src/alerts/delivery/target.ts';
import { DATABASE_NAME } from '../../src/storage/database.ts';
import { AccountClient } from '../support/account-client.ts';
import { until } from '../support/condition.ts';
import { type RunningService, runService } from '../support/running-service.ts';
import { ScriptedFeed } from '../support/scripted-feed.ts';

interface Got {
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}
interface Delivery {
  readonly state: string;
  readonly tries: number;
  readonly status: number | null;
  readonly error: string | null;
}

const got: Got[] = [];
/** What the endpoint answers on a path; on other paths it answers `ok`. */
const answers = new Map<string, () => Response>();
let feed: ScriptedFeed;
let service: RunningService;
let ada: AccountClient;
let endpoint: ReturnType<typeof Bun.serve>;

beforeAll(async () => {
  endpoint = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1' },
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      got.push({ path: pathname + search, headers: request.headers, body: await request.text() });
      return answers.get(pathname)?.() ?? new Response('ok');
    },
  });
  feed = new ScriptedFeed();
  service = await runService({
    ...{ FEED: feed.url, TRUSTED_PROXIES: '127.0.0.1', ALERTS_ALLOW: '127.0.0.1', NODE_ENV: 'development' },
  });
  ada = new AccountClient(service, { email: 'ada@example.com', address: '203.0.113.7' });
  await ada.enter();
}, 120_000);
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  endpoint.stop(true);
  feed.stop();
});

/**
 * Makes a rule that sends to this path, and requests a test delivery.
 * @returns its id
 */
async function tested(format: string, path: string, port = endpoint.port): Promise<string> {
  const to = { url: `http://127.0.0.1:${port}${path}`, format };
  const rule = { name: 'Köln <b>', when: { kind: 'match' }, to };
  const made = await ada.send('POST', '/platform/alerts', rule);
  expect([made.status, made.status === 200 ? '' : made.text]).toEqual([200, '']);
  const { id } = (made.body as { readonly alert: { readonly id: string } }).alert;
  await ada.send('PATCH', `/platform/alerts/${id}`, { status: 'paused' });
  expect((await ada.send('POST', `/platform/alerts/${id}/test`)).status).toBeLessThan(300);
  return id;
}

/** Reads the database, because the API would charge for so many requests. */
function deliveriesOf(id: string): Delivery[] {
  using database = new Database(join(service.dataDir, DATABASE_NAME), { readonly: true });
  return database
    .query<Delivery, [string]>('SELECT state, tries, status, error FROM alert_deliveries WHERE rule_id = ?')
    .all(id);
}

async function triedOnce(id: string): Promise<Delivery> {
  await until('it was tried', () => (deliveriesOf(id)[0]?.tries ?? 0) > 0);
  return deliveriesOf(id)[0]!;
}

/** A server that calls `attack` with each connection when its first bytes arrive. */
async function attacker(attack: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => sockets.delete(socket));
    socket.once('data', () => attack(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    port,
    [Symbol.dispose]: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Writes the text every `everyMs` until the connection closes, except while a megabyte is unsent. */
function repeat(socket: Socket, text: string, everyMs = 0): void {
  const timer = setInterval(() => {
    if (socket.destroyed) clearInterval(timer);
    else if (socket.writableLength < 1e6) socket.write(text);
  }, everyMs);
  socket.on('close', () => clearInterval(timer));
}

const LINE = 'Test of the rule "Köln <b>": alerts arrive here.';

describe('The services', () => {
  test('each chat service gets the body that it expects', async () => {
    await tested('slack', '/slack');
    await tested('discord', '/discord');
    await tested('telegram', '/bot1:x/sendMessage?chat_id=-42');
    await tested('ntfy', '/topic');
    const tests = () => got.filter(({ body }) => body.includes('Test of the rule'));
    await until('all four arrive', () => new Set(tests().map(({ path }) => path)).size === 4);
    const of = (path: string) => tests().find((one) => one.path === path)!;
    expect(JSON.parse(of('/slack').body)).toEqual({ text: LINE.replace('<b>', '&lt;b&gt;') });
    expect(JSON.parse(of('/discord').body)).toEqual({
      content: LINE.replace('<b>', '\\<b\\>'),
      allowed_mentions: { parse: [] },
    });
    expect(JSON.parse(of('/bot1:x/sendMessage').body)).toEqual({
      ...{ chat_id: '-42', text: LINE },
      link_preview_options: { is_disabled: true },
    });
    expect([of('/topic').body, of('/topic').headers.get('content-type')]).toEqual([
      LINE,
      'text/plain; charset=utf-8',
    ]);
    for (const { headers } of got) expect(headers.get('webhook-signature')).toBeNull();
  });

  test('an alert that a chat service refuses permanently is not retried; an endpoint with the raw format gets retries', async () => {
    for (const [format, path, status, state] of [
      ['slack', '/no-slack', 404, 'failed'],
      ['discord', '/no-discord', 401, 'failed'],
      ['ntfy', '/no-ntfy', 403, 'failed'],
      ['telegram', '/bot/no?chat_id=1', 400, 'failed'],
      ['discord', '/busy', 429, 'waiting'],
      ['discord', '/broken', 500, 'waiting'],
      ['raw', '/no-raw', 404, 'waiting'],
    ] as const) {
      answers.set(path.split('?')[0]!, () => new Response('no', { status }));
      const delivery = await triedOnce(await tested(format, path));
      expect([path, delivery.status, delivery.state]).toEqual([path, status, state]);
    }
  });
});

describe('Retry-After', () => {
  const allowed = allowedTargets(['127.0.0.1']);
  const asked = async (status: number, headers: Record<string, string>, body = '') => {
    answers.set('/wait', () => new Response(body, { status, headers }));
    const target = alertTarget(`http://127.0.0.1:${endpoint.port}/wait`, allowed);
    const formed = { path: '/wait', headers: {}, body: '{}' };
    const parts = { resolve: async () => [], allowed };
    return (await postAlert(target, formed, parts)).retryAfterMs;
  };

  test('Retry-After is read as seconds, as a date, and from an answer of Telegram', async () => {
    expect(await asked(429, { 'retry-after': '7' })).toBe(7_000);
    expect(await asked(503, { 'retry-after': '0.25' })).toBe(250);
    const [date, later] = ['Mon, 02 Mar 2026 10:00:00 GMT', 'Mon, 02 Mar 2026 10:01:30 GMT'];
    expect(await asked(429, { date, 'retry-after': later })).toBe(90_000);
    const telegram = '{"ok":false,"error_code":429,"parameters":{"retry_after":35}}';
    expect(await asked(429, {}, telegram)).toBe(35_000);
    for (const value of ['-5', 'soon', ''])
      expect(await asked(429, { 'retry-after': value })).toBeUndefined();
    expect(await asked(500, { 'retry-after': '7' })).toBeUndefined();
  });
});

describe('Endpoints that attack', () => {
  const OK = 'HTTP/1.1 200 OK\r\n';
  const ATTACKS: readonly (readonly [what: string, attack: (socket: Socket) => void])[] = [
    ['never answer', () => undefined],
    [
      'drip a byte of the answer',
      (socket) => {
        socket.write(`${OK}content-length: 1000\r\n\r\n`);
        repeat(socket, 'a', 100);
      },
    ],
    [
      'drip headers',
      (socket) => {
        socket.write(OK);
        repeat(socket, 'x-a: b\r\n', 100);
      },
    ],
    [
      'send headers without end',
      (socket) => {
        socket.write(OK);
        repeat(socket, `x-a: ${'b'.repeat(60_000)}\r\n`);
      },
    ],
    [
      'send one header without end',
      (socket) => {
        socket.write(`${OK}x-a: `);
        repeat(socket, 'b'.repeat(60_000));
      },
    ],
    [
      'send an answer without end',
      (socket) => {
        socket.write(`${OK}transfer-encoding: chunked\r\n\r\n`);
        repeat(socket, `${(60_000).toString(16)}\r\n${'c'.repeat(60_000)}\r\n`);
      },
    ],
    ['redirect', (socket) => socket.end('HTTP/1.1 307 T\r\nlocation: http://127.0.0.1:1/\r\n\r\n')],
    ['hang up', (socket) => socket.destroy()],
    ['answer 100 again and again', (socket) => repeat(socket, 'HTTP/1.1 100 Continue\r\n\r\n', 1)],
  ];

  test('endpoints that attack delay no good endpoint, and each attempt at them ends', async () => {
    const held = await Promise.all(ATTACKS.map(([, attack]) => attacker(attack)));
    try {
      const ids: string[] = [];
      for (const { port } of held) ids.push(await tested('raw', '/attack', port));
      // The attacks are running. Meanwhile test deliveries to a good endpoint are requested again and again.
      for (let round = 0; round < 5; round++) {
        const id = await tested('raw', `/good${round}`);
        expect((await triedOnce(id)).state).toBe('taken');
      }
      const underWay = ids.map((id) => deliveriesOf(id)[0]!.tries);
      expect(underWay.some((tries) => tries === 0)).toBe(true);
      const ends = await Promise.all(ids.map(triedOnce));
      const outcomes = Object.fromEntries(
        ends.map(({ status, error }, index) => [ATTACKS[index]![0], error ?? status]),
      );
      expect(outcomes).toMatchObject({
        'never answer': 'no answer in time',
        'drip a byte of the answer': 'no answer in time',
        'drip headers': expect.any(String),
        'send headers without end': expect.any(String),
        'send one header without end': expect.any(String),
        'send an answer without end': 200,
        redirect: 'answered 307: redirects are not followed',
        'hang up': expect.stringContaining('not delivered'),
        'answer 100 again and again': expect.any(String),
      });
    } finally {
      for (const one of held) one[Symbol.dispose]();
    }
  }, 60_000);
});
