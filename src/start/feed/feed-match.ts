// `feed match`: asks the server running on a data folder which fixtures of its sources it joined, and prints
// the answer as lines.

import { resolve } from 'node:path';
import { localFeedPath } from '../../feed/local-socket.ts';
import { JOIN_REPORT_PATH } from '../../feed/websocket/server.ts';
import type { ApartReason, JoinReport, ReportedFixture } from '../../ingest/join/join-report.ts';

const DEADLINE_MS = 30_000;

const WORDS: Readonly<Record<ApartReason, string>> = {
  held_back: 'the server still waits for a source',
  no_kickoff: 'its source has sent no kickoff',
  nothing_then: 'no fixture there has similar names at that time',
  other_time: 'a fixture there has the same names and another kickoff',
  unsure: 'a similar fixture there is not certain enough',
  several: 'several fixtures there match it',
  forbidden: 'FEED_MATCH forbids it',
};

/** @throws Error for the operator if no server runs on the folder, or the server has a single source */
export async function askJoinReport(dataDir: string): Promise<JoinReport> {
  let report: JoinReport | null;
  try {
    const response = await fetch(`http://feed${JOIN_REPORT_PATH}`, {
      unix: localFeedPath(dataDir),
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    report = (await response.json()) as JoinReport | null;
  } catch {
    throw new Error(
      `Cannot ask: no server runs on ${resolve(dataDir)}; start it, or name its folder with DATA_DIR or --data-dir`,
    );
  }
  if (report !== null) return report;
  throw new Error('Cannot ask: that server has one source; FEED=a,b names several');
}

/** The report as text: which fixtures were joined, then which were not and why. */
export function linesOfReport({ sources, joined, apart, named_nothing }: JoinReport): string[] {
  const lines = [`Sources: ${sources.join(', ')}`, '', `Joined: ${joined.length}`];
  for (const { id, fixtures } of joined) {
    lines.push(`  ${id}`);
    for (const fixture of fixtures) {
      lines.push(`    ${shown(fixture)}${fixture.swapped ? ', home and away exchanged' : ''}`);
    }
  }
  lines.push('', `Not joined: ${apart.length}`);
  for (const { fixture, in: source, why, nearest } of apart) {
    lines.push(`  ${shown(fixture)}`, `    in ${source}: ${WORDS[why]}`);
    for (const candidate of nearest) {
      lines.push(`      ${shown(candidate)}, ${(100 * candidate.confidence).toFixed(1)} %`);
    }
  }
  if (named_nothing.length > 0)
    lines.push('', `Named in FEED_MATCH, but no source has it: ${named_nothing.length}`);
  for (const { entry, source, event } of named_nothing) lines.push(`  ${entry}: ${source} "${event}"`);
  return lines;
}

function shown({ source, event, home, away, league, scheduled_at: at }: ReportedFixture): string {
  return `${source} "${event}": ${home} v ${away}, ${league}, ${at ?? 'no kickoff'}`;
}
