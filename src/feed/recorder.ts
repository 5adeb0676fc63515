// Writes the messages of a feed as recordings: a hello, its snapshot, and every later message, numbered again
// in each file. It is a sink like the ingest worker's, so any source can be recorded. Each file can be
// replayed alone: a new file begins with a snapshot, which is requested when the old file has reached its
// size or its age.

import { createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { constants, createGzip, type Gzip } from 'node:zlib';
import type { FeedSink } from './source.ts';
import { wireTimeMs } from './wire-time.ts';
import type { Wire } from './wire-values.ts';

export interface RecorderOptions {
  /** `name.ndjson` or `name.ndjson.gz`. With a rotation the files are `name.0001.ndjson` and so on. */
  readonly path: string;
  /** A new file begins after this many bytes of text; null: the size does not matter. */
  readonly rotateBytes: number | null;
  /** A new file begins after this long, by the feed's own time; null: the age does not matter. */
  readonly rotateMs: number | null;
  /** Requests a snapshot from the source. */
  readonly requestSnapshot: () => void;
  /** Called when a file could not be written, which ends the recording. */
  readonly onError: (error: unknown) => void;
}

/**
 * How often a compressed file is flushed, so that a killed process loses no more than the messages of this
 * time. Bytes that are still inside the compressor are lost then. Plain text is written immediately.
 */
const FLUSH_EVERY_MS = 1_000;
/**
 * Most bytes that may wait for the disk. Above that, `offer` returns false. The source then drops its
 * connection, and its reconnect brings a snapshot.
 */
const WAITING_BYTES_MAX = 64 * 1024 * 1024;

export class Recorder implements FeedSink {
  readonly #options: RecorderOptions;
  readonly paths: string[] = [];
  #file: RecordingFile | null = null;
  #hello: Wire | null = null;
  /** Source time of the last message that had one. */
  #at = '';
  #isSnapshotAsked = false;
  /**
   * Whether the snapshot at the beginning of a file is being written. Its begin and end messages are left
   * out, because the hello announces it.
   */
  #inFirstSnapshot = false;
  messageCount = 0;
  /** Files that hold a complete snapshot. */
  snapshotCount = 0;
  /** Files that are full but not on disk yet: `finish` waits for them too. */
  readonly #ending = new Set<Promise<void>>();

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  offer(message: unknown): boolean {
    const wire = message as Wire; // a message of another shape is not written, see below
    if (typeof message !== 'object' || message === null || typeof wire.type !== 'string') return true;
    if (typeof wire.at === 'string') this.#at = wire.at;
    if (wire.type === 'hello') this.#hello = wire;
    else if (wire.type === 'snapshot_begin') this.#beginSnapshot(wire);
    else if (wire.type === 'snapshot_end' && this.#inFirstSnapshot) this.#endFirstSnapshot();
    else this.#write(wire);
    return this.#file === null || this.#file.waitingBytes <= WAITING_BYTES_MAX;
  }

  room(): Promise<void> {
    return Promise.resolve(); // a source that is refused here reconnects
  }
  caughtUp(): void {}
  alive(): void {}
  undecodable(): void {}
  connection(connected: boolean): void {
    if (!connected) this.#isSnapshotAsked = false;
  }

  /** Ends the current file. Resolves when it and the files before it are on disk. */
  async finish(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    await Promise.all([...this.#ending, file?.end()]);
  }

  #beginSnapshot(mark: Wire): void {
    const isDue = this.#file === null || (this.#isSnapshotAsked && this.#isRotationDue());
    this.#isSnapshotAsked = false;
    if (!isDue) {
      // The source has reconnected. The mark in the file shows that messages before it may be missing.
      this.#write(mark);
      return;
    }
    if (this.#file !== null) this.#end(this.#file);
    this.#file = this.#open();
    this.#inFirstSnapshot = true;
  }

  #end(file: RecordingFile): void {
    const ending = file
      .end()
      .catch(this.#options.onError)
      .finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  #endFirstSnapshot(): void {
    this.#inFirstSnapshot = false;
    if (this.#file !== null) this.#file.snapshotBytes = this.#file.byteCount;
    this.snapshotCount++;
  }

  #open(): RecordingFile {
    const { path, rotateBytes, rotateMs, onError } = this.#options;
    const isRotated = rotateBytes !== null || rotateMs !== null;
    const name = isRotated ? numberedPath(path, this.paths.length + 1) : path;
    this.paths.push(name);
    const file = new RecordingFile(name, onError);
    const { epoch: _epoch, ...hello } = this.#hello ?? {};
    // The hello gets the time of the snapshot. A replay plays messages before that time as the past.
    const helloAt = this.paths.length === 1 || this.#at === '' ? hello.at : this.#at;
    file.write({ ...hello, at: helloAt });
    file.startedAtMs = wireTimeMs(helloAt);
    return file;
  }

  #write(wire: Wire): void {
    if (this.#file === null) return; // before the first snapshot
    this.#file.writeNumbered(wire);
    this.messageCount++;
    if (this.#isSnapshotAsked || this.#inFirstSnapshot || !this.#isRotationDue()) return;
    this.#isSnapshotAsked = true;
    this.#options.requestSnapshot();
  }

  #isRotationDue(): boolean {
    const { rotateBytes, rotateMs } = this.#options;
    if (this.#file === null) return false;
    // The limit is at least twice the snapshot of the file. With a smaller limit a file would hold nothing
    // but snapshots.
    const { byteCount, snapshotBytes } = this.#file;
    const isFull = rotateBytes !== null && byteCount >= Math.max(rotateBytes, 2 * snapshotBytes);
    return isFull || (rotateMs !== null && wireTimeMs(this.#at) - this.#file.startedAtMs >= rotateMs);
  }
}

/** One file: lines in, numbered from 1. */
class RecordingFile {
  readonly #stream: Writable;
  readonly #file: Writable;
  readonly #gzip: Gzip | null;
  readonly #flushTimer: ReturnType<typeof setInterval> | undefined;
  /** How many of `byteCount` were flushed. */
  #flushedByteCount = 0;
  byteCount = 0;
  /** Bytes of the snapshot at its beginning. */
  snapshotBytes = 0;
  startedAtMs = Number.NaN;
  #seq = 0;

  constructor(path: string, onError: (error: unknown) => void) {
    this.#file = createWriteStream(path, { flags: 'wx' });
    this.#file.on('error', onError);
    this.#gzip = path.endsWith('.gz') ? createGzip() : null;
    this.#stream = this.#gzip ?? this.#file;
    if (this.#gzip === null) return;
    this.#gzip.pipe(this.#file);
    this.#flushTimer = setInterval(() => this.#flush(), FLUSH_EVERY_MS);
    this.#flushTimer.unref();
  }

  get waitingBytes(): number {
    return this.#stream.writableLength + this.#file.writableLength;
  }

  writeNumbered(wire: Wire): void {
    this.write({ ...wire, seq: ++this.#seq });
  }

  write(wire: Wire): void {
    const line = `${JSON.stringify(wire)}\n`;
    this.byteCount += Buffer.byteLength(line);
    this.#stream.write(line);
  }

  /** Makes everything written so far readable in the file. */
  #flush(): void {
    if (this.#gzip === null || this.byteCount === this.#flushedByteCount) return;
    this.#flushedByteCount = this.byteCount;
    this.#gzip.flush(constants.Z_SYNC_FLUSH);
  }

  async end(): Promise<void> {
    clearInterval(this.#flushTimer);
    this.#stream.end();
    await finished(this.#file);
  }
}

/** The path of a file: number 2 of `name.ndjson.gz` is `name.0002.ndjson.gz`. */
function numberedPath(path: string, index: number): string {
  const ending = /(?:\.ndjson|\.jsonl?)?(?:\.gz)?$/.exec(path)![0];
  const number = String(index).padStart(4, '0');
  return `${path.slice(0, path.length - ending.length)}.${number}${ending}`;
}
