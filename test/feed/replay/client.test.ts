// A recording as a feed: how its time is mapped to the present, which messages come at once and which later,
// and which faults of the file it survives.

import { afterAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gunzipSync, gzipSync } from 'node:zlib';
import { openReplay } from '../../../src/feed/replay/client.ts';
import { checkRecording, openRecording } from '../../../src/feed/replay/recording.ts';
import type { FeedSink } from '../../../src/feed/source.ts';
import { FEED_LINE_BYTES_MAX } from '../../../src/limits.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import {
  eventWire,
  heartbeatWire,
  helloWire,
  markWire,
  quoteWire,
  stateWire,
  type WireMessage,
  wireTime,
} from '../wire.ts';

const HELLO_MS = Date.UTC(2022, 3, 10, 12);
const START_MS = Date.UTC(2026, 2, 1, 12);
const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

let fileCount = 0;
function recording(...lines: readonly (WireMessage | string)[]): string {
  const path = join(folder.path, `recording-${fileCount++}.ndjson`);
  writeFileSync(
    path,
    lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
  );
  return path;
}

const hello = helloWire({ at: wireTime(HELLO_MS) });

/** The recorded time that is this many seconds after the hello. */
function at(seconds: number): { at: string } {
  return { at: wireTime(HELLO_MS + seconds * 1_000) };
}

/** A sink that keeps everything that it receives. A test can wait for a report on it. */
class ListeningSink implements FeedSink {
  readonly heard: unknown[] = [];
  refusals = 0;
  #waiting: { isEnough: () => boolean; resolve: () => void }[] = [];

  offer(message: unknown): boolean {
    if (this.refusals > 0) {
      this.refusals--;
      return false;
    }
    return this.#hear(message);
  }
  room(): Promise<void> {
    return Promise.resolve();
  }
  caughtUp(): void {
    this.#hear('caught up');
  }
  alive(atMs: number): void {
    this.#hear(`alive ${atMs - START_MS}`);
  }
  connection(connected: boolean): void {
    this.#hear(`connected ${connected}`);
  }
  undecodable(): void {
    this.#hear('undecodable');
  }

  /** Resolves once this report has arrived. */
  until(what: string): Promise<void> {
    const isEnough = () => this.words().includes(what);
    if (isEnough()) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ isEnough, resolve }));
  }

  /** The received entries: marks unchanged, messages as "type seq". */
  words(): string[] {
    return this.heard.map((item) => {
      if (typeof item !== 'object' || item === null || Array.isArray(item)) return String(item);
      const { type, seq } = item as WireMessage;
      return seq === undefined ? String(type) : `${type} ${seq}`;
    });
  }

  #hear(item: unknown): true {
    this.heard.push(item);
    for (const { isEnough, resolve } of this.#waiting) if (isEnough()) resolve();
    return true;
  }
}

/** A wall clock that the test moves. */
class ManualClock {
  ms = START_MS;
  wallMs = () => this.ms;
  monotonicMs = () => this.ms;
}

async function withReplay(
  path: string,
  use: (sink: ListeningSink, clock: ManualClock) => Promise<void>,
  { speed = 1, refusals = 0 } = {},
): Promise<void> {
  const sink = new ListeningSink();
  sink.refusals = refusals;
  const clock = new ManualClock();
  const source = await openReplay({ path, speed, startMs: START_MS }, sink, { clock });
  try {
    await use(sink, clock);
  } finally {
    await source.close();
  }
}

