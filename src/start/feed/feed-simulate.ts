// `feed simulate`: writes a recording of the simulated market. It takes seconds, and the same seed and start
// time give the same recording.

import { MINUTE_MS } from '../../clock.ts';
import { SimulatorEngine } from '../../feed/simulator/engine.ts';
import { wireTimeMs } from '../../feed/wire-time.ts';

export interface SimulatedRecording {
  /** The path of the recording; compressed with gzip if its name ends in .gz. */
  readonly path: string;
  readonly seed: number;
  /** How many football fixtures, and how many basketball ones, are on the slate at a time, on average. */
  readonly footballFixtures: number;
  readonly basketballFixtures: number;
  readonly minutes: number;
  /** ISO-8601 text of the time of its snapshot, which a replay maps to now. */
  readonly begin: string;
}

/**
 * Writes the recording. @returns how many messages it has @throws Error that names the time that cannot be
 * read
 */
export async function writeSimulatedRecording(options: SimulatedRecording): Promise<number> {
  const { path, seed, footballFixtures, basketballFixtures, minutes, begin } = options;
  const beginMs = wireTimeMs(begin);
  if (Number.isNaN(beginMs)) {
    throw new Error(`Cannot simulate: --begin is "${begin}", allowed is an ISO-8601 time with its zone`);
  }
  const engine = new SimulatorEngine({
    seed,
    footballFixtures,
    basketballFixtures,
    ratePerSecond: null,
    speed: 1,
  });
  const lines: string[] = [];
  const emit = (message: Readonly<Record<string, unknown>>): void => {
    lines.push(JSON.stringify(message));
  };
  engine.start(beginMs, emit);
  engine.advance(beginMs + minutes * MINUTE_MS, emit);
  const text = `${lines.join('\n')}\n`;
  await Bun.write(path, path.endsWith('.gz') ? Bun.gzipSync(text) : text);
  return lines.length;
}
