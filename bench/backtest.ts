// `bun bench/backtest.ts`: runs a simulated recording of a million quotes through `overround backtest`, as a
// user does, and prints wall and processor time of the whole command beside the aim. On a busy machine only
// the processor time is meaningful.

import { join } from 'node:path';
import { assert } from '../src/errors.ts';
import { benchFolder } from './bench-folder.ts';
import { flagsOf } from './flags.ts';
import { writeRecording } from './simulated-recording.ts';

const { isQuick } = flagsOf({
  command: 'bun bench/backtest.ts',
  about: 'A million quotes through overround backtest, in about a minute, including making them.',
});
const QUOTES = isQuick ? 50_000 : 1_000_000;
const AIM_S = 15;
const ROOT = join(import.meta.dir, '..');

const folder = benchFolder();
console.log('| recording | signals | wall | processor | aim |\n|---|---|---|---|---|');
let isMet = true;
for (const fixtures of [12, 100]) {
  const path = join(folder, `${fixtures}.ndjson`);
  const instants = await writeRecording(path, { quotes: QUOTES, fixtures });
  const startMs = performance.now();
  const child = Bun.spawn([process.execPath, 'src/main.ts', 'backtest', path, '--json'], {
    ...{ cwd: ROOT, stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' },
  });
  const { signals } = (await new Response(child.stdout).json()) as { readonly signals: readonly unknown[] };
  assert((await child.exited) === 0 && signals.length > 0, 'the recording has signals');
  const wallS = (performance.now() - startMs) / 1_000;
  const processorS = Number(child.resourceUsage()!.cpuTime.total) / 1e6;
  if (!isQuick && processorS > AIM_S) isMet = false;
  const recording = `${QUOTES} quotes of ${fixtures} fixtures at ${instants} instants`;
  const times = `${wallS.toFixed(1)} s | ${processorS.toFixed(1)} s`;
  console.log(`| ${recording} | ${signals.length} | ${times} | ${isQuick ? '' : `${AIM_S} s`} |`);
}
process.exit(isMet ? 0 : 1);