describe('openReplay', () => {
  test('offers past messages at once, then each message when it is due, and reports when it has caught up', async () => {
    const path = recording(
      hello,
      eventWire(1, 'e1', at(-60)),
      quoteWire(2, 'e1', at(0)),
      stateWire(3, 'e1', at(30)),
    );
    await withReplay(path, async (sink, clock) => {
      await sink.until('caught up');
      expect(sink.words()).toEqual(['connected true', 'hello', 'event 1', 'quote 2', 'caught up', 'alive 0']);
      clock.ms += 29_999;
      expect(sink.words()).not.toContain('state 3');
      clock.ms++;
      await sink.until('state 3');
      expect(sink.heard.at(-1)).toMatchObject({ at: wireTime(START_MS + 30_000) });
    });
  });

  test('at speed 60, a message recorded an hour after the hello comes after a minute', async () => {
    const path = recording(hello, heartbeatWire(1, at(3_600)), heartbeatWire(2, at(3_601)));
    await withReplay(
      path,
      async (sink, clock) => {
        await sink.until('caught up');
        clock.ms += 60_000;
        await sink.until('heartbeat 1');
        expect(sink.words()).not.toContain('heartbeat 2');
        expect(sink.heard.at(-1)).toMatchObject({ at: wireTime(START_MS + 60_000) });
      },
      { speed: 60 },
    );
  });

  test('with an earlier start, as after a restart, catches up to the present', async () => {
    const path = recording(hello, stateWire(1, 'e1', at(100)), stateWire(2, 'e1', at(200)));
    const sink = new ListeningSink();
    const clock = new ManualClock();
    clock.ms += 150_000;
    const source = await openReplay({ path, speed: 1, startMs: START_MS }, sink, { clock });
    await sink.until('caught up');
    expect(sink.words()).toEqual(['connected true', 'hello', 'state 1', 'caught up', 'alive 150000']);
    await source.close();
  });

  test('waits while the queue is full, and nothing is lost or sent twice', async () => {
    const path = recording(hello, eventWire(1, 'e1', at(0)), quoteWire(2, 'e1', at(0)));
    await withReplay(
      path,
      async (sink) => {
        await sink.until('caught up');
        expect(sink.words().slice(0, 4)).toEqual(['connected true', 'hello', 'event 1', 'quote 2']);
      },
      { refusals: 7 },
    );
  });

  test('garbage and too long lines are reported and skipped, and values that are not objects are left to the validator', async () => {
    const path = recording(
      hello,
      '{"type":',
      '',
      '   \r',
      'x'.repeat(FEED_LINE_BYTES_MAX + 1),
      '42',
      '[1]',
      heartbeatWire(1, at(0)),
    );
    await withReplay(path, async (sink) => {
      await sink.until('caught up');
      expect(sink.heard.slice(2, 7)).toEqual([
        'undecodable',
        'undecodable',
        42,
        [1],
        { type: 'heartbeat', seq: 1, at: wireTime(START_MS) },
      ]);
    });
  });

  test('does not wait for a line whose time is nonsense', async () => {
    const path = recording(hello, heartbeatWire(1, { at: '9999' }), heartbeatWire(2, at(0)));
    await withReplay(path, async (sink) => {
      await sink.until('caught up');
      expect(sink.words()).toContain('heartbeat 2');
    });
  });

  test('close ends a replay that waits for a later line, and the sink gets nothing after it', async () => {
    const path = recording(hello, heartbeatWire(1, at(3_600)));
    const sink = new ListeningSink();
    const clock = new ManualClock();
    const source = await openReplay({ path, speed: 1, startMs: START_MS }, sink, { clock });
    await sink.until('caught up');
    const heardCount = sink.heard.length;
    clock.ms += 3_600_000;
    await source.close();
    expect(sink.heard).toHaveLength(heardCount);
  });

  const REFUSED = [
    ['an empty one', ''],
    ['one of another protocol', JSON.stringify({ ...hello, protocol: 2 })],
    ['one that starts with something else', JSON.stringify(eventWire(1))],
    ['one whose hello has no time', JSON.stringify({ ...hello, at: 'now' })],
    ['one that starts with garbage', 'PK\u0003\u0004'],
  ] as const;
  for (const [what, line] of REFUSED) {
    test(`refuses ${what}, and so does the check before the start`, async () => {
      const path = recording(line);
      const open = openReplay({ path, speed: 1, startMs: START_MS }, new ListeningSink(), {
        clock: new ManualClock(),
      });
      await expect(open).rejects.toThrow('does not start with a hello');
      await expect(checkRecording(path)).rejects.toThrow('does not start with a hello');
    });
  }

  test('refuses a gap that nothing repairs and names its line, and accepts a gap that a snapshot repairs', async () => {
    const gap = [hello, eventWire(1), '', 'garbage', quoteWire(3), quoteWire(6)];
    await expect(checkRecording(recording(...gap))).rejects.toThrow('line 6 has seq 6 where 4 was due');
    const repaired = [...gap, markWire('snapshot_begin', 20), eventWire(21), markWire('snapshot_end', 22)];
    await expect(checkRecording(recording(...repaired))).resolves.toBeUndefined();
    await expect(checkRecording(recording(...repaired, quoteWire(22), quoteWire(21)))).rejects.toThrow(
      'line 11',
    );
  });

  test('reports its end, after which no prices are confirmed', async () => {
    const sink = new ListeningSink();
    const ended = Promise.withResolvers<void>();
    const path = recording(hello, eventWire(1, 'e1', { at: wireTime(HELLO_MS) }));
    const tools = { clock: new ManualClock(), onEnd: () => ended.resolve() };
    const source = await openReplay({ path, speed: 1, startMs: START_MS }, sink, tools);
    await ended.promise;
    expect(sink.words()).toEqual(['connected true', 'hello', 'event 1', 'caught up', 'alive 0']);
    await source.close();
  });

  test('refuses a missing file; the check accepts a good one', async () => {
    await expect(checkRecording(join(folder.path, 'missing'))).rejects.toThrow('is no file');
    await expect(checkRecording(recording(hello))).resolves.toBeUndefined();
  });
});

