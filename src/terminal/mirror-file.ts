// The file that `overround mirror` writes: one line of JSON per stream event. If a program was killed or the
// disk was full, the file may end with lines after the last complete line that has a cursor. They are cut off
// when the file is opened again, so the file always reads as an unbroken stream.
//
//   {"mirror":1,"parameters":{...}}                                        the first line
//   {"cursor":null|"...","event":"snapshot"|"delta","received_at":"...","data":{...}}
// `data` is as sent by /v1/stream.

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
import { messageOf } from '../errors.ts';
import { lockFile } from '../storage/file-lock.ts';
import { CommandFailure } from './failure.ts';
import type { Delta, SlateSnapshot } from './follow.ts';
import type { Parameters } from './server.ts';

const FORMAT = 1;
const BLOCK_BYTES = 64 * 1024;
const LINE_BREAK = 0x0a;
/**
 * Lines are synced to disk at most this often, when the next line is written. They are also synced when the
 * file is closed.
 */
const SYNC_MS = 1_000;
const WITH_CURSOR = '{"cursor":"';

export class MirrorFile {
  readonly path: string;
  /** The cursor to continue from, found on the last line that has one; null when no line has one. */
  readonly since: string | null;
  /** Bytes of an incomplete end that were cut off when the file was opened. */
  readonly cutBytes: number;
  lineCount = 0;
  #byteCount: number;
  /** Byte offset after the last line with a cursor, or after the first line. */
  #cursorEnd: number;
  #syncedAtMs = 0;
  readonly #file: number;
  readonly #unlock: () => void;

  /**
   * Opens or creates a file; a lock keeps other programs from writing to it.
   * @param parameters of the view; must equal those that an existing file was created with
   * @throws CommandFailure when the file cannot be created, another mirror is writing it, or it was created
   * with other parameters or is not a mirror file
   */
  constructor(path: string, parameters: Parameters) {
    this.path = path;
    const unlock = openAt(path, () => lockFile(`${path}.lock`));
    if (unlock === null) {
      throw new CommandFailure(
        'failed',
        `Cannot write ${path}: another mirror is writing to it`,
        'Stop that mirror, or use another file',
      );
    }
    this.#unlock = unlock;
    try {
      this.#file = openAt(path, () => openSync(path, 'a+', 0o600));
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
   * Appends an event. When this returns, the line is in the file, but not yet necessarily on disk. If the
   * connection broke before the last part of a snapshot, the parts already written are cut off before the
   * next event.
   */
  append(event: 'snapshot' | 'delta', data: SlateSnapshot | Delta, nowMs: number): void {
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

  /** Where to continue. A file without any cursor starts over after its first line. */
  #checkedEnd(size: number, head: string): { readonly bytes: number; readonly cursor: string | null } {
    const own = Buffer.from(head);
    const first = Buffer.alloc(Math.min(own.length, size));
    readSync(this.#file, first, 0, first.length, 0);
    if (!own.subarray(0, first.length).equals(first)) {
      const isMirror = first.toString().startsWith('{"mirror":');
      throw new CommandFailure(
        'failed',
        `Cannot continue ${this.path}: it ${isMirror ? 'was created with other filters or another format' : 'is not a mirror file'}`,
        isMirror ? `Use the same flags, or another file: ${firstLineOf(this.#file)}` : 'Use another file',
      );
    }
    return this.#lastCursor(size) ?? { bytes: size < own.length ? 0 : own.length, cursor: null };
  }

  /** Searches backwards from the end for the last complete line that has a cursor. */
  #lastCursor(size: number): { readonly bytes: number; readonly cursor: string } | null {
    let end = size;
    let lineEnd: number | null = null; // just after the line break that ends the line being checked
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

/** Opens something at a path. @throws CommandFailure that says what is wrong with the path */
export function openAt<Opened>(path: string, open: () => Opened): Opened {
  const folder = statSync(dirname(path), { throwIfNoEntry: false });
  const why =
    folder?.isDirectory() !== true
      ? `${dirname(path)} is not a folder`
      : statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
        ? 'it is a folder'
        : null;
  try {
    if (why === null) return open();
  } catch (error) {
    const cause = messageOf(error);
    throw new CommandFailure('failed', `Cannot write ${path}: ${cause}`, 'Use a file that you may write to');
  }
  throw new CommandFailure(
    'notUnderstood',
    `Cannot write ${path}: ${why}`,
    'Use a file in a folder that exists',
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
