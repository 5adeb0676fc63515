// A recording of the simulated market with a given number of quotes.

import { SimulatorEngine } from '../src/feed/simulator/engine.ts';

const SEED = 3;
const BEGIN_MS = Date.UTC(2026, 2, 7, 14, 45);
const FLUSH_MINUTES = 10;

export async function writeRecording(
  path: string,
  { quotes, fixtures }: { readonly quotes: number; readonly fixtures: number },
): Promise<void> {
  const engine = new SimulatorEngine({
    ...{ seed: SEED, footballFixtures: fixtures, basketballFixtures: 0, ratePerSecond: null, speed: 1 },
  });
  const file = Bun.file(path).writer();
  let written = 0;
  const emit = (wire: Readonly<Record<string, unknown>>): void => {
    if (written < quotes) file.write(`${JSON.stringify(wire)}\n`);
    if (wire.type === 'quote') written++;
  };
  engine.start(BEGIN_MS, emit);
  for (let minute = 1; written < quotes; minute++) {
    engine.advance(BEGIN_MS + minute * 60_000, emit);
    if (minute % FLUSH_MINUTES === 0) await file.flush();
  }
  await file.end();
}