describe('a recording that was cut off', () => {
  const past = { at: wireTime(HELLO_MS) };
  const events = Array.from({ length: 60 }, (_, index) => eventWire(index + 1, `é${index}`, past));
  const lines = [hello, ...events];
  const text = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const half = Math.floor(text.length / 2);
  const files = {
    'x.ndjson': text,
    // The text as one compressed stream, and as two, one after the other.
    'x.ndjson.gz': gzipSync(text),
    'two.ndjson.gz': Buffer.concat([gzipSync(text.subarray(0, half)), gzipSync(text.subarray(half))]),
  };

  for (const [name, bytes] of Object.entries(files)) {
    test(`${name}: cut at any byte, it is read up to its last whole line, and reported as cut`, async () => {
      const path = join(folder.path, name);
      const whole = name.endsWith('.gz') ? gunzipSync(bytes) : bytes;
      for (let length = 0; length <= bytes.length; length++) {
        const part = bytes.subarray(0, length);
        writeFileSync(path, part);
        const { lines: read, isCut } = await openRecording(path);
        const found = (await Array.fromAsync(read)).flat().filter((line) => line !== '');
        const kept = name.endsWith('.gz') && length > 0 ? unpacked(part) : part;
        // A line is complete with its last brace, even without the line break.
        const expected = kept.toString('latin1').split('}\n').length - 1;
        const isLineWhole = kept.length < whole.length && whole[kept.length] === 10;
        expect([length, found.length]).toEqual([length, expected + (isLineWhole ? 1 : 0)]);
        const isSomeOfIt =
          kept.length < whole.length && kept.length > 0 && kept.at(-1) !== 10 && !isLineWhole;
        if (isSomeOfIt || (name === 'x.ndjson.gz' && length > 0 && length < bytes.length)) {
          expect([length, isCut()]).toEqual([length, true]);
        }
        if (length === bytes.length) expect(isCut()).toBe(false);
      }
    });
  }

  test('replays complete lines and reports the truncation; a file that is damaged inside is refused', async () => {
    const path = join(folder.path, 'cut.ndjson.gz');
    writeFileSync(path, gzipSync(text).subarray(0, -20));
    await checkRecording(path);
    const ended = Promise.withResolvers<boolean>();
    const sink = new ListeningSink();
    const tools = { clock: new ManualClock(), onEnd: ended.resolve };
    const source = await openReplay({ path, speed: 1, startMs: START_MS }, sink, tools);
    expect(await ended.promise).toBe(true);
    expect(sink.words().slice(0, 3)).toEqual(['connected true', 'hello', 'event 1']);
    await source.close();
    const damaged = gzipSync(text);
    damaged[damaged.length - 6]! ^= 0xff; // a byte of its checksum
    writeFileSync(path, damaged);
    await expect(checkRecording(path)).rejects.toThrow('cannot be read after line');
  });
});

/** What another decompressor reads from truncated compressed bytes. */
function unpacked(bytes: Buffer): Buffer {
  return gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
}
