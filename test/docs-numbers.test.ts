// Numbers that a page of the documents takes from the code. Each row has a text that the page must contain,
// built from the constants. So a constant and the page that repeats it change together.

import { expect, test } from 'bun:test';
import { join } from 'node:path';

const ROOT = join(import.meta.dir, '..');

/** A constant of a source file, or a field of a constant, in the unit that the code has. */
async function constantOf(path: string, name: string, field: string | null = null): Promise<number> {
  const text = await Bun.file(join(ROOT, path)).text();
  const pattern =
    field === null
      ? new RegExp(String.raw`\bconst ${name}(?:: number)? = ([\d_. *]+);`)
      : new RegExp(String.raw`\b${name}: \{[^}]*\b${field}: ([\d_. *]+)[,\s}]`);
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(`${path} has no number ${name}`);
  return found
    .split('*')
    .map((factor) => Number(factor.trim().replaceAll('_', '')))
    .reduce((product, factor) => product * factor, 1);
}

/** A page, its text with `#` for each number, and the constants in the order of the text. */
type Row = readonly [page: string, text: string, ...constants: Constant[]];
/** The file and name of a constant; the number of its units that are one unit of the text; a field of it. */
type Constant = readonly [path: string, name: string, unit?: number, field?: string];

const ATTEMPTS = 'src/accounts/credentials/attempts.ts';
const ROUTES = 'src/alerts/outbox/routes.ts';
const PACE = 'src/access/quotas/stranger-pace.ts';
const TURNS = 'src/access/quotas/fair-turns.ts';
const IN_FLIGHT: readonly [string, string] = ['src/http/kit/in-flight.ts', 'IN_FLIGHT_MAX'];
const PAGE_FILES: readonly [string, string] = ['src/http/kit/in-flight.ts', 'PAGE_FILES_MAX'];

