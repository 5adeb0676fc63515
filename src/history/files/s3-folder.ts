// A history folder in a bucket behind the S3 protocol, through Bun's own client. It takes its keys, region
// and endpoint from the environment (S3_* or AWS_*). Objects are written whole, so a reader never sees a part
// of one. A log cannot grow there, so each appended piece is an object of its own, named by its offset.

import { S3Client, type S3ListObjectsOptions, type S3ListObjectsResponse } from 'bun';
import type { AsyncBuffer } from 'hyparquet';
import { codeOf } from '../../errors.ts';
import { withinDeadline } from '../../pause.ts';
import { type FolderEntry, type HistoryFolder, LOG_PREFIX } from './folder.ts';

/** A call that takes longer fails and is tried again, because the client has no deadline of its own. */
const CALL_DEADLINE_MS = 15_000;
/**
 * How long a write that has not ended holds back the next write of the same file. The client waits six
 * minutes for an answer. That would be too long, because the ring cannot hold all changes of six minutes.
 */
const WRITE_HOLDS_MS = 60_000;
const OFFSET_DIGITS = 12;
/** Pieces of a log that are read at the same time. A day's log may have tens of thousands. */
const READ_AT_ONCE_MAX = 32;
/** Pieces of a log that are removed at the same time. */
const REMOVED_AT_ONCE_MAX = 16;

export interface S3Place {
  readonly bucket: string;
  /** The prefix, without slashes at its ends; empty for the whole bucket. */
  readonly prefix: string;
}

/** The bucket and prefix of `s3://bucket/prefix`, or null for another text. */
export function s3PlaceOf(address: string): S3Place | null {
  const match = /^s3:\/\/([^/]+)\/?(.*)$/.exec(address);
  return match === null ? null : { bucket: match[1]!, prefix: match[2]!.replaceAll(/^\/+|\/+$/g, '') };
}

export class S3Folder implements HistoryFolder {
  readonly name: string;
  readonly mayApplyLate = true;
  readonly #client: S3Client;
  readonly #prefix: string;
  readonly #writeHoldsMs: number;
  /** Writes of whole files that have not ended, although their caller may have given up; by path. */
  readonly #writing = new Map<string, Promise<void>>();

  /** Only tests set the endpoint and the time. @param endpoint by default, that of the environment */
  constructor(
    { bucket, prefix }: S3Place,
    endpoint?: ConstructorParameters<typeof S3Client>[0],
    { writeHoldsMs = WRITE_HOLDS_MS } = {},
  ) {
    this.name = `s3://${bucket}/${prefix}`;
    this.#client = new S3Client({ ...endpoint, bucket });
    this.#prefix = prefix === '' ? '' : `${prefix}/`;
    this.#writeHoldsMs = writeHoldsMs;
  }

  async list(prefix: string): Promise<readonly FolderEntry[]> {
    return await this.#entries({ prefix: this.#prefix + prefix });
  }

  async open(path: string): Promise<AsyncBuffer> {
    const file = this.#client.file(this.#prefix + path);
    const { size } = await inTime(file.stat());
    return {
      byteLength: size,
      slice: async (start, end = size) =>
        whole(await inTime(file.slice(start, end).arrayBuffer()), end - start),
    };
  }

