// A disk of the price history that really is full, read-only or slow: the tape stops and reports that in
// /ready and /metrics, prices and answers about the past continue, and afterwards nothing is missing outside
// of gaps.

import { expect, test } from 'bun:test';
import { mkdirSync, rmSync, statfsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventWire, quoteWire } from '../feed/wire.ts';
import { createKeys } from '../support/callers.ts';
import { until } from '../support/condition.ts';
import { S3Server } from '../support/s3-server.ts';
import { nowText, ScriptedFeed } from '../support/scripted-feed.ts';
import { ServerProcess } from '../support/server-process.ts';
import { CAN_MOUNT, mountSmallDisk } from '../support/small-disk.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const DISK_BYTES = 2_097_152;

interface Quotes {
  readonly odds: readonly { readonly prices: { readonly home: number } }[];
}

interface History {
  readonly series: readonly { readonly ticks: readonly { readonly prices: { readonly home: number } }[] }[];
  readonly gaps: readonly { readonly to: string | null; readonly reason: string }[];
}

/** A server with one fixture and one line, whose price the test changes. */
class OneLine implements AsyncDisposable {
  readonly #feed = new ScriptedFeed({
    slate: () => [
      eventWire(0, 'e1', { at: nowText(), scheduled_at: nowText(36_000_000) }),
      quoteWire(0, 'e1', { at: nowText(), prices: [this.price, 1.9] }),
    ],
  });
  readonly #folder = temporaryFolder();
  readonly #prices: number[] = [1.5];
  #settings: Record<string, string> = {};
  #server!: ServerProcess;
  #url = '';
  #key = '';
  #id = '';

  get price(): number {
    return this.#prices.at(-1)!;
  }

  static async start(settings: Record<string, string>): Promise<OneLine> {
    const line = new OneLine();
    const dataDir = line.#folder.path;
    [line.#key = ''] = await createKeys(dataDir, 'enterprise', 1);
    line.#settings = {
      HISTORY_DAYS: '30',
      ...settings,
      FEED: line.#feed.url,
      DATA_DIR: dataDir,
      NODE_ENV: 'test',
    };
    await line.#run();
    const { data } = (await line.json('/v1/events')) as { data: { id: string }[] };
    line.#id = data[0]!.id;
    return line;
  }

  async #run(): Promise<void> {
    this.#server = new ServerProcess(this.#settings);
    this.#url = await this.#server.serving();
  }

  /** Kills the server and starts it again. */
  async restart(): Promise<void> {
    await this.kill();
    await this.#run();
  }

  async kill(): Promise<void> {
    await this.#server.kill();
  }

  get log(): string {
    return this.#server.log;
  }

  /** Changes the price, and waits until clients see it. */
  async move(): Promise<void> {
    this.#prices.push(Math.round((this.price + 0.01) * 100) / 100);
    this.#feed.send(quoteWire(0, 'e1', { at: nowText(), prices: [this.price, 1.9] }));
    await until('clients see the price', async () => {
      const { odds } = (await this.json(`/v1/events/${this.#id}/odds`)) as Quotes;
      return odds[0]!.prices.home === this.price;
    });
  }

  /** Waits until the tape has every price, once and in order, and checks that it has no gap. */
  async taped(): Promise<void> {
    await until('the tape has every price', async () => {
      return Bun.deepEquals(await this.tapedPrices(), this.#prices);
    });
    expect(await this.gaps()).toEqual([]);
  }

  /** Waits until the last price on the tape is the present one. */
  async lastPriceTaped(): Promise<void> {
    await until('the tape has the last price', async () => (await this.tapedPrices()).at(-1) === this.price);
  }

  async gaps(): Promise<History['gaps']> {
    return ((await this.json('/v1/history')) as History).gaps;
  }

  /** The prices on the tape, oldest first. */
  async tapedPrices(): Promise<number[]> {
    const response = await this.#get(`/v1/events/${this.#id}/history`);
    if (response.status !== 200) return [];
    const { series } = (await response.json()) as History;
    return series.flatMap(({ ticks }) => ticks.map(({ prices }) => prices.home));
  }

  /**
   * Waits until /ready and /metrics report this reason why the tape is stopped. With null, waits until they
   * report that it is written.
   */
  async reports(reason: string | null): Promise<void> {
    await until(`/ready reports ${reason}`, async () => (await this.stoppedFor()) === reason);
    await until('/metrics reports it too', async () => {
      const page = await (await this.#get('/metrics')).text();
      return page.includes(`\noverround_history_stopped ${reason === null ? 0 : 1}\n`);
    });
  }

  /** The reason why the tape is stopped, from /ready; null while it is written. */
  async stoppedFor(): Promise<string | null> {
    const { history } = (await this.json('/ready')) as { history: Record<'state' | 'reason', string | null> };
    return history.state === 'ok' ? null : history.reason;
  }

  /** The odds at an instant of the past. Throws if two requests get different answers. */
  async past(at: string): Promise<string> {
    const response = await this.#get(`/v1/events/${this.#id}/odds?at=${at}`);
    expect(response.status).toBe(200);
    return response.text();
  }

  async json(path: string): Promise<unknown> {
    return (await this.#get(path)).json();
  }

  #get(path: string): Promise<Response> {
    return fetch(this.#url + path, { headers: { authorization: `Bearer ${this.#key}` } });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
    this.#feed.stop();
    this.#folder[Symbol.dispose]();
  }
}

/** Fills the disk, and moves the price until the tape has stopped. @returns a function that frees it */
async function fill(path: string, line: OneLine): Promise<() => void> {
  const filler = join(path, 'filler');
  writeFileSync(filler, new Uint8Array(freeBytes(path)));
  // Although the disk is full, there is still room for some prices in the last page of the log.
  while ((await line.stoppedFor()) === null) await line.move();
  return () => rmSync(filler);
}

test.skipIf(!CAN_MOUNT)(
  'while a disk is full only the tape stops, and it reports that; no price is missing afterwards; after a kill and a start on the full disk, prices continue, and the tape continues after a gap (skipped where no tmpfs can be mounted)',
  async () => {
    using disk = mountSmallDisk(DISK_BYTES)!;
    await using line = await OneLine.start({ HISTORY_DIR: join(disk.path, 'history') });
    await line.taped();
    await line.move();
    await line.taped();
    const at = nowText();
    const answer = await line.past(at);
    const free = await fill(disk.path, line);
    await line.reports('disk_full');
    await line.move();
    expect(await line.past(at)).toBe(answer);
    free();
    await line.taped();
    await line.reports(null);
    const freeAgain = await fill(disk.path, line);
    await line.restart();
    await line.move();
    await line.reports('disk_full');
    freeAgain();
    await line.reports(null);
    await line.lastPriceTaped();
    expect(await line.gaps()).toEqual([
      expect.objectContaining({ to: expect.any(String), reason: 'stopped' }),
    ]);
    expect(await line.past(at)).toBe(answer);
  },
);

test.skipIf(!CAN_MOUNT)(
  'on a read-only disk two servers start, serve and report the problem; when it becomes writable, one writes and the other reports why it does not, until the first has ended (skipped where no tmpfs can be mounted)',
  async () => {
    using disk = mountSmallDisk(DISK_BYTES)!;
    disk.remount('ro');
    await using both = new AsyncDisposableStack();
    const lines = [1, 2].map(async () => both.use(await OneLine.start({ HISTORY_DIR: disk.path })));
    const [one, other] = await Promise.all(lines);
    await one!.move();
    for (const line of [one!, other!]) await line.reports('read_only');
    disk.remount('rw');
    await until('one of them writes', async () => {
      return (await one!.stoppedFor()) === null || (await other!.stoppedFor()) === null;
    });
    const [writer, waiting] = (await one!.stoppedFor()) === null ? [one!, other!] : [other!, one!];
    await waiting.reports('storage_failed');
    expect(waiting.log).toContain('another server writes its price history to');
    await writer.move();
    const at = nowText();
    const answer = await writer.past(at);
    await writer.kill();
    await waiting.reports(null);
    expect(await waiting.past(at)).toBe(answer);
    await waiting.move();
    await waiting.lastPriceTaped();
    expect((await waiting.gaps()).map(({ reason }) => reason)).toEqual(['stopped']);
  },
);

test('if the folder appears late and cannot be read at first, the tape begins when the folder can be read', async () => {
  using disk = temporaryFolder();
  const late = join(disk.path, 'late');
  symlinkSync(late, join(disk.path, 'history'));
  await using line = await OneLine.start({ HISTORY_DIR: join(disk.path, 'history') });
  await until('it cannot be written', async () => (await line.stoppedFor()) !== null);
  mkdirSync(late);
  writeFileSync(join(late, 'log'), ''); // a file where the folder of the logs belongs
  await until('it was opened in vain', () => line.log.includes('history_not_opened'));
  rmSync(join(late, 'log'));
  await line.reports(null);
  await line.move();
  await line.lastPriceTaped();
});

test('a bucket that takes seconds for a write delays the tape, but no price', async () => {
  using bucket = new S3Server();
  await using line = await OneLine.start({ HISTORY_DIR: 's3://tapes/slow', ...bucket.environment });
  await line.taped();
  bucket.writeMs = 3_000;
  for (let move = 0; move < 20; move++) await line.move();
  bucket.writeMs = 0;
  await line.taped();
  await line.reports(null);
});

function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}