const ROWS: readonly Row[] = [
  ['guide/agents', 'limits it to # tokens', ['test/mcp/listed-schema.test.ts', 'LISTING_TOKENS_MAX']],
  ['guide/agents', 'verbosity: "terse"` to #', ['test/mcp/listed-schema.test.ts', 'TERSE_TOKENS_MAX']],
  ['guide/alerts', 'together remember # open', ['src/alerts/evaluation/news.ts', 'REMEMBERED_MAX']],
  [
    'guide/alerts',
    'answers 2xx within # seconds',
    ['src/alerts/delivery/post.ts', 'POST_DEADLINE_MS', 1_000],
  ],
  ['guide/alerts', 'fails # times in a row', ['src/alerts/outbox/endpoint-queue.ts', 'FAILURES_MAX']],
  [
    'guide/alerts',
    'sends more than # a second, or all free accounts more than #',
    [ROUTES, 'SITE_DELIVERIES_PER_S'],
    [ROUTES, 'FREE_SITE_DELIVERIES_PER_S'],
  ],
  [
    'guide/alerts',
    'unless # deliveries of the account',
    ['src/alerts/rules/rule-repository.ts', 'WAITING_FOR_RESEND_MAX'],
  ],
  ['guide/cluster', 'heard from a leader within # s', ['src/replication/follower.ts', 'SILENT_MS', 1_000]],
  ['guide/cluster', 'keeps # seconds', ['src/replication/slate-appends.ts', 'STREAM_KEPT_MS', 1_000]],
  [
    'guide/cluster',
    'a whole snapshot after # s',
    ['src/replication/follower.ts', 'SNAPSHOT_DEADLINE_MS', 1_000],
  ],
  [
    'guide/cluster',
    'known keys and open streams work for # minutes',
    ['src/access/limits.ts', 'KEYS_TRUSTED_MS', 60_000],
  ],
  ['guide/cluster', 'key, session or plan within # ms', ['src/access/limits.ts', 'KEY_CHANGES_EVERY_MS']],
  ['guide/cluster', 'it waits for # seconds', ['src/start/data/postgres.ts', 'START_DEADLINE_MS', 1_000]],
  ['guide/feeds', 'The # markets that start first', ['src/feed/betfair/catalogue.ts', 'MARKETS_MAX']],
  ['guide/feeds', 'a certainty of #', ['src/ingest/join/name-match.ts', 'JOIN_CONFIDENCE_MIN']],
  ['guide/streaming', 'would have more than # KB', ['src/stream/limits.ts', 'MISSED_BYTES_MAX', 1_024]],
  ['guide/streaming', 'has room for # signals', ['src/stream/signals/live-signals.ts', 'SIGNALS_MAX']],
  ['guide/streaming', 'in at most # ways', ['src/stream/signals/live-signals.ts', 'WATCHES_MAX']],
  ['guide/streaming', 'may request # whole slates', [PACE, 'AT_ONCE_MAX', 20]],
  ['guide/streaming', 'then # in two seconds', [PACE, 'AT_ONCE_A_SECOND', 10]],
  ['internals/security', '**keyless pace**: # requests at once', [PACE, 'AT_ONCE_MAX']],
  ['internals/security', 'at once, then # a second', [PACE, 'AT_ONCE_A_SECOND']],
  ['internals/security', 'While # wait', [PACE, 'RESTING_MAX']],
  ['internals/security', 'and # ways to compare', ['src/stream/signals/live-signals.ts', 'WATCHES_MAX']],
  ['internals/security', '# more requests may wait', ['src/http/edge/caller-paces.ts', 'SIGN_INS_MAX']],
  [
    'internals/security',
    'At most # jobs of an account with its keys wait, and # of an address',
    [TURNS, 'ACCOUNT_WAITING_MAX'],
    [TURNS, 'ADDRESS_WAITING_MAX'],
  ],
  [
    'internals/security',
    'use # places of their own on each thread, of which an address gets #, a /48 #',
    PAGE_FILES,
    [...PAGE_FILES, 8],
    [...PAGE_FILES, 4],
  ],
  ['internals/security', 'more than # requests of an HTTP thread are in flight', [...IN_FLIGHT, 2]],
  [
    'internals/security',
    'Above # requests in flight callers without a key get 503; above # also',
    IN_FLIGHT,
    [...IN_FLIGHT, 2 / 3],
  ],
  ['internals/security', 'and probes; above # all', [...IN_FLIGHT, 1 / 2]],
  ['internals/security', 'If more than # networks', ['src/accounts/limits.ts', 'HASHES_WAITING_MAX']],
  ['internals/security', 'each # times an hour', [ATTEMPTS, 'changesPerAccount', 1, 'max']],
  ['internals/security', 'At most # are mailed', [ATTEMPTS, 'shortCodePerAccount', 1, 'max']],
  ['internals/security', 'closed after # s without', ['src/http/edge/connections.ts', 'IDLE_TIMEOUT_S']],
  ['reference/decisions', 'Answers over # KB', ['src/http/kit/forms.ts', 'CODED_FROM_BYTES', 1_024]],
  ['reference/decisions', 'heard within # s', ['src/limits.ts', 'FEED_LIVE_MS', 1_000]],
  ['reference/decisions', 'result is kept for # days', ['src/limits.ts', 'RESULTS_KEPT_DAYS']],
  [
    'reference/decisions',
    'has # sign-ups and # requests',
    [ATTEMPTS, 'signupPerNetwork', 1, 'max'],
    [ATTEMPTS, 'resetAskedPerNetwork', 1, 'max'],
  ],
  [
    'reference/decisions',
    'get # sign-up mails an hour, then 503; # more',
    [ATTEMPTS, 'signupInAll', 1, 'max'],
    [ATTEMPTS, 'signupOfFewInAll', 1, 'max'],
  ],
  ['reference/decisions', 'overround_device`, # days', ['src/accounts/limits.ts', 'CLIENT_KNOWN_DAYS']],
  ['reference/names', 'confidence is at least #', ['src/names/resolution.ts', 'MATCH_CONFIDENCE_MIN']],
];

test.each(ROWS)('docs/%s.md has the number of the code: %s', async (page, text, ...constants) => {
  const parts = text.split('#');
  let expected = parts[0]!;
  for (const [index, [path, name, unit = 1, field]] of constants.entries()) {
    const value = (await constantOf(path, name, field)) / unit;
    expected += value.toLocaleString('en-US') + parts[index + 1]!;
  }
  const written = (await Bun.file(join(ROOT, `docs/${page}.md`)).text()).replaceAll(/\s+/g, ' ');
  expect(written).toContain(expected);
});
