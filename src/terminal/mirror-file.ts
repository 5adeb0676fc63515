// The file that `overround mirror` writes: one line of JSON for each event of the stream, ended by its line break. What a
// killed program or a full disk left behind the last whole line with a cursor is cut when the file is opened again, so the
// file always reads as an unbroken stream.
//
//   {"mirror":1,"parameters":{...}}                                        the first line
//   {"cursor":null|"...","event":"snapshot"|"delta","received_at":"...","data":{...}}   data as /v1/stream sends it

import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { lockFile } from '../file-lock.ts';
import { CommandFailure } from './failure.ts';
import type { Delta, Snapshot } from './follow.ts';
import type { Parameters } from './server.ts';

const FORMAT = 1;
const BLOCK_BYTES = 64 * 1024;
const LINE_BREAK = 0x0a;
/** Written lines reach the disk at the latest after this long, or when the file is closed. */
const SYNC_MS = 1_000;
const WITH_CURSOR = '{"cursor":"';

export class MirrorFile {
  readonly path: string;
  /** Where the file ends, by its last line with a cursor; null for a new file. */
  readonly since: string | null;
  /** Bytes of a torn end that were cut. */
  readonly cutBytes: number;
  lineCount = 0;
  #byteCount: number;
  /** Where the last line with a cursor ends, or the first line. */
  #cursorEnd: number;
  #syncedAtMs = 0;
  readonly #file: number;
  readonly #unlock: () => void;

  /**
   * Opens a file or begins one, for this program alone.
   * @param parameters of the view; those that the file was begun with must be the same
   * @throws CommandFailure when it cannot be made, another mirror writes it, or it is another kind of file
   */
  constructor(path: string, parameters: Parameters) {
    this.path = path;
    const unlock = refusing(path, () => lockFile(`${path}.lock`));
    if (unlock === null) {
      throw new CommandFailure(
        'failed',
        `Cannot write ${path}: another mirror writes it`,
        'End that one, or name another file',
      );
    }
    this.#unlock = unlock;
    try {
      this.#file = refusing(path, () => openSync(path, 'a+', 0o600));
      const { size } = fstatSync(this.#file);
      const head = `${JSON.stringify({ mirror: FORMAT, parameters: given(parameters) })}\n`;
      const end = size === 0 ? { bytes: 0, cursor: null } : this.#checkedEnd(size, head);
      this.since = end.cursor;
      this.cutBytes = size - end.bytes;
      if (this.cutBytes > 0) ftruncateSync(this.#file, end.bytes);
      this.#byteCount = end.bytes;
      if (end.bytes === 0) this.#write(head);
      this.#cursorEnd = this.#byteCount;
    } catch (error) {
      unlock();
      throw error;
    }
  }

  get byteCount(): number {
    return this.#byteCount;
  }

  /**
   * Adds an event. The line is in the file when this returns, and on the disk a second later. A snapshot that did not come
   * to its last part, since the connection broke, is cut before the event that goes on from the cursor before it.
   */
  append(event: 'snapshot' | 'delta', data: Snapshot | Delta, nowMs: number): void {
    const goesOn = 'part' in data && data.part > 1;
    if (!goesOn && this.#byteCount > this.#cursorEnd) {
      ftruncateSync(this.#file, this.#cursorEnd);
      this.#byteCount = this.#cursorEnd;
    }
    const cursor = 'part' in data ? (data.last ? data.cursor : null) : data.to;
    const received_at = new Date(nowMs).toISOString();
    this.#write(`${JSON.stringify({ cursor, event, received_at, data })}\n`);
    if (cursor !== null) this.#cursorEnd = this.#byteCount;
    this.lineCount += 1;
    if (nowMs - this.#syncedAtMs < SYNC_MS) return;
    this.#syncedAtMs = nowMs;
    fdatasyncSync(this.#file);
  }

  close(): void {
    fdatasyncSync(this.#file);
    closeSync(this.#file);
    this.#unlock();
  }

  #write(line: string): void {
    const bytes = Buffer.from(line);
    for (let written = 0; written < bytes.length; ) written += writeSync(this.#file, bytes, written);
    this.#byteCount += bytes.length;
  }

  /** Where to go on. A file that was cut short before its first cursor begins anew, behind its first line. */
  #checkedEnd(size: number, head: string): { readonly bytes: number; readonly cursor: string | null } {
    const own = Buffer.from(head);
    const first = Buffer.alloc(Math.min(own.length, size));
    readSync(this.#file, first, 0, first.length, 0);
    if (!own.subarray(0, first.length).equals(first)) {
      const isMirror = first.toString().startsWith('{"mirror":');
      throw new CommandFailure(
        'failed',
        `Cannot go on with ${this.path}: it ${isMirror ? 'was begun with other filters or another format' : 'is not the file of a mirror'}`,
        isMirror ? `Use the same flags, or another file: ${firstLineOf(this.#file)}` : 'Name another file',
      );
    }
    return this.#lastCursor(size) ?? { bytes: size < own.length ? 0 : own.length, cursor: null };
  }

  /** Looks from the end of the file for the last whole line that has a cursor. */
  #lastCursor(size: number): { readonly bytes: number; readonly cursor: string } | null {
    let end = size;
    let lineEnd: number | null = null; // just behind the line break that ends the line being looked at
    while (end > 0) {
      const begin = Math.max(0, end - BLOCK_BYTES);
      const block = Buffer.alloc(end - begin);
      readSync(this.#file, block, 0, block.length, begin);
      for (
        let at = block.lastIndexOf(LINE_BREAK);
        at >= 0;
        at = at === 0 ? -1 : block.lastIndexOf(LINE_BREAK, at - 1)
      ) {
        const lineBegin = begin + at + 1;
        if (lineEnd !== null) {
          const cursor = this.#cursorAt(lineBegin);
          if (cursor !== null) return { bytes: lineEnd, cursor };
        }
        lineEnd = lineBegin;
      }
      end = begin;
    }
    return null;
  }

  #cursorAt(position: number): string | null {
    const bytes = Buffer.alloc(WITH_CURSOR.length + 200);
    const count = readSync(this.#file, bytes, 0, bytes.length, position);
    const text = bytes.subarray(0, count).toString('latin1');
    return text.startsWith(WITH_CURSOR) ? (text.slice(WITH_CURSOR.length).split('"')[0] ?? null) : null;
  }
}

/** Opens what belongs to a path. @throws CommandFailure that says what is wrong with the path */
function refusing<Opened>(path: string, open: () => Opened): Opened {
  const folder = statSync(dirname(path), { throwIfNoEntry: false });
  const why =
    folder?.isDirectory() !== true
      ? `${dirname(path)} is no folder`
      : statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
        ? 'it is a folder'
        : null;
  try {
    if (why === null) return open();
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new CommandFailure('failed', `Cannot write ${path}: ${cause}`, 'Name a file that you may write to');
  }
  throw new CommandFailure(
    'notUnderstood',
    `Cannot write ${path}: ${why}`,
    'Name a file in a folder that is there',
  );
}

function given(parameters: Parameters): Parameters {
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined));
}

function firstLineOf(file: number): string {
  const bytes = Buffer.alloc(1_024);
  const count = readSync(file, bytes, 0, bytes.length, 0);
  return bytes.subarray(0, count).toString().split('\n')[0]!;
}
