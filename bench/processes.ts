// What benches find out about other processes: what they use, whether they are ready, what they have printed.

import { readFileSync } from 'node:fs';

/** Ticks of /proc/<pid>/stat per second, on every Linux that Bun runs on. */
const TICKS_PER_SECOND = 100;
/** A minute, because a server starts slowly on a busy machine. */
const START_TRIES_MAX = 3_000;
const TRY_MS = 20;

/** Seconds of processor time that a process has used, over all threads. */
export function processorSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The process name, in parentheses, may contain spaces. User and system time are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

export function residentBytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) * 1024;
}

/** Waits until a server answers 200. @throws Error after a minute */
export async function untilReady(url: string, path = '/ready'): Promise<void> {
  for (let attempt = 0; attempt < START_TRIES_MAX; attempt += 1) {
    const status = await fetch(url + path).then(
      (response) => response.status,
      () => 0, // not listening yet
    );
    if (status === 200) return;
    await Bun.sleep(TRY_MS);
  }
  throw new Error(`Cannot bench: ${url} is not ready`);
}

/**
 * Waits until the pattern matches the file, which a server prints into. @returns the first group, or the
 * whole match without one @throws Error after a minute
 */
export async function readUntil(path: string, pattern: RegExp): Promise<string> {
  let text = '';
  for (let attempt = 0; attempt < START_TRIES_MAX; attempt += 1) {
    const file = Bun.file(path);
    text = (await file.exists()) ? await file.text() : '';
    const match = pattern.exec(text);
    if (match !== null) return match[1] ?? match[0];
    await Bun.sleep(TRY_MS);
  }
  throw new Error(`Cannot bench: a server did not start: ${text}`);
}
