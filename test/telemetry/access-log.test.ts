import { describe, expect, test } from 'bun:test';
import { systemClock, toIsoText } from '../../src/clock.ts';
import { Random } from '../../src/domain/random.ts';
import { KEYLESS } from '../../src/domain/tiers.ts';
import { AccessLog, accessLine, LineTexts, type LoggedRequest } from '../../src/telemetry/access-log.ts';
import { until } from '../support/condition.ts';

const FINISHED: LoggedRequest = {
  method: 'GET',
  route: '/v1/events/:event_id',
  path: '/v1/events/evt_1',
  status: 200,
  latencyMs: 1.23456,
  principal: { tier: 'standard', seesSharp: true, keyId: 'key_7' },
  clientAddress: '127.0.0.1',
  requestId: 'r-1',
  errorCode: null,
};

type Done = (error: NodeJS.ErrnoException | null, written: number) => void;

/** A pipe that the test controls. */
class Pipe {
  text = '';
  waiting: { readonly bytes: Uint8Array; readonly done: Done } | null = null;

  readonly write = (bytes: Uint8Array, done: Done): void => {
    expect(this.waiting).toBeNull();
    this.waiting = { bytes: bytes.slice(), done };
  };

  take(count = Number.POSITIVE_INFINITY): void {
    const { bytes, done } = this.waiting!;
    this.waiting = null;
    const taken = bytes.subarray(0, count);
    this.text += new TextDecoder().decode(taken);
    done(null, taken.byteLength);
  }

  fail(code: string): void {
    const { done } = this.waiting!;
    this.waiting = null;
    done(Object.assign(new Error(code), { code }), 0);
  }
}

describe('accessLine', () => {
  test('accessLine is one line of JSON with the facts of a request', () => {
    const line = accessLine(FINISHED, 0);
    expect(line.indexOf('\n')).toBe(line.length - 1);
    expect(JSON.parse(line)).toEqual({
      at: '1970-01-01T00:00:00.000Z',
      level: 'info',
      event: 'request',
      method: 'GET',
      route: '/v1/events/:event_id',
      path: '/v1/events/evt_1',
      status: 200,
      ms: 1.235,
      tier: 'standard',
      key_id: 'key_7',
      request_id: 'r-1',
      network: '127.0.0.0/24',
    });
  });

  test('a line has its own time, length and network, whatever lines were made before it', () => {
    const texts = new LineTexts();
    const random = new Random(5);
    const starts = [0, 999, 1_764_495_000_000, 1_764_495_000_999, 253_402_300_799_000];
    for (let round = 0; round < 2_000; round += 1) {
      const atMs = starts[random.index(starts.length)]! + random.index(3);
      const latencyMs = random.index(10) === 0 ? random.unit() * 30_000 : random.unit();
      const clientAddress = `203.0.${random.index(60)}.${random.index(60)}`;
      const line = JSON.parse(accessLine({ ...FINISHED, latencyMs, clientAddress }, atMs, texts));
      const network = clientAddress.replace(/\d+$/, '0/24');
      expect([line.at, line.network]).toEqual([toIsoText(atMs), network]);
      expect(Math.abs(line.ms - latencyMs)).toBeLessThan(0.000_500_1);
    }
  });

  test('a line identifies no person: it has the network of an address, and no e-mail address', () => {
    const networkOf = (clientAddress: string) =>
      JSON.parse(accessLine({ ...FINISHED, clientAddress }, 0)).network;
    expect(networkOf('203.0.113.77')).toBe('203.0.113.0/24');
    expect(networkOf('::ffff:203.0.113.77')).toBe('203.0.113.0/24');
    expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1::/48');
    expect(networkOf('unknown')).toBe('unknown');
    for (const address of ['ada@example.com', 'ada%40example.com', 'ada+odds@mail.example.co.uk']) {
      const path = JSON.parse(accessLine({ ...FINISHED, path: `/platform/${address}/x` }, 0)).path;
      expect(path).toBe('/platform/***/x');
    }
    const path = '/node_modules/elysia@1.4.30/index.ts';
    expect(JSON.parse(accessLine({ ...FINISHED, path }, 0)).path).toBe(path);
  });

  test.each(['isk_', 'isk%5f', 'ISK%5F', 'ses_', 'ses%5F'])(
    'accessLine masks the text in a path that begins with %s',
    (prefix) => {
      const path = `/platform/keys/${prefix}A-b_${'c9'.repeat(14)}/rotate`;
      const line = accessLine({ ...FINISHED, path }, 0);
      expect(JSON.parse(line).path).toMatch(/^\/platform\/keys\/(isk|ses)_\*\*\*\/rotate$/i);
    },
  );

  test('accessLine masks keys wherever a caller puts them, escapes the path and shortens it', () => {
    const key = `isk_${'a'.repeat(32)}`;
    const path = `/${key}/"\\\n${'é'.repeat(1_000)}`;
    const line = accessLine(
      { ...FINISHED, path, requestId: key, principal: KEYLESS, errorCode: 'not_found' },
      0,
    );
    const read = JSON.parse(line) as Record<string, unknown>;
    expect(line).not.toContain(key);
    expect(read.path).toBe(path.slice(0, 256).replace(key, 'isk_***'));
    expect(read.request_id).toBe('isk_***');
    expect([read.key_id, read.error]).toEqual([null, 'not_found']);
  });
});

describe('AccessLog', () => {
  test('AccessLog writes every line once and in order, however many bytes the pipe accepts at a time', async () => {
    const pipe = new Pipe();
    const log = new AccessLog({ clock: systemClock, write: pipe.write });
    const total = 100;
    for (let index = 0; index < total; index += 1) log.add({ ...FINISHED, requestId: `r-${index}` });
    let turn = 0;
    const closed = log.close();
    while (pipe.text.split('\n').length <= total) {
      await until('a write', () => pipe.waiting !== null);
      expect(pipe.waiting!.bytes.byteLength).toBeLessThanOrEqual(4_096);
      turn += 1;
      if (turn % 3 === 0) pipe.fail('EAGAIN');
      else pipe.take(turn % 2 === 0 ? 1_000 : undefined);
    }
    await closed;
    const ids = pipe.text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { request_id: string }).request_id);
    expect(ids).toEqual(Array.from({ length: total }, (_, index) => `r-${index}`));
    expect(log.droppedCount).toBe(0);
  });

  test('AccessLog drops and counts lines when the reader of the log is stuck, and does not delay the end', async () => {
    const pipe = new Pipe();
    const log = new AccessLog({ clock: systemClock, write: pipe.write });
    log.add(FINISHED);
    await until('the first write', () => pipe.waiting !== null);
    for (let index = 0; index < 10_000; index += 1) log.add(FINISHED);
    expect(log.droppedCount).toBe(10_000 - 8_192);
    await log.close();
  });

  test('AccessLog counts the lines that it cannot write because nobody reads the log any more', async () => {
    const pipe = new Pipe();
    const log = new AccessLog({ clock: systemClock, write: pipe.write });
    log.add(FINISHED);
    log.add(FINISHED);
    await until('the first write', () => pipe.waiting !== null);
    pipe.fail('EPIPE');
    expect(log.droppedCount).toBe(2);
    log.add(FINISHED);
    await until('the next write', () => pipe.waiting !== null);
    pipe.take();
    expect(pipe.text.split('\n').length).toBe(2);
  });
});
