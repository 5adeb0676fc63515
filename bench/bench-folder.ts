import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates an empty folder, which is deleted when this process exits. @returns its path */
export function benchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'overround-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
