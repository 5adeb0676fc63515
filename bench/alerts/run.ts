// `bun bench/alerts/run.ts [latency|cost]`: how soon alerts are sent, and how much processor time rules take.
// The service runs in this process, on its own threads. Let nothing else run on the machine meanwhile; both
// together take two minutes.

import { flagsOf } from '../flags.ts';
import { benchCost } from './cost.ts';
import { benchLatency } from './latency.ts';

const { isQuick, only } = flagsOf({
  command: 'bun bench/alerts/run.ts',
  about: 'From a price to the POST of its alert, and the processor time of 1,000 rules, in two minutes.',
  named: 'latency|cost',
});
let areMet = true;
if (only !== 'cost') areMet = await benchLatency(isQuick ? 100 : 400);
if (only !== 'latency') areMet = (await benchCost(isQuick ? 3 : 20)) && areMet;
process.exit(areMet ? 0 : 1);
