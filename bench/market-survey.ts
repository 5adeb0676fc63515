// Prints what a market looks like from its messages: margins, and how often and how long value and arbitrage
// last.
//
//   bun bench/market-survey.ts [recording.ndjson ...]
//
// Without a file it surveys the simulator: twenty minutes of each of ten days. docs/guide/feeds.md
// shows both.

import { SimulatorEngine } from '../src/feed/simulator/engine.ts';
import { MarketSurvey, median } from '../test/feed/market-survey.ts';

const START_MS = Date.parse('2026-11-21T18:07:13.000Z');
const DAYS = 10;
const DAY_STEP_MS = 26.4 * 3_600_000;
const WINDOW_MS = 20 * 60_000;

function surveySimulator(): MarketSurvey {
  const survey = new MarketSurvey();
  for (let day = 0; day < DAYS; day++) {
    const startMs = START_MS + day * DAY_STEP_MS;
    const engine = new SimulatorEngine({
      seed: 7,
      footballFixtures: 120,
      basketballFixtures: 30,
      ratePerSecond: null,
      speed: 1,
    });
    const use = (message: Record<string, unknown>): void => survey.apply(message);
    engine.start(startMs, use);
    engine.advance(startMs + WINDOW_MS, use);
    survey.forget();
  }
  return survey;
}

async function surveyRecording(path: string): Promise<MarketSurvey> {
  const survey = new MarketSurvey();
  for (const line of (await Bun.file(path).text()).split('\n')) {
    if (line !== '') survey.apply(JSON.parse(line) as Record<string, unknown>);
  }
  return survey;
}

function percent(share: number): string {
  return Number.isNaN(share) ? '-' : `${(100 * share).toFixed(2)} %`;
}

function print(name: string, survey: MarketSurvey): void {
  const { value, arbitrage } = survey.shares();
  const under = (lives: readonly number[]): string =>
    percent(lives.filter((life) => life < 60_000).length / lives.length);
  console.log(`\n${name}`);
  console.log(
    `  share of fixture time with value of 1 % or more: ${percent(value)}, with arbitrage: ${percent(arbitrage)}`,
  );
  console.log(
    `  values that end within a minute: ${under(survey.valueLivesMs)}, median ${median(survey.valueLivesMs) / 1_000} s`,
  );
  console.log(`  arbitrages that end within a minute: ${under(survey.arbitrageLivesMs)}`);
  for (const [key, { count }] of [...survey.margins].sort()) {
    console.log(`  ${key.padEnd(46)} ${percent(survey.marginOf(key)).padStart(8)}  of ${count} quotes`);
  }
}

const files = process.argv.slice(2);
if (files.length === 0) print('simulator', surveySimulator());
for (const file of files) print(file.slice(file.lastIndexOf('/') + 1), await surveyRecording(file));
