// signal_record: what became of the signals found so far, in one sentence and in rows.

import { type Static, Type } from '@sinclair/typebox';
import {
  RECORD_UNITS,
  type RecordRow,
  SignalRecordAnswer,
  SignalRecordInput,
} from '../../contract/record/signal-record.ts';
import { exact } from '../../contract/schema.ts';
import { ServiceError } from '../../errors.ts';
import { defineTool, type Tool, type ToolServices } from '../kit/tool.ts';

/** The answer without `series`: the points of charts would fill a model's context for nothing. */
const { series: _series, ...RowsAnswer } = SignalRecordAnswer.properties;

const Output = exact(
  {
    ...RowsAnswer,
    summary: Type.String({ description: 'One ready-to-read sentence about all rows together.' }),
  },
  { title: 'SignalRecordResult' },
);

/**
 * An answer with a row for all signals, because the interval of all signals does not follow from the
 * intervals of the groups.
 */
interface AnswerWithTotal extends SignalRecordAnswer {
  /** The row for all signals. Absent if `data` is that row already, or if the groups are never added up. */
  readonly total?: RecordRow[];
}

type Answer = Omit<Static<typeof SignalRecordAnswer>, 'series'>;

const DECODER = new TextDecoder();

export function signalRecordTool({ queries }: ToolServices): Tool {
  return defineTool({
    name: 'signal_record',
    title: 'Get the record of signals',
    description:
      'Whether past signals earned what they promised: how many opened, mean edge, closing line value, yield of one unit each with its 95 % interval; `group_by` makes rows. Use find_value for signals open now. Example: {"group_by": "bookmaker", "min_edge_pct": 2}.',
    input: SignalRecordInput,
    output: Output,
    units: async (words, { principal, nowMs }) => {
      try {
        await queries.history.requireRecord({ words, principal, nowMs });
        return RECORD_UNITS;
      } catch (error) {
        if (isMissing(error)) return 1;
        throw error;
      }
    },
    run: async (input, { principal, nowMs }) => {
      try {
        const words = { ...input, total: true };
        const { bytes } = await queries.history.record({ words, principal, nowMs });
        const { series: _none, total, ...answer } = JSON.parse(DECODER.decode(bytes)) as AnswerWithTotal;
        return { ...answer, summary: summaryOf({ ...answer, data: total ?? answer.data }) };
      } catch (error) {
        if (!isMissing(error)) throw error;
        return { ...EMPTY, kind: input.kind, summary: `${error.message}. ${error.fix}.` };
      }
    },
  });
}

/** What a service without a record answers. */
const EMPTY = { from: null, to: null, since: null, group_by: null, reference: null, data: [] };

/** Whether the service has no record. */
function isMissing(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === 'not_found';
}

/**
 * The sentence about all signals. Signals against different references are never added up: each has its
 * own.
 */
function summaryOf({ kind, reference, since, data }: Answer): string {
  if (data.length === 0) return `No ${kind} signal on record passes.`;
  const day = since === null ? '' : ` since ${since.slice(0, 10)}`;
  return data
    .map((row) => {
      const against = kind === 'arbitrage' ? '' : ` against ${reference ?? row.key}`;
      const count = `${row.signals} ${kind} ${row.signals === 1 ? 'signal' : 'signals'}${against}${day}`;
      const edge = `mean ${kind === 'value' ? 'edge' : 'margin'} ${row.mean_edge_pct} %`;
      return kind === 'arbitrage'
        ? `${count}: ${edge}.`
        : `${count}: ${edge}; ${closeOf(row)}; ${yieldOf(row)}.`;
    })
    .join(' ');
}

function closeOf(row: Answer['data'][number]): string {
  if (row.closed_with_clv === 0) return 'none has a closing line value yet';
  return `mean CLV ${row.mean_clv_pct} % over ${row.closed_with_clv}, ${row.beat_close_pct} % beat the close`;
}

function yieldOf(row: Answer['data'][number]): string {
  if (row.settled === 0) return 'none is settled yet';
  const { yield_low_pct: low, yield_high_pct: high } = row;
  const range = low === null || high === null ? '' : ` (95 % from ${low} to ${high})`;
  const isOpenQuestion = low === null || high === null || (low <= 0 && high >= 0);
  return `yield ${row.yield_pct} %${range} over ${row.settled} settled${isOpenQuestion ? ', which may be luck' : ''}`;
}
