// A recording on disk: opened as plain text or gzip by its name, and checked before a service depends on it.
// A file that was truncated, because its recorder was killed or the disk was full, counts up to its last
// whole line.

import { stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { FEED_LINE_BYTES_MAX } from '../../limits.ts';
import { jsonOrUndefined } from '../../parse-json.ts';
import { type Line, linesOf, UNREADABLE_LINE } from '../lines.ts';
import { parseMessage, seqOf } from '../parse-message.ts';
import { FEED_PROTOCOL_VERSION } from '../protocol.ts';

/** Why a recording cannot be replayed, for the operator. */
export class RecordingError extends Error {
  constructor(path: string, why: string) {
    super(`Cannot open recording: ${path} ${why}`);
    this.name = 'RecordingError';
  }
}

/** An open recording. */
export interface OpenedRecording {
  /** Its whole lines, several at once. */
  readonly lines: AsyncGenerator<Line[]>;
  /** Whether the file was truncated. This is known once all lines were read. */
  isCut(): boolean;
}

/** Opens a recording. @throws RecordingError when there is no such file */
export async function openRecording(path: string): Promise<OpenedRecording> {
  const file = Bun.file(path);
  if (!(await file.exists())) throw new RecordingError(path, 'is no file');
  let isCut = false;
  const cut = (): void => {
    isCut = true;
  };
  const bytes: AsyncIterable<Uint8Array> = file.stream();
  const text = path.endsWith('.gz') ? gunzipped(bytes, cut) : bytes;
  const isWhole = (last: Line): boolean => {
    const isLine = last !== UNREADABLE_LINE && jsonOrUndefined(last) !== undefined;
    if (!isLine) cut();
    return isLine;
  };
  return { lines: linesOf(text, FEED_LINE_BYTES_MAX, isWhole), isCut: () => isCut };
}

/**
 * How many compressed bytes are decompressed in one step. The result of a step is in memory as a whole, and
 * may be a thousand times as large.
 */
const GZIP_STEP_BYTES = 16 * 1024;

/**
 * The text of compressed bytes, up to the point where they are truncated.
 * @param cut called when the bytes are truncated
 * @throws when the bytes are damaged
 */
async function* gunzipped(bytes: AsyncIterable<Uint8Array>, cut: () => void): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  let ready: Uint8Array[] = [];
  let failure: NodeJS.ErrnoException | null = null;
  const over = Promise.withResolvers<void>();
  gunzip.on('data', (chunk: Uint8Array) => ready.push(chunk));
  gunzip.on('error', (error) => {
    failure = error;
    over.resolve();
  });
  gunzip.on('end', over.resolve);
  try {
    for await (const chunk of bytes) {
      for (let start = 0; start < chunk.length && failure === null; start += GZIP_STEP_BYTES) {
        const written = new Promise<void>((resolve) => {
          gunzip.write(chunk.slice(start, start + GZIP_STEP_BYTES), () => resolve());
        });
        await Promise.race([written, over.promise]);
        yield* ready;
        ready = [];
      }
      if (failure !== null) break;
    }
    if (failure === null) {
      gunzip.end();
      await over.promise;
      yield* ready;
    }
    const code = (failure as NodeJS.ErrnoException | null)?.code;
    if (code === 'Z_BUF_ERROR') cut();
    else if (failure !== null) throw failure;
  } finally {
    gunzip.destroy();
  }
}

/**
 * The hello time of a first line, Unix ms.
 * @throws RecordingError when the line is not a hello of this protocol
 */
export function helloTime(line: Line | undefined, path: string): number {
  const hello = line === undefined || line === UNREADABLE_LINE ? null : parseMessage(jsonOrUndefined(line));
  if (hello !== null && typeof hello === 'object' && hello.type === 'hello') return hello.atMs;
  throw new RecordingError(path, `does not start with a hello message of protocol ${FEED_PROTOCOL_VERSION}`);
}

/**
 * Checks a whole recording: it begins with a hello, and a gap in its numbers is followed by a snapshot mark,
 * which repairs it. Without such a mark nothing after the gap could be applied, and the service would stay
 * without prices. A path that is not a regular file (a pipe) is not checked, because the replay itself can
 * read it only once.
 * @throws RecordingError with the number of the line
 */
export async function checkRecording(path: string): Promise<void> {
  const file = await stat(path).catch(() => null); // a missing file is refused where it is opened
  if (file !== null && !file.isFile() && !file.isDirectory()) return;
  for await (const _ of checkedMessages(path));
}

/**
 * The messages of a recording, several at once, undefined for a line that is not JSON. They are checked as
 * they are read, but whether a gap was repaired is known only at the end.
 * @throws RecordingError as `checkRecording` does
 */
export async function* checkedMessages(path: string): AsyncGenerator<readonly unknown[]> {
  const gaps = new GapFinder();
  let lineNumber = 0;
  let isFirst = true;
  try {
    const { lines: whole } = await openRecording(path);
    for await (const lines of whole) {
      const messages: unknown[] = [];
      for (const line of lines) {
        lineNumber++;
        if (line === '') continue;
        if (isFirst) helloTime(line, path);
        isFirst = false;
        const message = line === UNREADABLE_LINE ? undefined : jsonOrUndefined(line);
        gaps.line(message, lineNumber);
        messages.push(message);
      }
      yield messages;
    }
  } catch (error) {
    if (error instanceof RecordingError) throw error;
    throw new RecordingError(path, `cannot be read after line ${lineNumber}`);
  }
  if (isFirst) helloTime(undefined, path);
  if (gaps.openGap === null) return;
  const { line, expected, found } = gaps.openGap;
  const gap = `line ${line} has seq ${found} where ${expected} was due`;
  throw new RecordingError(path, `has a gap that no later snapshot_begin repairs: ${gap}`);
}

interface Gap {
  readonly line: number;
  readonly expected: number;
  readonly found: number;
}

/**
 * Applies ingest's rule about the sequence to a file: after a loss, messages count as lost until a snapshot
 * or another hello begins.
 */
class GapFinder {
  openGap: Gap | null = null;
  #lastSeq: number | null = null;
  #unnumbered = 0;

  line(wire: unknown, line: number): void {
    const type = (wire as { readonly type?: unknown } | null | undefined)?.type;
    const seq = seqOf(wire);
    if (type === 'hello' || type === 'snapshot_begin') {
      this.#lastSeq = seq;
      this.#unnumbered = 0;
      this.openGap = null;
    } else if (seq === null) {
      this.#unnumbered++;
    } else if (this.openGap === null && seq !== this.#lastSeq) {
      const expected = this.#lastSeq === null ? seq : this.#lastSeq + 1;
      if (seq < expected || seq > expected + this.#unnumbered) this.openGap = { line, expected, found: seq };
      this.#lastSeq = seq;
      this.#unnumbered = 0;
    }
  }
}
