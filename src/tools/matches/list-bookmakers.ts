// list_bookmakers: the catalogue, with what the caller's tier covers.

import { Type } from '@sinclair/typebox';
import { BookmakerInfo } from '../../contract/catalogue.ts';
import { exact } from '../../contract/schema.ts';
import {
  BOOKMAKER_CLASSES,
  BOOKMAKER_COUNT_TEXT,
  BOOKMAKERS,
  countText,
  SHARP_BOOKMAKERS,
} from '../../domain/catalogue.ts';
import type { Principal } from '../../domain/tiers.ts';
import { defineTool, type Tool, type ToolServices } from '../kit/tool.ts';
import { joined } from '../words/phrases.ts';

const Output = exact(
  {
    count: Type.Integer({ minimum: 0, description: 'Number of books in the list.' }),
    bookmakers: Type.Array(BookmakerInfo),
    note: Type.String({ description: "What the caller's tier covers, in words." }),
  },
  { title: 'BookmakersResult' },
);

export function listBookmakersTool({ hiddenPrices = null }: Pick<ToolServices, 'hiddenPrices'>): Tool {
  return defineTool({
    name: 'list_bookmakers',
    title: 'List bookmakers',
    description: `The ${BOOKMAKER_COUNT_TEXT} with the keys that \`bookmakers\` filters take, their class (${joined(BOOKMAKER_CLASSES, 'or')}), and what your tier covers. Use get_match_odds for their prices. Example: {}.`,
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
      note:
        hiddenPrices === null || principal.seesSharp
          ? noteFor(principal)
          : `${noteFor(principal)} ${hiddenPrices}.`,
    }),
  });
}

function noteFor({ seesSharp, tier }: Principal): string {
  if (SHARP_BOOKMAKERS.length === 0)
    return `The ${tier} tier covers the ${othersText()}; none of them is sharp.`;
  const names = joined(SHARP_BOOKMAKERS.map(({ name }) => name));
  const sharp = `the sharp book${SHARP_BOOKMAKERS.length === 1 ? '' : 's'} ${names}`;
  return seesSharp
    ? `The ${tier} tier covers all ${countText(BOOKMAKERS.length)} books, ${sharp} included.`
    : `The ${tier} tier covers the ${othersText()}; prices of ${sharp} need the standard tier or above.`;
}

/** "six asian books"; if they are of several classes, "27 other books". */
function othersText(): string {
  const others = BOOKMAKERS.filter((bookmaker) => bookmaker.class !== 'sharp');
  const classes = new Set(others.map((bookmaker) => bookmaker.class));
  return `${countText(others.length)} ${classes.size === 1 ? [...classes][0] : 'other'} books`;
}
