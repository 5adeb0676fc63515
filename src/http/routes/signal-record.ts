// The record of signals: what was found, and what became of it.

import { RECORD_UNITS, SignalRecordAnswer, SignalRecordQuery } from '../../contract/record/signal-record.ts';
import type { HistoryCalls } from '../../query/lists/history-calls.ts';
import { defineRoute, type Route } from '../kit/route.ts';
import { pastReply } from '../past-reply.ts';

export function signalRecordRoutes(history: HistoryCalls): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/signals/record',
      operationId: 'getSignalRecord',
      summary: 'Get the record of signals',
      description:
        'Every value signal and arbitrage that opened while the server ran, graded by the closing prices and settled by the results, in one row or in groups. Losers count like winners, and a signal counts once however often its price changed. See docs/reference/signals.md for what a small sample means. `series=true` adds the growth of one unit on each and the spread of closing line values, as points of charts. It costs five requests.',
      tags: ['History'],
      access: 'metered',
      query: SignalRecordQuery,
      response: SignalRecordAnswer,
      errors: ['forbidden', 'not_found'],
      takesTurns: true,
      handle: async ({ query }, context) => {
        const { principal, nowMs } = context;
        const { in_play: inPlay, series, ...words } = query;
        const asked = {
          ...words,
          in_play: inPlay === undefined ? undefined : inPlay === 'true',
          series: series === 'true',
        };
        // A request that is refused costs one unit. Each caller is charged before the answer is shared.
        await history.requireRecord({ words: asked, principal, nowMs });
        await context.charge(RECORD_UNITS - 1);
        const question = `signal record ${JSON.stringify(asked)}`;
        return pastReply(
          await context.inTurn(question, () => history.record({ words: asked, principal, nowMs })),
        );
      },
    }),
  ];
}
