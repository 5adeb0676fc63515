// Runs in a separate process: scans once, stops the pool, and must then exit without help.

import { ScoringPool } from '../../src/scoring/pool.ts';
import { slateOf } from './slate.ts';
import { BEFORE_KICKOFF, USUAL_CRITERIA } from './usual-criteria.ts';

const quotes = [0, 4].map((bookmaker) => ({
  market: 1,
  period: 0,
  lineQuarters: 0,
  bookmaker,
  pricesE4: bookmaker === 0 ? [21_000, 19_000] : [19_000, 19_900],
  status: 0,
}));
const { buffer } = slateOf([{ eventNumber: 7, sport: 0, quotes }]);
const pool = ScoringPool.start({ storeBuffer: buffer, threads: 2 });
const scores = await pool.scan({
  eventNumbers: [7],
  ...USUAL_CRITERIA,
  moment: BEFORE_KICKOFF,
});
await pool.stop();
console.log(JSON.stringify({ valueCount: scores[0]?.valueCount, arbCount: scores[0]?.arbCount }));
