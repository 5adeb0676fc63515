// A history folder on a disk of this machine, or on one that is mounted.

import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { AsyncBuffer } from 'hyparquet';
import { codeOf } from '../../errors.ts';
import {
  type FolderEntry,
  type HistoryFolder,
  LOG_PREFIX,
  PRICES_PREFIX,
  SET_ASIDE_PREFIX,
  ShortLogError,
} from './folder.ts';

/**
 * The name of a draft has this suffix, and begins with a dot, because programs that read a whole folder, such
 * as pandas, skip files whose names begin with a dot.
 */
const DRAFT_SUFFIX = '.draft';

export class LocalFolder implements HistoryFolder {
  readonly name: string;
  readonly mayApplyLate: boolean = false;
  readonly #root: string;
  readonly #requireTurn: () => void;
  /** The log that was written last, kept open. */
  #log: { readonly path: string; readonly handle: FileHandle; size: number } | null = null;

  /** @param requireTurn called before each change; it throws while another process may change the folder */
  constructor(root: string, requireTurn: () => void = () => undefined) {
    this.name = root;
    this.#root = root;
    this.#requireTurn = requireTurn;
  }

  async list(prefix: string): Promise<readonly FolderEntry[]> {
    const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
    const names = await orIfMissing(readdir(join(this.#root, folder), { recursive: true }), []);
    const entries: FolderEntry[] = [];
    for (const name of names.sort()) {
      const path = folder + name;
      if (!path.startsWith(prefix) || path.endsWith(DRAFT_SUFFIX)) continue;
      const found = await orIfMissing(stat(join(this.#root, path)), null);
      if (found?.isFile() === true) entries.push({ path, bytes: found.size });
    }
    return entries;
  }

  async open(path: string): Promise<AsyncBuffer> {
    const file = Bun.file(join(this.#root, path));
    const { size } = await stat(join(this.#root, path));
    return { byteLength: size, slice: (start, end = size) => file.slice(start, end).arrayBuffer() };
  }

  async read(path: string): Promise<Uint8Array | null> {
    return await orIfMissing(readFile(join(this.#root, path)), null);
  }

  async write(path: string, bytes: Uint8Array): Promise<void> {
    this.#requireTurn();
    const full = join(this.#root, path);
    const draft = join(dirname(full), `.${basename(full)}${DRAFT_SUFFIX}`);
    await mkdir(dirname(full), { recursive: true });
    try {
      await writeFile(draft, bytes, { flush: true });
      await rename(draft, full);
    } catch (error) {
      await rm(draft, { force: true }).catch(() => {}); // the disk may be read-only; the first error counts
      throw error;
    }
  }

  async remove(path: string): Promise<void> {
    this.#requireTurn();
    await rm(join(this.#root, path), { force: true });
  }

  async removeDrafts(isOurs: (path: string) => boolean): Promise<void> {
    for (const prefix of [PRICES_PREFIX, SET_ASIDE_PREFIX]) {
      const names = await orIfMissing(readdir(join(this.#root, prefix), { recursive: true }), []);
      for (const name of names.filter((one) => one.endsWith(DRAFT_SUFFIX))) {
        // Drafts of earlier versions have no dot.
        const file = basename(name, DRAFT_SUFFIX).replace(/^\./, '');
        if (isOurs(join(prefix, dirname(name), file))) await this.remove(prefix + name);
      }
    }
  }

  async append(path: string, offset: number, bytes: Uint8Array): Promise<void> {
    this.#requireTurn();
    const log = await this.#openLog(path);
    try {
      if (log.size !== offset) await cut(log.handle, offset);
      log.size = Number.NaN; // unknown until everything is written
      let written = 0;
      while (written < bytes.length) {
        const { bytesWritten } = await log.handle.write(
          bytes,
          written,
          bytes.length - written,
          offset + written,
        );
        written += bytesWritten;
      }
      log.size = offset + bytes.length;
    } catch (error) {
      // The handle is closed, because it may belong to a former mount of the disk.
      await this.close().catch(() => {}); // the first error counts
      throw error;
    }
  }

  async readLog(path: string, offset: number): Promise<Uint8Array | null> {
    const handle = await orIfMissing(open(join(this.#root, path), 'r'), null);
    if (handle === null) return null;
    try {
      const { size } = await handle.stat();
      const bytes = new Uint8Array(Math.max(0, size - offset));
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, offset);
      return bytes.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  }

  async logs(): Promise<readonly string[]> {
    return (await this.list(LOG_PREFIX)).map(({ path }) => path);
  }

  async removeLog(path: string): Promise<void> {
    if (this.#log?.path === path) await this.close();
    await this.remove(path);
  }

  async close(): Promise<void> {
    const log = this.#log;
    this.#log = null;
    await log?.handle.close();
  }

  async #openLog(path: string) {
    if (this.#log?.path === path) return this.#log;
    await this.close();
    const full = join(this.#root, path);
    await mkdir(dirname(full), { recursive: true });
    const handle = (await orIfMissing(open(full, 'r+'), null)) ?? (await open(full, 'wx+'));
    this.#log = { path, handle, size: Number.NaN };
    return this.#log;
  }
}

/** Removes what a log has behind an offset. @throws ShortLogError */
async function cut(log: FileHandle, offset: number): Promise<void> {
  const { size } = await log.stat();
  if (size < offset) throw new ShortLogError();
  if (size > offset) await log.truncate(offset);
}

async function orIfMissing<Value, Other>(work: Promise<Value>, other: Other): Promise<Value | Other> {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return other;
    throw error;
  }
}
