// Pure functions of odds and handicaps. The same input always has the same answer, so caches may keep it for
// ever.

import {
  ConvertHandicapBody,
  ConvertHandicapResponse,
  ConvertOddsBody,
  ConvertOddsResponse,
} from '../../contract/convert.ts';
import { ConvertSettleBody, ConvertSettleResponse } from '../../contract/record/settlement.ts';
import { explainHandicap } from '../../domain/handicap.ts';
import { convertOdds } from '../../domain/odds-format.ts';
import { settlementOf } from '../../domain/settled-line.ts';
import { Reply } from '../kit/reply.ts';
import { defineRoute, type Route } from '../kit/route.ts';

const CONVERT_ROUTE = { method: 'POST', tags: ['Convert'], access: 'metered' } as const;
const IMMUTABLE = { cacheControl: 'public, max-age=31536000, immutable' };

export function convertRoutes(): Route[] {
  return [
    defineRoute({
      ...CONVERT_ROUTE,
      path: '/v1/convert/odds',
      operationId: 'convertOdds',
      summary: 'Convert odds between formats',
      description:
        "Deterministic. Answers the source format, echoed exactly, and each requested one. `bookmaker` applies that book's malay decimals.",
      body: ConvertOddsBody,
      response: ConvertOddsResponse,
      handle: ({ body }) =>
        Reply.json(convertOdds({ ...body, bookmakerKey: body.bookmaker ?? null }), IMMUTABLE),
    }),
    defineRoute({
      ...CONVERT_ROUTE,
      path: '/v1/convert/handicap',
      operationId: 'convertHandicap',
      summary: 'Explain an Asian handicap line',
      description: 'Deterministic. The components of a line, and how it settles, in words and as predicates.',
      body: ConvertHandicapBody,
      response: ConvertHandicapResponse,
      handle: ({ body }) => Reply.json(explainHandicap(body.line), IMMUTABLE),
    }),
    defineRoute({
      ...CONVERT_ROUTE,
      path: '/v1/convert/settle',
      operationId: 'convertSettle',
      summary: 'Settle a line by a score',
      description:
        'Deterministic and exact. What becomes of a stake on each outcome; quarter lines may win or lose half. A basketball 1x2 that ends level is a push.',
      body: ConvertSettleBody,
      response: ConvertSettleResponse,
      handle: ({ body }) => Reply.json(settlementOf(body), IMMUTABLE),
    }),
  ];
}
