// Answers from the record of signals. Callers who see the sharp bookmaker's prices get the signals that were
// found with them; all others get those found without.

import type { SignalFilter, SignalPlace, SignalRecord, SignalRow } from '../archive/signal-record.ts';
import { toIsoText } from '../clock.ts';
import type { SignalRecordAnswer } from '../contract/record/signal-record.ts';
import { indexIn, SPORT_KEYS } from '../domain/catalogue.ts';
import { REFERENCE_DEFAULT } from '../domain/reference.ts';
import type { Principal } from '../domain/tiers.ts';
import { ServiceError } from '../errors.ts';
import { jsonAnswer } from '../history/past/past-answers.ts';
import { readInstant } from '../history/past/past-instant.ts';
import { type ReadTurns, requireWanted } from '../history/past/read-turns.ts';
import { eventLoopTurn } from '../pause.ts';
import type { Asked, HistoryCalls, PastAnswer, RecordWords } from '../query/lists/history-calls.ts';
import { RowTally } from './record-rows.ts';
import { SeriesTally } from './record-series.ts';
import { seesSharpRecord } from './record-views.ts';
import type { GradedSignal } from './recorded-signal.ts';
import { StepMeter } from './resampling.ts';
import { gradedOf } from './signal-row.ts';

/** Rows that are read in one step of some milliseconds, without other work in between. */
const ROWS_PER_PAGE = 2_000;

/** The calls that the record answers. */
export type RecordCalls = Pick<HistoryCalls, 'requireRecord' | 'record'>;

export interface RecordAnswersParts {
  readonly store: Pick<SignalRecord, 'page'>;
  /**
   * The turns are shared with all other answers about the past, because a record of full length takes as long
   * as a large slate.
   */
  readonly turns: ReadTurns;
}

export function recordAnswers({ store, turns }: RecordAnswersParts): RecordCalls {
  return {
    requireRecord: async ({ words, principal }) => {
      filterOf(words, principal);
      return null;
    },
    record: async (asked) => {
      const filter = filterOf(asked.words, asked.principal);
      return await turns.run(asked, () => recordAnswer(store, filter, asked));
    },
  };
}

/** @throws ServiceError `upstream_unavailable` once nobody waits for the answer; StorageError */
async function recordAnswer(
  store: Pick<SignalRecord, 'page'>,
  filter: SignalFilter,
  { words, signal }: Pick<Asked<{ words: RecordWords }>, 'words' | 'signal'>,
): Promise<PastAnswer> {
  const groupBy = words.group_by ?? null;
  const rows = new RowTally(groupBy);
  const hasTotal = words.total === true && groupBy !== null && groupBy !== 'reference';
  const total = hasTotal ? new RowTally(null) : null;
  const series = words.series === true ? new SeriesTally() : null;
  let since: string | null = null;
  await eachSignal(store, { filter, signal }, (graded) => {
    since ??= graded.opened_at;
    rows.add(graded);
    total?.add(graded);
    series?.add(graded);
  });
  const meter = new StepMeter();
  const answer: SignalRecordAnswer = {
    from: words.from === undefined ? null : toIsoText(filter.fromMs),
    to: words.to === undefined ? null : toIsoText(filter.toMs),
    since,
    group_by: groupBy,
    kind: words.kind,
    reference: filter.reference as SignalRecordAnswer['reference'],
    data: await inSteps(rows.rows(meter), signal),
    series: series === null ? null : await inSteps(series.series(meter), signal),
  };
  if (total === null) return jsonAnswer(answer, false);
  return jsonAnswer({ ...answer, total: await inSteps(total.rows(meter), signal) }, false);
}

/** @throws ServiceError `invalid_request`, `forbidden` */
function filterOf(words: RecordWords, principal: Principal): SignalFilter {
  const { from, to, kind, sport, in_play: inPlay, min_edge_pct: minEdgePct } = words;
  const fromMs = from === undefined ? Number.NEGATIVE_INFINITY : readInstant(from, 'from');
  const toMs = to === undefined ? Number.POSITIVE_INFINITY : readInstant(to, 'to');
  if (fromMs > toMs) {
    throw new ServiceError('invalid_request', 'Cannot use the range: from is later than to', {
      fix: 'Send a time in from that is not later than the time in to',
    });
  }
  return {
    seesSharp: seesSharpRecord(principal),
    ...{ kind, fromMs, toMs, minEdgePct },
    reference: referenceOf(words, principal),
    sport: sport === undefined ? null : indexIn(SPORT_KEYS, sport),
    inPlay: inPlay ?? null,
  };
}

/** The reference that a question names; null for all references. */
function referenceOf(
  { kind, reference, group_by: groupBy, series }: RecordWords,
  principal: Principal,
): string | null {
  if (series === true && (kind === 'arbitrage' || groupBy === 'reference')) {
    const other = kind === 'arbitrage' ? 'kind=arbitrage' : 'group_by=reference';
    throw new ServiceError(
      'invalid_request',
      `Cannot use series=true with ${other}: a series shows value against one reference`,
      { fix: `Leave series or ${other} out` },
    );
  }
  if (kind === 'arbitrage') {
    const unused =
      reference !== undefined ? 'reference' : groupBy === 'reference' ? 'group_by=reference' : null;
    const noBook = groupBy === 'bookmaker' ? 'group_by=bookmaker' : unused;
    if (noBook === null) return null;
    throw new ServiceError(
      'invalid_request',
      `Cannot use ${noBook}: an arbitrage has several bookmakers and no reference`,
      {
        fix: `Send kind=value, or leave ${noBook} out`,
      },
    );
  }
  if (reference === 'sharp' && !principal.seesSharp) {
    throw new ServiceError(
      'forbidden',
      `Cannot show the record against the sharp book: the ${principal.tier} tier does not include it`,
      {
        fix: 'Send reference=consensus, or use a key of the standard tier or above',
      },
    );
  }
  if (reference !== undefined) return reference;
  if (groupBy === 'reference') return null;
  return principal.seesSharp ? REFERENCE_DEFAULT : 'consensus';
}

/** Reads signals page by page, so that only one page is in memory. */
async function eachSignal(
  store: Pick<SignalRecord, 'page'>,
  { filter, signal }: { readonly filter: SignalFilter; readonly signal: AbortSignal | undefined },
  use: (graded: GradedSignal) => void,
): Promise<void> {
  let after: SignalPlace | null = null;
  for (;;) {
    requireWanted(signal);
    const rows: SignalRow[] = await store.page(filter, after, ROWS_PER_PAGE);
    for (const row of rows) use(gradedOf(row));
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_PER_PAGE) return;
    after = { openedAtMs: last.opened_at_ms, id: last.id };
    await eventLoopTurn();
  }
}

/** Does work in steps, with other work in between. */
async function inSteps<Result>(
  work: Generator<void, Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  let step = work.next();
  for (; step.done !== true; step = work.next()) {
    await eventLoopTurn();
    requireWanted(signal);
  }
  return step.value;
}
