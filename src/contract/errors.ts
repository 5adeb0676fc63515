// The two error bodies: the envelope of most failures, and the detail list of 422.

import { type Static, Type } from '@sinclair/typebox';
import { type EnvelopeCode, ERRORS, type ErrorCode } from '../errors.ts';
import { exact, nullable, oneOf } from './schema.ts';

/** Every code of the envelope; 422 has its own body. */
const ENVELOPE_CODES = (Object.keys(ERRORS) as ErrorCode[]).filter(
  (code): code is EnvelopeCode => code !== 'validation_error',
);

export const ErrorCodeSchema = oneOf<readonly EnvelopeCode[]>(ENVELOPE_CODES, {
  description: 'Stable; switch on it.',
  examples: ['not_found'],
});

export const ErrorEnvelope = exact(
  {
    error: exact({
      code: ErrorCodeSchema,
      message: Type.String({ description: 'For people; may change.' }),
      fix: nullable(Type.String(), {
        description: 'The concrete corrective action. Apply it instead of retrying blindly.',
      }),
      is_retriable: Type.Boolean({ description: 'Whether the same request can succeed later.' }),
      retry_after_seconds: nullable(Type.Number({ minimum: 0 }), {
        description: 'Seconds to wait before a retry; null if there is no advice.',
      }),
      documentation_url: Type.String({
        format: 'uri',
        description: 'The section of the documentation about this code.',
      }),
    }),
  },
  { title: 'ErrorEnvelope' },
);
export type ErrorEnvelope = Static<typeof ErrorEnvelope>;

export const ValidationErrorBody = exact(
  {
    detail: Type.Array(
      exact(
        {
          type: Type.String({ description: 'Kind of problem.', examples: ['less_than_equal'] }),
          loc: Type.Array(Type.Union([Type.String(), Type.Integer()]), {
            description: 'Where: `query`, `path` or `body`, then the field.',
            examples: [['query', 'limit']],
          }),
          msg: Type.String({
            description: 'What is wrong.',
            examples: ['Input should be less than or equal to 200'],
          }),
          input: Type.Null({ description: 'Always null: submitted values are never sent back.' }),
        },
        { title: 'ValidationItem' },
      ),
      { minItems: 1 },
    ),
  },
  { title: 'ValidationErrorBody' },
);
export type ValidationErrorBody = Static<typeof ValidationErrorBody>;
