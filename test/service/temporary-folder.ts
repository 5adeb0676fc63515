// A folder that is gone when the test ends.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function temporaryFolder(): { readonly path: string; [Symbol.asyncDispose](): Promise<void> } {
  const path = mkdtempSync(join(tmpdir(), 'overround-start-'));
  return {
    path,
    [Symbol.asyncDispose]: async () => rmSync(path, { recursive: true, force: true }),
  };
}
