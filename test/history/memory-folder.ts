// A folder of the history in memory, for tests of the reader.

import type { AsyncBuffer, FolderEntry, HistoryFolder } from '../../src/history/folder.ts';

export class MemoryFolder implements HistoryFolder {
  readonly name = 'memory';
  readonly files = new Map<string, Uint8Array>();

  async list(prefix: string): Promise<readonly FolderEntry[]> {
    return [...this.files]
      .filter(([path]) => path.startsWith(prefix))
      .map(([path, bytes]) => ({ path, bytes: bytes.byteLength }))
      .sort((left, right) => (left.path < right.path ? -1 : 1));
  }

  async open(path: string): Promise<AsyncBuffer> {
    const bytes = await this.read(path);
    if (bytes === null) throw new Error(`Cannot open ${path}: it is not there`);
    return {
      byteLength: bytes.byteLength,
      slice: (start, end) => bytes.slice(start, end ?? bytes.byteLength).buffer as ArrayBuffer,
    };
  }

  async read(path: string): Promise<Uint8Array | null> {
    return this.files.get(path) ?? null;
  }

  async write(path: string, bytes: Uint8Array): Promise<void> {
    this.files.set(path, bytes.slice());
  }

  async remove(path: string): Promise<void> {
    this.files.delete(path);
  }
}
