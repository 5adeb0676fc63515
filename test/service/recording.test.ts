// Recording a running service, and replaying the recording.

import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { systemClock } from '../../src/clock.ts';
import { Random } from '../../src/domain/random.ts';
import type { Line } from '../../src/feed/lines.ts';
import { checkRecording, openRecording } from '../../src/feed/replay/recording.ts';
import { createLog } from '../../src/log.ts';
import { loadConfig } from '../../src/settings/config.ts';
import { startRecording } from '../../src/start/feed/feed-record.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { until } from '../support/condition.ts';
import { recordingPath } from '../support/recordings.ts';
import { runService } from '../support/running-service.ts';
import { SMALL_SLATE } from '../support/small-slate.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { PROGRAM_PATH } from '../support/test-program.ts';
import { everyAnswer } from './every-answer.ts';

const NOW = '2026-03-01T12:00:00.000Z';
const quiet = createLog({ clock: systemClock, json: true, level: 'error', write: () => {} });

function record(dataDir: string, path: string, rotateBytes: number | null = null) {
  const config = loadConfig({
    ...{ DATA_DIR: dataDir, LOG_LEVEL: 'error', PORT: '0', HISTORY_DAYS: '0' },
    ...{ SIMULATOR_RATE: '2000', SIMULATOR_FOOTBALL_FIXTURES: '12', SIMULATOR_BASKETBALL_FIXTURES: '3' },
  });
  return startRecording({
    config,
    clock: systemClock,
    log: quiet,
    path,
    rotateBytes,
    rotateMs: null,
    random: new Random(1),
  });
}

describe('record', () => {
  const source = recordingPath('brazil-2022.ndjson');
  test.skipIf(source === null)(
    'a replay of the recorded file serves the same bytes under one FEED_NOW (skipped where the recordings are not beside the checkout)',
    async () => {
      using folder = temporaryFolder();
      const path = join(folder.path, 'copy.ndjson.gz');
      await using first = await runService({ FEED: `replay:${source}`, FEED_NOW: NOW });
      const recording = await record(first.dataDir, path);
      expect(recording.startedServer).toBe(false);
      await until('the snapshot is recorded', () => recording.recorder.snapshotCount >= 1);
      await recording.stop();
      await using second = await runService({ FEED: `replay:${path}`, FEED_NOW: NOW });
      const [expected, replayed] = [await everyAnswer(first, 3), await everyAnswer(second, 3)];
      expect(Object.keys(expected).length).toBeGreaterThan(100);
      const differing = Object.keys(expected).filter((url) => expected[url] !== replayed[url]);
      expect(differing.slice(0, 3).map((url) => [url, expected[url], replayed[url]])).toEqual([]);
    },
    120_000,
  );

  test('starts a server if none is running, begins a new file after a number of bytes, and every file can be replayed alone', async () => {
    using temporary = temporaryFolder();
    const folder = temporary.path;
    // A relative folder such as ./data. Its name has characters that are escaped in a URL.
    const dataDir = relative(process.cwd(), join(folder, 'dätä of 5%'));
    const recording = await record(dataDir, join(folder, 'name.ndjson'), 300_000);
    expect(recording.startedServer).toBe(true);
    await until('there are three files', () => recording.recorder.snapshotCount >= 3);
    await recording.stop();
    const paths = recording.recorder.paths;
    expect(paths.slice(0, 3).map((path) => path.slice(folder.length + 1))).toEqual([
      'name.0001.ndjson',
      'name.0002.ndjson',
      'name.0003.ndjson',
    ]);
    for (const path of paths) await checkRecording(path);
    const ofSecond = await typesIn(paths[1]!);
    expect(ofSecond.filter((type) => type === 'event').length).toBeGreaterThan(10);
  }, 120_000);

  for (const [how, signals] of [
    ["by a terminal's Ctrl-C, which a process may get twice", ['SIGINT', 'SIGINT', 'SIGTERM']],
    ['by kill -9', ['SIGKILL']],
  ] as const) {
    test.concurrent(`a compressed recording that is ended ${how} can be replayed`, async () => {
      using folder = temporaryFolder();
      const path = join(folder.path, 'name.ndjson.gz');
      const recorder = Bun.spawn(
        [process.execPath, PROGRAM_PATH, 'record', path, '--data-dir', join(folder.path, 'data')],
        {
          env: { ...childEnvironment(), ...SMALL_SLATE, PORT: '0', HISTORY_DAYS: '0' },
          stdout: 'ignore',
          stderr: 'ignore',
        },
      );
      const known = async () =>
        existsSync(path) ? (await typesIn(path)).filter((type) => type === 'quote') : [];
      await until('some of it is on disk', async () => (await known()).length > 1_000);
      const before = await known();
      for (const signal of signals) recorder.kill(signal);
      const code = await recorder.exited;
      await checkRecording(path);
      const recording = await openRecording(path);
      const types = typesOf(await Array.fromAsync(recording.lines));
      expect(types.filter((type) => type === 'quote').length).toBeGreaterThanOrEqual(before.length);
      // On Ctrl-C the recorder finishes its file, so that it is complete.
      if (signals[0] === 'SIGINT') expect([code, recording.isCut()]).toEqual([0, false]);
    }, 120_000);
  }
});

async function typesIn(path: string): Promise<string[]> {
  return typesOf(await Array.fromAsync((await openRecording(path)).lines));
}

function typesOf(batches: readonly (readonly Line[])[]): string[] {
  return batches
    .flat()
    .flatMap((line) => (typeof line === 'string' && line !== '' ? [JSON.parse(line).type] : []));
}
