// `bun run bench:http [name] [--quick] [--write]`: throughput compared with other servers, then tail latency
// at a fixed rate in seven situations. With a name, runs only the cases and situations whose name contains
// it. Takes about a quarter of an hour; with --quick three minutes, with rough figures. --write saves the
// results under docs/. Needs wrk.

import { join } from 'node:path';
import { flagsOf } from '../flags.ts';
import { INTERNALS, writePart } from '../performance-page.ts';
import { aimRow, aimsOf, chartOf, detailsOf, type HttpResults, partOf } from './report.ts';
import { BenchSite } from './site.ts';
import { measureSituations } from './situations.ts';
import { measureThroughput } from './throughput.ts';

const FULL = { rounds: 5, caseSeconds: 3, situationSeconds: 5 };
const QUICK = { rounds: 3, caseSeconds: 1, situationSeconds: 3 };

const { isQuick, isWritten, only } = flagsOf({
  command: 'bun run bench:http',
  about: 'Throughput beside other servers, then tail latency at a fixed rate, in about a quarter of an hour.',
  named: 'run only the cases and situations whose name contains it',
  canWrite: true,
});
const { rounds, caseSeconds, situationSeconds } = isQuick ? QUICK : FULL;
if (Bun.which('wrk') === null) throw new Error('Cannot bench: wrk is not installed');

using site = new BenchSite();
process.on('SIGINT', () => {
  site[Symbol.dispose]();
  process.exit(1);
});
const results: HttpResults = {
  measuredAtMs: Date.now(),
  rounds,
  cases: await measureThroughput(site, { rounds, seconds: caseSeconds, only }),
  situations: await measureSituations(site, { rounds, seconds: situationSeconds, only }),
};
if (results.cases.length + results.situations.length === 0) {
  throw new Error(`Cannot bench "${only}": no case and no situation has it in its name`);
}
console.log(`${detailsOf(results)}\n\n${aimsOf(results).map(aimRow).join('\n')}`);
if (isWritten) {
  await writePart('bench:http', partOf(results));
  await Bun.write(join(INTERNALS, 'performance-http.svg'), chartOf(results));
}
