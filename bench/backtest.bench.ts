// A backtest of a simulated recording, from the file to the record. The baseline reads the same messages and
// keeps the last price of each line.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bench, do_not_optimize, group } from 'mitata';
import { assert } from '../src/errors.ts';
import { backtest, recordedBatches } from '../src/record/backtest.ts';
import { writeRecording } from './simulated-recording.ts';

const SETTINGS = {
  windows: { liveMs: 60_000, prematchMs: 300_000 },
  kinds: ['value'],
  ...{ minEdgePct: 2, maxEdgePct: 10, groupBy: null },
} as const;

export async function define(size: 'smoke' | 'full'): Promise<void> {
  const quotes = size === 'smoke' ? 1_000 : 20_000;
  const root = mkdtempSync(join(tmpdir(), 'overround-bench-'));
  process.on('exit', () => rmSync(root, { recursive: true, force: true }));
  const path = join(root, 'recording.ndjson');
  await writeRecording(path, { quotes, fixtures: 12 });
  const { signals } = await backtest(recordedBatches(path), SETTINGS);
  assert(size === 'smoke' || signals.length > 50, 'the recording has signals');
  group(`backtest of ${quotes} quotes`, () => {
    bench('the record', async () => do_not_optimize(await backtest(recordedBatches(path), SETTINGS)));
    bench('plain: read, split, JSON.parse, last prices in a map', async () => {
      const last = new Map<string, unknown>();
      for (const line of (await Bun.file(path).text()).split('\n').filter(Boolean)) {
        const wire = JSON.parse(line) as Record<string, unknown>;
        last.set(`${wire.event}|${wire.bookmaker}|${wire.market_type}|${wire.line}`, wire.prices);
      }
      do_not_optimize(last.size);
    }).baseline(true);
  });
}
