// The programs that docs/guide/streaming.md prints are run as printed, against answers and streams of a slate
// that changes all the time.

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import fc from 'fast-check';
import type { OddsDelta } from '../../src/query/odds/odds-delta.ts';
import { DeltaFrames, type Frame, frameOf, helloFrame, SnapshotFrames } from '../../src/stream/frames.ts';
import { type Answer, Mirror, Scene, step, VIEWS } from '../query/changes-scene.ts';
import { realTimeEnvironment } from '../support/child-environment.ts';
import { until } from '../support/condition.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PAGE = new URL('../../docs/guide/streaming.md', import.meta.url).pathname;
const ANSWERS = 4;
/**
 * The number of events that a mirror of the stream receives before it stops: one part of a snapshot, then a
 * hello with two events, and again a hello with two events.
 */
const STREAM_EVENTS = 1 + 3 + 3;
const STEPS_BETWEEN = 60;
const SEED = 12;

/** The code under a heading of the page. */
async function printed(heading: string): Promise<string> {
  const [, section] = (await Bun.file(PAGE).text()).split(`## ${heading}\n`);
  return /```[a-z]+\n(.*?)```/s.exec(section!)![1]!;
}

/** The next steps of the slate, and what a correct mirror prints after each answer or event. */
class Script {
  readonly expected: string[] = [];
  readonly mirror = new Mirror();
  readonly #scene = new Scene();
  readonly #steps = fc.sample(step, { numRuns: ANSWERS * STEPS_BETWEEN, seed: SEED });

  /** The changes since a cursor, after some more steps of the slate. */
  next(since: string | null): Promise<OddsDelta> {
    for (const next of this.#steps.splice(0, STEPS_BETWEEN))
      if (next.kind !== 'poll') this.#scene.apply(next);
    return this.#scene.delta(this.#scene.view(VIEWS[0]!.words, true), since);
  }

  /** Records the line that a correct mirror prints once it has applied everything up to this cursor. */
  expect(cursor: string): void {
    const { fixtures } = this.mirror;
    const quoteCount = [...fixtures.values()].reduce((sum, { odds }) => sum + odds.size, 0);
    this.expected.push(`${cursor} ${fixtures.size} ${quoteCount}`);
  }
}

interface Printed {
  readonly heading: string;
  readonly command: readonly string[];
  readonly extension: string;
  readonly linesMax: number;
}

/** Runs a printed mirror until it has printed this many lines. @returns the lines */
async function linesOf(
  { heading, command, extension, linesMax }: Printed,
  lineCount: number,
  answer: (since: string | null) => Promise<Response>,
): Promise<string[]> {
  using folder = temporaryFolder();
  const path = join(folder.path, `mirror.${extension}`);
  const code = await printed(heading);
  expect(code.trim().split('\n').length).toBeLessThanOrEqual(linesMax);
  await Bun.write(path, code);
  using server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url }) => answer(new URL(url).searchParams.get('since')),
  });
  const child = Bun.spawn([...command, path], {
    env: { ...realTimeEnvironment(), OVERROUND_URL: `http://127.0.0.1:${server.port}` },
    stdout: 'pipe',
    stderr: 'inherit',
  });
  let output = '';
  const reading = (async () => {
    for await (const chunk of child.stdout) output += new TextDecoder().decode(chunk);
  })();
  await until('the mirror has printed all lines', () => output.split('\n').length > lineCount);
  child.kill();
  await reading;
  return output.split('\n').slice(0, lineCount);
}

/** A mirror that polls, against answers of a slate that changes between them. */
async function expectPolled(mirror: Printed): Promise<void> {
  const script = new Script();
  let fullCount = 0;
  const lines = await linesOf(mirror, ANSWERS, async (since) => {
    const text = Buffer.concat([...(await script.next(since)).body()]).toString();
    const answer = JSON.parse(text) as Answer;
    if (answer.full) fullCount++;
    script.mirror.take(answer);
    script.expect(answer.cursor);
    return new Response(text, { headers: { 'content-type': 'application/json' } });
  });
  expect(lines).toEqual(script.expected.slice(0, ANSWERS));
  expect(fullCount).toBeLessThan(ANSWERS); // so it has sent its cursor
}

/**
 * What a mirror of the stream receives: the first connection ends in the middle of a snapshot, the second
 * after a snapshot and a delta, and the third continues from there.
 */
async function expectFollowed(mirror: Printed): Promise<void> {
  const script = new Script();
  const sinces: (string | null)[] = [];
  const lines = await linesOf(mirror, STREAM_EVENTS, async (since) => {
    sinces.push(since);
    const frames = sinces.length === 1 ? await cutShort(script) : await wholeFrames(script, since);
    return new Response(Buffer.concat(frames), { headers: { 'content-type': 'text/event-stream' } });
  });
  expect(lines).toEqual(script.expected.slice(0, STREAM_EVENTS));
  expect(sinces.slice(0, 2)).toEqual([null, null]);
  expect(sinces[2]).toBe(lines[STREAM_EVENTS - 3]!.split(' ')[0]!);
}

function snapshotFrames(delta: OddsDelta): Frame[] {
  const source = new SnapshotFrames({
    delta,
    piece: (_form, first, make) => ({ piece: make(first), isShared: false }),
    close: () => {},
  });
  const frames: Frame[] = [];
  for (let frame = source.next(); frame !== null; frame = source.next()) frames.push(frame);
  return frames;
}

async function cutShort(script: Script): Promise<Uint8Array[]> {
  const [frame] = snapshotFrames(await script.next(null));
  const part = JSON.parse(new TextDecoder().decode(frame!.data)) as Answer;
  script.mirror.take(part);
  script.expect('');
  return [frameOf('snapshot', null, { ...part, last: false }).bytes];
}

/** A hello and two events after it. The slate changes between the two. */
async function wholeFrames(script: Script, since: string | null): Promise<Uint8Array[]> {
  const hello = helloFrame({ cursor: since ?? '', heartbeatMs: 5_000, tickMs: 5_000 }, {});
  script.expect(since ?? '');
  const sent = [hello.bytes];
  let cursor = since;
  for (let event = 0; event < 2; event++) {
    const delta = await script.next(cursor);
    const frames = delta.isFull ? snapshotFrames(delta) : [new DeltaFrames(delta, false).from(cursor!)];
    for (const { bytes, data } of frames) {
      script.mirror.take(JSON.parse(new TextDecoder().decode(data)) as Answer);
      script.expect(delta.cursor);
      sent.push(bytes);
    }
    cursor = delta.cursor;
  }
  return sent;
}

const TYPESCRIPT = { command: [process.execPath], extension: 'ts' };
const PYTHON = { command: ['python3'], extension: 'py' };
/** Skipped on a machine without Python. */
const pythonTest = test.skipIf(Bun.which('python3') === null);
const POLLED_LINES_MAX = 16;
const FOLLOWED_LINES_MAX = 22;

test(
  'the printed mirror by polling, in TypeScript, equals the slate after every answer',
  () =>
    expectPolled({
      ...TYPESCRIPT,
      heading: 'A mirror by polling, in TypeScript',
      linesMax: POLLED_LINES_MAX,
    }),
  120_000,
);
pythonTest(
  'the printed mirror by the stream, in Python, equals the slate after every event',
  () =>
    expectFollowed({ ...PYTHON, heading: 'A mirror by the stream, in Python', linesMax: FOLLOWED_LINES_MAX }),
  120_000,
);
