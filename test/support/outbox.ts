// The mails of a service in development, which writes them into a file.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The text of the last mail to an address; empty if there is no mail yet. */
export function lastMail(dataDir: string, address: string): string {
  const path = join(dataDir, 'outbox.ndjson');
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
  const mails = lines.map((line) => JSON.parse(line) as { readonly to: string; readonly text: string });
  return mails.findLast(({ to }) => to === address)?.text ?? '';
}

/** The six digits in the last mail to an address, or null. */
export function codeOfMail(dataDir: string, address: string): string | null {
  return /\b\d{6}\b/.exec(lastMail(dataDir, address))?.[0] ?? null;
}
