// Whole tool calls. scan_slate runs over HTTP from another process: cold (thresholds that no scan had before,
// so every fixture is scored) and warm (nothing changed). compare_lines and find_value run in this thread,
// with input checked and output not, as in production. Each is compared with the same answer made from plain
// objects by the tests' oracle.

import { bench, do_not_optimize, group } from 'mitata';
import { assert } from '../src/errors.ts';
import { differences } from '../test/tools/oracle/expected.ts';
import { comparison } from '../test/tools/oracle/fixture-answers.ts';
import { type NamedEvent, type OracleSlate, oracleSlate } from '../test/tools/oracle/slate.ts';
import { findValue, scan } from '../test/tools/oracle/slate-answers.ts';
import { toolsOver } from '../test/tools/scanning-slate.ts';
import { type Wire, WireSlate } from '../test/tools/wire-slate.ts';
import { openSite, recordingOf, type Site, SiteCaller } from './tools-site.ts';

const FIXTURES = { smoke: 10, full: 100 } as const;
const LIMIT = 20;
const MARKET = {
  market_type: 'asian_handicap',
  period: 'full_time',
  format: 'decimal',
  verbosity: 'full',
} as const;

export async function define(size: 'smoke' | 'full'): Promise<void> {
  const fixtureCount = FIXTURES[size];
  const site = await openSite(fixtureCount);
  // Nothing notifies this file when the benches are done, so the server is ended when this process exits.
  process.once('exit', () => site.abandon());
  const oracle = await defineScan(site, fixtureCount);
  await defineFixtureTools(oracle, fixtureCount);
}

async function defineScan(site: Site, fixtureCount: number): Promise<OracleSlate> {
  const caller = new SiteCaller(site);
  const { data } = JSON.parse(await caller.get('/v1/events?limit=200')) as { data: NamedEvent[] };
  const firstKickoffMs = Math.min(...data.map((event) => Date.parse(event.scheduled_at)));
  // The replay begins at the time of the hello, and the first fixture kicks off ten minutes later.
  const oracle = oracleSlate(site.recordingPath, firstKickoffMs - 600_000, data);
  const asked = {
    only_signal: false,
    limit: LIMIT,
    format: 'decimal',
    minEdgePct: 1,
    minMarginPct: 0,
  } as const;
  const answer = JSON.parse(await caller.tool('scan_slate', { limit: LIMIT })) as Record<string, unknown>;
  const expected = scan(oracle, true, asked);
  assert(answer.count === fixtureCount && expected.with_signal > 0, 'the bench slate has signals');
  const problems = differences(expected, answer).filter(
    (line) => !/\.(as_of|since|confirmed_at|age_s|date):/.test(line),
  );
  assert(problems.length === 0, `scan_slate answers as the oracle: ${problems[0]}`);

  let scanCount = 0;
  group(`scan_slate of ${fixtureCount} fixtures x 75 quotes, the whole call over HTTP`, () => {
    bench('cold: every fixture scored', async () => {
      const min_edge_pct = 1 + ++scanCount * 1e-11;
      do_not_optimize(await caller.tool('scan_slate', { limit: LIMIT, min_edge_pct }));
    });
    bench('warm: nothing moved', async () => {
      do_not_optimize(await caller.tool('scan_slate', { limit: LIMIT }));
    });
    bench('a poll of one fixture, for comparison', async () => {
      do_not_optimize(await caller.get(`/v1/events/${data[0]!.id}/odds`));
    });
    bench('plain objects, in this thread, no HTTP', () => {
      do_not_optimize(scan(oracle, true, asked));
    }).baseline(true);
  });
  group(`scan_slate of ${fixtureCount} fixtures by reference, the whole call over HTTP`, () => {
    const cold = (reference: string) => async () => {
      const min_edge_pct = 1 + ++scanCount * 1e-11;
      do_not_optimize(await caller.tool('scan_slate', { limit: LIMIT, min_edge_pct, reference }));
    };
    bench('cold, against the consensus', cold('consensus'));
    bench('cold, against the sharp bookmaker', cold('sharp')).baseline(true);
  });
  return oracle;
}

async function defineFixtureTools(oracle: OracleSlate, fixtureCount: number): Promise<void> {
  const { nowMs } = oracle;
  const slate = new WireSlate();
  const wires = recordingOf(fixtureCount, nowMs).split('\n').filter(Boolean).slice(1);
  slate.feed(
    wires.map((line) => JSON.parse(line) as Wire),
    nowMs,
  );
  const ask = toolsOver(slate, { checkOutput: false });
  const fixture = oracle.fixtures[0]!;
  const question = { slate: oracle, fixture, seesSharp: true };
  const query = fixture.id;
  const hits = { ...question, query, format: 'decimal', asked: { minEdgePct: 1, minMarginPct: 0 } } as const;
  const compared = differences(
    comparison(question, MARKET),
    await ask('compare_lines', { event_id: query }, nowMs),
  );
  const valued = differences(findValue(hits), await ask('find_value', { query }, nowMs));
  // The oracle's fixtures have the names that the tools show, so ids and prices agree; only times that depend
  // on the last heartbeat may differ.
  const wrong = [...compared, ...valued].filter((line) => !/\.(as_of|since|confirmed_at|age_s):/.test(line));
  assert(wrong.length === 0, `tools in this thread answer as the oracle: ${wrong[0]}`);

  group('compare_lines of one market of 75 quotes, in this thread', () => {
    bench('the tool', async () => do_not_optimize(await ask('compare_lines', { event_id: query }, nowMs)));
    bench('plain objects', () => do_not_optimize(comparison(question, MARKET))).baseline(true);
  });
  group('find_value of one fixture of 75 quotes, in this thread', () => {
    bench('the tool', async () => do_not_optimize(await ask('find_value', { query }, nowMs)));
    bench('plain objects', () => do_not_optimize(findValue(hits))).baseline(true);
  });
}