  async read(path: string): Promise<Uint8Array | null> {
    try {
      return new Uint8Array(await inTime(this.#client.file(this.#prefix + path).arrayBuffer()));
    } catch (error) {
      if (codeOf(error) === 'NoSuchKey') return null;
      throw error;
    }
  }

  /**
   * Waits for an earlier write of the same file. Until that write has ended, the bucket may still apply it,
   * and would replace the newer file by the older one. If it has not ended by the deadline, this call fails.
   * After a minute the earlier write counts as lost.
   */
  async write(path: string, bytes: Uint8Array): Promise<void> {
    for (let earlier = this.#writing.get(path); earlier !== undefined; earlier = this.#writing.get(path)) {
      await inTime(earlier);
    }
    const writing = this.#client.write(this.#prefix + path, bytes);
    const forget = (): void => void this.#writing.delete(path);
    this.#writing.set(path, inTime(writing, this.#writeHoldsMs).then(forget, forget));
    await inTime(writing);
  }

  async remove(path: string): Promise<void> {
    await inTime(this.#client.delete(this.#prefix + path));
  }

  async removeDrafts(): Promise<void> {
    // A bucket has no drafts.
  }

  async append(path: string, offset: number, bytes: Uint8Array): Promise<void> {
    // Does not wait for an earlier attempt, because that one has the same bytes (TapeLog.append).
    await inTime(this.#client.write(this.#prefix + pieceOf(path, offset), bytes));
  }

  async readLog(path: string, offset: number): Promise<Uint8Array | null> {
    // A follower asks every second for what is new. So the pieces that it has are not listed again.
    const pieces = { prefix: `${this.#prefix}${path}/` };
    const startAfter = this.#prefix + pieceOf(path, offset - 1);
    const ends = await this.#entries(offset > 0 ? { ...pieces, startAfter } : pieces);
    if (ends.length === 0 && !(offset > 0 && (await this.#hasSome(pieces)))) return null;
    return new Uint8Array(Buffer.concat(await this.#piecesOf(withoutHoles(path, offset, ends))));
  }

  /** The bytes of these pieces, up to the first one that has been removed since they were listed. */
  async #piecesOf(ends: readonly FolderEntry[]): Promise<Uint8Array[]> {
    const pieces: Uint8Array[] = [];
    for (let at = 0; at < ends.length; at += READ_AT_ONCE_MAX) {
      const some = ends.slice(at, at + READ_AT_ONCE_MAX);
      const read = await Promise.all(some.map((end) => this.read(end.path)));
      for (const [index, bytes] of read.entries()) {
        if (bytes === null) return pieces;
        pieces.push(whole(bytes, some[index]!.bytes));
      }
    }
    return pieces;
  }

  async logs(): Promise<readonly string[]> {
    const prefixes: string[] = [];
    // With a delimiter the bucket names each log once, however many pieces it has.
    for await (const { commonPrefixes = [] } of this.#pages({
      prefix: this.#prefix + LOG_PREFIX,
      delimiter: '/',
    })) {
      prefixes.push(...commonPrefixes.map(({ prefix }) => prefix.slice(this.#prefix.length, -1)));
    }
    return prefixes.sort();
  }

  async removeLog(path: string): Promise<void> {
    // The first piece is removed last, so that the pieces that a kill leaves are still read as a log, up to
    // the first hole. The next start recognises that its rows are in a file.
    const [first, ...others] = (await this.list(`${path}/`)).map((end) => end.path);
    const latestFirst = others.toReversed();
    for (let at = 0; at < latestFirst.length; at += REMOVED_AT_ONCE_MAX) {
      const some = latestFirst.slice(at, at + REMOVED_AT_ONCE_MAX);
      await Promise.all(some.map((piece) => this.remove(piece)));
    }
    if (first !== undefined) await this.remove(first);
  }

  async close(): Promise<void> {}

  async #entries(options: S3ListObjectsOptions): Promise<FolderEntry[]> {
    const entries: FolderEntry[] = [];
    for await (const { contents = [] } of this.#pages(options)) {
      for (const { key, size } of contents) {
        entries.push({ path: key.slice(this.#prefix.length), bytes: size ?? 0 });
      }
    }
    return entries.sort((first, second) => (first.path < second.path ? -1 : 1));
  }

  async #hasSome(options: S3ListObjectsOptions): Promise<boolean> {
    const { contents = [] } = await inTime(this.#client.list({ ...options, maxKeys: 1 }));
    return contents.length > 0;
  }

  /** The answers to a list request, each with at most a thousand names. */
  async *#pages(options: S3ListObjectsOptions): AsyncGenerator<S3ListObjectsResponse> {
    let continuationToken: string | undefined;
    do {
      const more = continuationToken === undefined ? {} : { continuationToken };
      const page = await inTime(this.#client.list({ ...options, ...more }));
      yield page;
      continuationToken = page.isTruncated === true ? page.nextContinuationToken : undefined;
    } while (continuationToken !== undefined);
  }
}

/** The path of the piece of a log that begins at an offset. The order of paths is that of the offsets. */
function pieceOf(logPath: string, offset: number): string {
  return `${logPath}/${String(offset).padStart(OFFSET_DIGITS, '0')}`;
}

/** The pieces of a log from an offset up to the first hole. What follows a hole is not part of the log. */
function withoutHoles(logPath: string, offset: number, ends: readonly FolderEntry[]): FolderEntry[] {
  const found: FolderEntry[] = [];
  let next = offset;
  for (const end of ends) {
    const at = Number(end.path.slice(logPath.length + 1));
    if (at < next) continue;
    if (at > next) break;
    found.push(end);
    next += end.bytes;
  }
  return found;
}

/** @throws when only a part of an object arrived. The object itself is not damaged then. */
function whole<Bytes extends ArrayBuffer | Uint8Array>(bytes: Bytes, byteCount: number): Bytes {
  if (bytes.byteLength === byteCount) return bytes;
  throw Object.assign(new Error('The bucket sent a part of an object'), { code: 'EIO' });
}

function inTime<Result>(call: Promise<Result>, deadlineMs = CALL_DEADLINE_MS): Promise<Result> {
  return withinDeadline(call, deadlineMs, () =>
    Object.assign(new Error('The bucket did not answer in time'), { code: 'ETIMEDOUT' }),
  );
}
