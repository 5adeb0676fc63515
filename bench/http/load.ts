// The two load generators, both separate processes: wrk for the maximum throughput of a server, and our own
// client that polls at a fixed rate, whether or not earlier requests have been answered.

import { join } from 'node:path';

const SCRIPT = join(import.meta.dir, 'requests.lua');

export interface RawRequest {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Requests as bytes on the wire, for wrk's script. */
export function toRequestsFile(requests: readonly RawRequest[]): string {
  return requests
    .map(({ method = 'GET', path, headers = {}, body }) => {
      const all = {
        host: '127.0.0.1',
        ...headers,
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
      };
      const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
      return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body ?? ''}\0`;
    })
    .join('');
}

export interface Throughput {
  readonly perSecond: number;
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/**
 * Sends requests as fast as the connections allow. Requests that time out, such as those still open when wrk
 * ends, are only reported. @throws Error if a response was not a success or a connection failed
 */
export async function runWrk(
  url: string,
  requestsPath: string,
  seconds: number,
  connections = 32,
): Promise<Throughput> {
  const command = [
    'wrk',
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--timeout',
    '10s',
    '--latency',
    '-s',
    SCRIPT,
    url,
  ];
  const child = Bun.spawn(command, { env: { ...process.env, REQUESTS: requestsPath }, stderr: 'inherit' });
  const text = await new Response(child.stdout).text();
  await child.exited;
  const errors = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(text);
  const [connect = 0, read = 0, write = 0, timeouts = 0] = (errors ?? []).slice(1).map(Number);
  if (text.includes('Non-2xx') || connect + read + write > 0) throw new Error(`Cannot bench ${url}: ${text}`);
  if (timeouts > 0) console.warn(`${url}: ${timeouts} requests timed out`);
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1]);
  if (!(perSecond > 0)) throw new Error(`Cannot bench ${url}: ${text}`);
  const count = Number(/(\d+) requests in/.exec(text)?.[1]);
  return { perSecond, count, p50Ms: percentileOf(text, '50'), p99Ms: percentileOf(text, '99') };
}

function percentileOf(text: string, share: string): number {
  const match = new RegExp(`\\s${share}%\\s+([\\d.]+)(us|ms|s)\\b`).exec(text);
  const unitMs = { us: 0.001, ms: 1, s: 1000 }[match?.[2] ?? ''] ?? Number.NaN;
  return Number(match?.[1]) * unitMs;
}

export interface OpenLoopOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly perSecond: number;
  readonly seconds: number;
}

/** Polls at a fixed rate from a separate process. @returns all latencies in ms, sorted */
export async function runOpenLoop(options: OpenLoopOptions): Promise<Float64Array> {
  const command = [process.execPath, join(import.meta.dir, 'open-loop-client.ts'), JSON.stringify(options)];
  const child = Bun.spawn(command, { stderr: 'inherit' });
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`Cannot bench ${options.url}: the client failed`);
  return Float64Array.from(text.trim().split('\n'), (line) => Number(line) / 1000).sort();
}
