// The data of the operator's page: how the service is doing now, and how it did in the last hour. Only for
// accounts named in OPERATOR_EMAILS. It is not in the API's document, because it describes one deployment and
// not the odds.

import type { Platform } from '../../accounts/platform.ts';
import type { OperatorReport, ServiceState } from '../../contract/operator.ts';
import { FIXTURES_MAX } from '../../limits.ts';
import type { Slate } from '../../query/slate/slate.ts';
import { Reply } from '../kit/reply.ts';
import { definePage, type Route } from '../kit/route.ts';
import { sessionOf } from './platform.ts';

export interface OperatorParts {
  readonly platform: Platform;
  readonly slate: Slate;
  /** The state of the service at an instant, as this thread knows it. */
  readonly stateAt: (nowMs: number) => ServiceState;
}

export function operatorRoutes({ platform, slate, stateAt }: OperatorParts): Route[] {
  return [
    definePage({
      path: '/platform/operator',
      access: 'account',
      handle: async (context) => {
        const people = await platform.people(sessionOf(context));
        const { hour, ...state } = stateAt(context.nowMs);
        const report: OperatorReport = {
          ...state,
          slate: { fixtures: slate.health(context.nowMs).matches, fixturesMax: FIXTURES_MAX },
          people,
          hour,
        };
        return Reply.json(report);
      },
    }),
  ];
}
