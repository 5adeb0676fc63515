// A pipeline for tests, with any source. It has its own store and no archive, and keeps its log in memory.

import { systemClock } from '../../src/clock.ts';
import type { RetryPace } from '../../src/feed/backoff.ts';
import { openPipeline, type Pipeline } from '../../src/ingest/pipeline.ts';
import { BoundedLog, createLog } from '../../src/log.ts';
import { loadConfig } from '../../src/settings/config.ts';
import type { FeedSetting } from '../../src/settings/feed-settings.ts';
import { createStore } from '../../src/store/layout.ts';
import { SlateReader } from '../../src/store/reader.ts';
import { SlateWriter } from '../../src/store/writer/writer.ts';

export interface TestPipeline {
  readonly buffer: SharedArrayBuffer;
  readonly reader: SlateReader;
  readonly pipeline: Pipeline;
  readonly logged: string[];
  [Symbol.asyncDispose](): Promise<void>;
}

interface TestPipelineOptions {
  readonly feedToken?: string;
  readonly ratePerSecond?: number;
  readonly fixtures?: number;
  /** The pauses before a source reconnects; by default those of a service. */
  readonly retryPace?: RetryPace;
  /** Settings of sources, in the form of the environment. */
  readonly environment?: Record<string, string>;
}

export async function startPipeline(
  feed: FeedSetting | readonly FeedSetting[],
  { feedToken, ratePerSecond, fixtures = 6, retryPace, environment = {} }: TestPipelineOptions = {},
): Promise<TestPipeline> {
  const buffer = createStore(1);
  const logged: string[] = [];
  const log = createLog({
    clock: systemClock,
    json: true,
    level: 'debug',
    write: (line) => logged.push(line),
  });
  const pipeline = await openPipeline({
    settings: {
      ...loadConfig(environment),
      feeds: [feed].flat() as FeedSetting[],
      liveFreshnessMs: 60_000,
      prematchFreshnessMs: 300_000,
      feedSpeed: 1,
      feedToken: feedToken ?? null,
      simulator: {
        seed: 7,
        footballFixtures: fixtures,
        basketballFixtures: 2,
        ratePerSecond: ratePerSecond ?? null,
      },
      startMs: systemClock.wallMs(),
    },
    storeBuffer: buffer,
    writer: new SlateWriter(buffer),
    archive: { openingsOf: () => [], recordOpening: () => {}, recordResult: () => {} },
    clock: systemClock,
    log,
    rejectLog: new BoundedLog(log, systemClock, { countMax: 100, windowMs: 1_000 }),
    seed: 1,
    ...(retryPace === undefined ? {} : { retryPace }),
    onError: (error) => logged.push(String(error)),
  });
  return {
    buffer,
    reader: new SlateReader(buffer),
    pipeline,
    logged,
    [Symbol.asyncDispose]: () => pipeline.close(),
  };
}
