// `overround signals`: the record of signals of a running server, as its page and the backtest show it.

import type { SignalRecordAnswer } from '../../contract/record/signal-record.ts';
import { RECORD_GROUPS, RECORD_REFERENCES, SIGNAL_KINDS } from '../../domain/signal-gate.ts';
import { Server } from '../../terminal/server.ts';
import { displayOf } from '../../terminal/text.ts';
import type { Command, CommandInput } from '../command.ts';
import { recordTable } from '../record-table.ts';
import { JSON_FLAG, SLATE_FLAGS } from '../server-flags.ts';

export const signalRecordCommand: Command = {
  name: 'signals',
  summary: 'Prints the record of signals: how those that opened did against the close and the result',
  arguments: [],
  flags: {
    'group-by': {
      value: RECORD_GROUPS.join('|'),
      help: 'one row for each value of it; default: one row in all',
    },
    reference: { value: RECORD_REFERENCES.join('|'), help: 'what value was measured against' },
    kind: { value: SIGNAL_KINDS.join('|'), help: 'kind of signals; default: value' },
    sport: SLATE_FLAGS.sport,
    'min-edge': { value: 'per cent', help: 'lowest edge at the opening' },
    'in-play': { value: 'true|false', help: 'opened in play, or not; default both' },
    from: { value: 'instant', help: 'opened at or after it' },
    to: { value: 'instant', help: 'opened before it' },
    json: JSON_FLAG,
  },
  examples: ['signals --group-by bookmaker --min-edge 2', 'signals --in-play false --json | jq ".data"'],
  run,
};

async function run(input: CommandInput): Promise<number> {
  const { flags } = input;
  const answer = await new Server(input).get<SignalRecordAnswer>('/v1/signals/record', {
    ...{ group_by: flags['group-by'], reference: flags.reference, kind: flags.kind, sport: flags.sport },
    ...{ min_edge_pct: flags['min-edge'], in_play: flags['in-play'], from: flags.from, to: flags.to },
  });
  if (flags.json !== undefined) {
    input.writeOutput(JSON.stringify(answer));
    return 0;
  }
  const { data, kind, reference, since } = answer;
  for (const line of data.length === 0
    ? ['No signal on record passes']
    : recordTable(data, displayOf(input.environment)))
    input.writeOutput(line);
  const against = reference === null ? '' : ` against ${reference}`;
  if (since !== null) input.writeError(`${kind}${against}, since ${since}`);
  return 0;
}
