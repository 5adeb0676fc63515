// A real service in this process, with its own data folder, any free port and quiet logs. Tests use it over
// HTTP.

import type { Health } from '../../src/contract/operations.ts';
import { type Config, loadConfig } from '../../src/settings/config.ts';
import { type Service, type StartOptions, startService } from '../../src/start/service.ts';
import { createKeys } from './callers.ts';
import { until } from './condition.ts';
import { SMALL_SLATE } from './small-slate.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { useTestProgram } from './test-program.ts';

export interface RunningService {
  readonly url: string;
  readonly dataDir: string;
  readonly service: Service;
  /** An enterprise key: the key that a first start in development prints, otherwise a new one. */
  readonly key: string;
  /** A request with the enterprise key. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** GET as JSON with the enterprise key. Fails on a status other than `status`. */
  get<T>(path: string, status?: number): Promise<T>;
  /** POST of a body as JSON with the enterprise key. Fails on a status other than 200. */
  post<T>(path: string, body: object): Promise<T>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface RunOptions extends StartOptions {
  /** Settings that loadConfig would refuse, such as a stopped clock with a WebSocket feed. */
  readonly overrides?: Partial<Config>;
}

/**
 * Starts a service with these settings, by default with a small simulated slate and without a price history,
 * and waits until it serves a slate. If `environment` has a DATA_DIR, the folder is kept at the end.
 */
export async function runService(
  environment: Record<string, string>,
  { overrides = {}, ...options }: RunOptions = {},
): Promise<RunningService> {
  useTestProgram();
  const folder = environment.DATA_DIR === undefined ? temporaryFolder() : null;
  const dataDir = environment.DATA_DIR ?? folder!.path;
  const config = loadConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    NODE_ENV: 'test',
    STOP_DRAIN_MS: '0',
    HISTORY_DAYS: '0',
    ...SMALL_SLATE,
    ...environment,
  });
  const service = await startService({ ...config, ...overrides }, options);
  // Requests /health first. If the program runs from its source, the first /ready of a slate makes the tables
  // of club names, which costs a quarter of a start. Until the feed sends a slate, only /ready shows a slate
  // that was kept from an earlier run.
  await until('the service has a slate', async () => {
    const health = (await (await fetch(`${service.url}/health`)).json()) as Health;
    if (health.status !== 'starting') return true;
    const ready = await fetch(`${service.url}/ready`);
    await ready.arrayBuffer();
    return ready.status === 200;
  });
  const key = service.developmentKey ?? (await createKeys(dataDir, 'enterprise', 1))[0]!;
  const fetchWithKey = (path: string, init: RequestInit = {}) =>
    fetch(service.url + path, {
      ...init,
      headers: { authorization: `Bearer ${key}`, ...(init.headers as Record<string, string>) },
    });
  return {
    url: service.url,
    dataDir,
    service,
    key,
    fetch: fetchWithKey,
    get: async (path, status = 200) => jsonOf(await fetchWithKey(path), status),
    post: async (path, body) => {
      const headers = { 'content-type': 'application/json' };
      return jsonOf(await fetchWithKey(path, { method: 'POST', headers, body: JSON.stringify(body) }), 200);
    },
    [Symbol.asyncDispose]: async () => {
      await service.stop();
      folder?.[Symbol.dispose]();
    },
  };
}

async function jsonOf<T>(response: Response, status: number): Promise<T> {
  if (response.status === status) return (await response.json()) as T;
  throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`);
}
