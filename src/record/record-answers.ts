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
import { eventLoopTurn } from '../pause.ts';
import type { Asked, PastAnswer, RecordWords } from '../query/lists/history-calls.ts';
import { recordRowsInSteps } from './record-rows.ts';
import { recordSeriesInSteps } from './record-series.ts';
import { seesSharpRecord } from './record-views.ts';
import type { GradedSignal } from './recorded-signal.ts';
import { gradedOf } from './signal-row.ts';

/** Rows that are read in one step of some milliseconds, without other work in between. */
const ROWS_PER_PAGE = 2_000;

/** @throws ServiceError `invalid_request`, `forbidden`; StorageError */
export async function recordAnswer(
  store: Pick<SignalRecord, 'page'>,
  { words, principal }: Asked<{ words: RecordWords }>,
): Promise<PastAnswer> {
  const filter = filterOf(words, principal);
  const groupBy = words.group_by ?? null;
  const signals = await signalsOf(store, filter);
  const data = await inTurns(recordRowsInSteps(signals, groupBy));
  const series = words.series === true ? await inTurns(recordSeriesInSteps(signals)) : null;
  const answer: SignalRecordAnswer = {
    from: words.from === undefined ? null : toIsoText(filter.fromMs),
    to: words.to === undefined ? null : toIsoText(filter.toMs),
    since: signals[0]?.opened_at ?? null,
    group_by: groupBy,
    kind: words.kind,
    reference: filter.reference as SignalRecordAnswer['reference'],
    data,
    series,
  };
  return jsonAnswer(answer, false);
}

function filterOf(words: RecordWords, principal: Principal): SignalFilter {
  const { from, to, kind, sport, in_play: inPlay, min_edge_pct: minEdgePct } = words;
  const fromMs = from === undefined ? Number.NEGATIVE_INFINITY : readInstant(from, 'from');
  const toMs = to === undefined ? Number.POSITIVE_INFINITY : readInstant(to, 'to');
  if (fromMs > toMs) {
    throw new ServiceError('invalid_request', 'Cannot read from and to: from is later than to', {
      fix: 'Send from before to',
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

async function signalsOf(store: Pick<SignalRecord, 'page'>, filter: SignalFilter): Promise<GradedSignal[]> {
  const signals: GradedSignal[] = [];
  let after: SignalPlace | null = null;
  for (;;) {
    const rows: SignalRow[] = await store.page(filter, after, ROWS_PER_PAGE);
    for (const row of rows) signals.push(gradedOf(row));
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_PER_PAGE) return signals;
    after = { openedAtMs: last.opened_at_ms, id: last.id };
    await eventLoopTurn();
  }
}

/** Does work in steps, with other work in between. */
async function inTurns<Result>(work: Generator<void, Result>): Promise<Result> {
  let step = work.next();
  for (; step.done !== true; step = work.next()) await eventLoopTurn();
  return step.value;
}
