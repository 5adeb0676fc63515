// A backtest of a simulated recording, from the file to the record. The baseline reads the same messages and
// keeps the last price of each line.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bench, do_not_optimize, group } from 'mitata';
import { assert } from '../src/errors.ts';
import { SimulatorEngine } from '../src/feed/simulator/engine.ts';
import { backtest, recordedBatches } from '../src/record/backtest.ts';

const SEED = 3;
const BEGIN_MS = Date.UTC(2026, 2, 7, 14, 45);
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
  writeFileSync(path, recordingOf(quotes));
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

/** The simulated market until it has written that many quotes. */
function recordingOf(quotes: number): string {
  const engine = new SimulatorEngine({
    ...{ seed: SEED, footballFixtures: 12, basketballFixtures: 0, ratePerSecond: null, speed: 1 },
  });
  const lines: string[] = [];
  let written = 0;
  const emit = (wire: Readonly<Record<string, unknown>>): void => {
    if (written < quotes) lines.push(JSON.stringify(wire));
    if (wire.type === 'quote') written++;
  };
  engine.start(BEGIN_MS, emit);
  for (let minute = 1; written < quotes; minute++) engine.advance(BEGIN_MS + minute * 60_000, emit);
  return `${lines.join('\n')}\n`;
}
