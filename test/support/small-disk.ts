// A small separate disk, for tests of a disk that is full or read-only: a tmpfs, which needs root.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';

interface SmallDisk {
  readonly path: string;
  remount(mode: 'ro' | 'rw'): void;
  [Symbol.dispose](): void;
}

/** The disk, or null if this user may not mount one. */
export function mountSmallDisk(bytes: number): SmallDisk | null {
  const folder = temporaryFolder();
  const path = join(folder.path, 'disk');
  mkdirSync(path);
  const mounted =
    Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', path]).exitCode === 0;
  const disk: SmallDisk = {
    path,
    remount: (mode) => {
      const { exitCode, stderr } = Bun.spawnSync(['mount', '-o', `remount,${mode}`, path]);
      if (exitCode !== 0) throw new Error(`Cannot remount ${path}: ${stderr.toString()}`);
    },
    [Symbol.dispose]: () => {
      if (mounted) Bun.spawnSync(['umount', '-l', path]);
      folder[Symbol.dispose]();
    },
  };
  if (mounted) return disk;
  disk[Symbol.dispose]();
  return null;
}

export const CAN_MOUNT: boolean = (() => {
  using disk = mountSmallDisk(1_048_576);
  return disk !== null;
})();
