// list_bookmakers: the catalogue, with what the caller's tier covers.

import { Type } from '@sinclair/typebox';
import { BookmakerInfo } from '../contract/catalogue.ts';
import { exact } from '../contract/schema.ts';
import { BOOKMAKERS, SHARP_BOOKMAKER_INDEX } from '../domain/catalogue.ts';
import type { Principal } from '../domain/tiers.ts';
import { defineTool, type Tool } from './kit/tool.ts';

const Output = exact(
  {
    count: Type.Integer({ minimum: 0, description: 'Books in the list.' }),
    bookmakers: Type.Array(BookmakerInfo),
    note: Type.String({ description: 'What the tier of the caller covers.' }),
  },
  { title: 'BookmakersResult' },
);

export function listBookmakersTool(): Tool {
  return defineTool({
    name: 'list_bookmakers',
    title: 'List bookmakers',
    description:
      'The seven bookmakers with the keys that `bookmakers` filters take, their class (sharp or asian), and what your tier covers. Use get_match_odds for their prices. Example: {}.',
    input: Type.Object({}),
    output: Output,
    run: (_input, { principal }) => ({
      count: BOOKMAKERS.length,
      bookmakers: BOOKMAKERS.map(({ key, name, class: bookmakerClass }) => ({
        key,
        name,
        class: bookmakerClass,
        covered: principal.seesSharp || bookmakerClass !== 'sharp',
      })),
      note: noteFor(principal),
    }),
  });
}

function noteFor({ seesSharp, tier }: Principal): string {
  const sharp = BOOKMAKERS[SHARP_BOOKMAKER_INDEX]!.name;
  return seesSharp
    ? `The ${tier} tier covers all seven books, the sharp book ${sharp} included.`
    : `The ${tier} tier covers the six asian books; prices of the sharp book ${sharp} need the standard tier or above.`;
}
