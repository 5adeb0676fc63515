// A history folder in memory, for tests that write thousands of files. On a disk, each write waits until the
// file is on the medium.

import type { FolderEntry, HistoryFolder } from '../../src/history/files/folder.ts';
import { LOG_PREFIX } from '../../src/history/files/folder.ts';

export class MemoryFolder implements HistoryFolder {
  readonly name = 'memory';
  readonly mayApplyLate = false;
  readonly #files = new Map<string, Uint8Array>();

  async list(prefix: string): Promise<readonly FolderEntry[]> {
    return [...this.#files]
      .filter(([path]) => path.startsWith(prefix))
      .map(([path, { length }]) => ({ path, bytes: length }))
      .sort((first, second) => (first.path < second.path ? -1 : 1));
  }

  async open(path: string) {
    const bytes = this.#files.get(path);
    if (bytes === undefined) throw new Error(`Cannot open ${path}: it is not there`);
    const slice = (start: number, end = bytes.length): ArrayBuffer =>
      bytes.slice(start, end).buffer as ArrayBuffer;
    return { byteLength: bytes.length, slice };
  }

  async read(path: string): Promise<Uint8Array | null> {
    return this.#files.get(path)?.slice() ?? null;
  }

  async write(path: string, bytes: Uint8Array): Promise<void> {
    this.#files.set(path, bytes.slice());
  }

  async remove(path: string): Promise<void> {
    this.#files.delete(path);
  }

  async removeDrafts(): Promise<void> {}

  async append(path: string, offset: number, bytes: Uint8Array): Promise<void> {
    const whole = new Uint8Array(offset + bytes.length);
    whole.set(this.#files.get(path)?.subarray(0, offset) ?? []);
    whole.set(bytes, offset);
    this.#files.set(path, whole);
  }

  async readLog(path: string, offset: number): Promise<Uint8Array | null> {
    return this.#files.get(path)?.slice(offset) ?? null;
  }

  async logs(): Promise<readonly string[]> {
    return (await this.list(LOG_PREFIX)).map(({ path }) => path);
  }

  async removeLog(path: string): Promise<void> {
    await this.remove(path);
  }

  async close(): Promise<void> {}
}
