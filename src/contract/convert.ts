// The conversions, which need no slate: odds formats and handicap lines.

import { type Static, Type } from '@sinclair/typebox';
import { BOOKMAKER_KEYS, ODDS_FORMATS } from '../domain/catalogue.ts';
import { HANDICAP_LINE_MAX } from '../domain/handicap.ts';
import { exact, nullable, oneOf, optional } from './schema.ts';
import { OddsFormatSchema } from './values.ts';

export const ConvertOddsBody = Type.Object(
  {
    value: Type.Number({ description: 'The odds, in the `from` format.', examples: [1.95] }),
    from: { ...OddsFormatSchema, description: 'Format of `value`.' },
    to: Type.Array(OddsFormatSchema, {
      minItems: 1,
      maxItems: ODDS_FORMATS.length,
      description: 'Formats to convert to.',
      examples: [['hk', 'malay']],
    }),
    bookmaker: optional(
      oneOf(BOOKMAKER_KEYS, {
        description: "Use this book's decimals for `malay`; canonical (3) when absent.",
        examples: BOOKMAKER_KEYS.slice(0, 1),
      }),
    ),
  },
  { title: 'ConvertOddsRequest' },
);

export const ConvertOddsResponse = Type.Object(
  {
    decimal: optional(nullable(Type.Number({ description: 'Total return per unit staked.' }))),
    hk: optional(nullable(Type.Number({ description: 'Net return per unit staked.' }))),
    malay: optional(nullable(Type.Number({ description: 'From -1 to 1, not 0.' }))),
    american: optional(nullable(Type.Integer({ description: '100 or more, or -100 or less.' }))),
    indonesian: optional(nullable(Type.Number({ description: '1 or more, or -1 or less.' }))),
    probability: optional(
      nullable(
        Type.Number({ minimum: 0, maximum: 1, description: 'Implied probability, including the margin.' }),
      ),
    ),
  },
  {
    title: 'ConvertOddsResponse',
    additionalProperties: false,
    minProperties: 1,
    description:
      'Has only the fields of the source format and of the requested formats. All other answers always have every field.',
    examples: [{ decimal: 1.95, hk: 0.95, malay: 0.95 }],
  },
);
export type ConvertOddsResponse = Static<typeof ConvertOddsResponse>;

export const HandicapLineParameter = Type.Number({
  minimum: -HANDICAP_LINE_MAX,
  maximum: HANDICAP_LINE_MAX,
  multipleOf: 0.25,
  description: "The home side's handicap.",
  examples: [-0.75],
});

export const ConvertHandicapBody = Type.Object(
  { line: HandicapLineParameter },
  { title: 'ConvertHandicapRequest' },
);

const Predicate = nullable(Type.String(), {
  description:
    'Predicate over `a` = (home goals - away goals) + line, or null when the outcome cannot happen.',
  examples: ['a > 0.25'],
});

export const WinConditions = exact(
  { full_win: Predicate, half_win: Predicate, push: Predicate, half_loss: Predicate, full_loss: Predicate },
  { title: 'WinConditions' },
);

export const ConvertHandicapResponse = exact(
  {
    handicap_raw: Type.String({ description: 'Shortest decimal text of the line.', examples: ['-0.75'] }),
    handicap_decimal: Type.Number({
      multipleOf: 0.25,
      description: 'The line as a number.',
      examples: [-0.75],
    }),
    handicap_components: Type.Array(Type.Number({ multipleOf: 0.5 }), {
      minItems: 1,
      maxItems: 2,
      description: 'The line itself, or the two halves of a quarter line, nearer zero first.',
      examples: [[-0.5, -1]],
    }),
    explanation: Type.String({ description: 'How the line settles, in words.' }),
    win_conditions: WinConditions,
  },
  { title: 'ConvertHandicapResponse' },
);
export type ConvertHandicapResponse = Static<typeof ConvertHandicapResponse>;
