// `record`: follows the server running on a data folder, or one started for the purpose, and writes what that
// server applies.

import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Clock } from '../../clock.ts';
import { localFeedAddress, localFeedPath } from '../../feed/local-socket.ts';
import { Recorder, type RecorderOptions } from '../../feed/recorder.ts';
import type { FeedSource } from '../../feed/source.ts';
import { openWebSocket, type WebSocketSourceOptions } from '../../feed/websocket/client.ts';
import type { Log } from '../../log.ts';
import type { Config } from '../../settings/config.ts';
import { startService } from '../service.ts';

export interface RecordOptions
  extends Pick<RecorderOptions, 'path' | 'rotateBytes' | 'rotateMs'>,
    Pick<WebSocketSourceOptions, 'random'> {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Recording {
  readonly recorder: Recorder;
  /** Whether a server was started because none ran on the data folder. */
  readonly startedServer: boolean;
  /** Rejects if a file cannot be written. */
  readonly failed: Promise<never>;
  /** Completes the current file. */
  stop(): Promise<void>;
}

/**
 * Starts to record. @throws Error if the file exists already, its folder does not, or a server is needed and
 * cannot be started
 */
export async function startRecording(options: RecordOptions): Promise<Recording> {
  const { config, clock, log, random, path, rotateBytes, rotateMs } = options;
  requireNewFile(path);
  const service = (await isServed(config.dataDir)) ? null : await startService(config);
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {}); // a caller that awaits it gets the error; callers need not await it
  let source: FeedSource | null = null;
  const recorder = new Recorder({
    path,
    rotateBytes,
    rotateMs,
    requestSnapshot: () => source?.resync?.(),
    onError: failed.reject,
  });
  const address = localFeedAddress(config.dataDir);
  source = openWebSocket({ url: address.url, token: null, random, log, clock }, recorder);
  return {
    recorder,
    startedServer: service !== null,
    failed: failed.promise,
    stop: async () => {
      await source.close();
      address.release();
      await recorder.finish();
      await service?.stop();
    },
  };
}

/**
 * Refuses a file that exists already. It is checked at the start, because the file is opened only at the
 * first snapshot.
 * @throws Error for the operator
 */
function requireNewFile(path: string): void {
  if (existsSync(path)) throw new Error(`Cannot record: ${path} exists`);
  const folder = dirname(resolve(path));
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch {
    throw new Error(`Cannot record: ${folder} is not a folder that this process can write to`);
  }
}

/** Whether a server listens on the folder's socket. The file alone may be left over from a dead server. */
async function isServed(dataDir: string): Promise<boolean> {
  try {
    const response = await fetch('http://feed/', { unix: localFeedPath(dataDir) });
    await response.arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
