// Replies that report an error.

import type { ErrorEnvelope, ValidationErrorBody } from '../../contract/errors.ts';
import { type ErrorCode, envelopeOf, ServiceError, ValidationError } from '../../errors.ts';
import { Reply } from './reply.ts';

/** Statuses from this one on are errors. */
export const ERROR_FROM = 400;

/** An error as a reply, and what may be logged about it. */
export interface ErrorReply {
  readonly reply: Reply;
  readonly code: ErrorCode;
  /** True for a bug of ours: log it with its stack. */
  readonly unexpected: boolean;
}

/**
 * Makes an error reply from anything thrown. A message that was not written for callers never leaves the
 * process.
 */
export function toErrorReply(error: unknown, publicUrl: string): ErrorReply {
  if (error instanceof ValidationError) return validationReply(error);
  if (error instanceof ServiceError) return serviceReply(error, publicUrl, error.code === 'internal');
  return serviceReply(unexpectedError(), publicUrl, true);
}

function unexpectedError(): ServiceError {
  return new ServiceError('internal', 'Cannot answer: an unexpected error was logged under this request id');
}

function validationReply(error: ValidationError): ErrorReply {
  const body: ValidationErrorBody = {
    detail: error.detail.map(({ type, loc, msg }) => ({ type, loc: [...loc], msg, input: null })),
  };
  return {
    reply: Reply.json(body, { status: 422, cacheControl: 'no-store' }),
    code: 'validation_error',
    unexpected: false,
  };
}

function serviceReply(error: ServiceError, publicUrl: string, unexpected: boolean): ErrorReply {
  const { code, retryAfterSeconds } = error;
  const body: ErrorEnvelope = envelopeOf(code, publicUrl, error);
  const headers: Record<string, string> = { ...error.headers };
  if (error.status === 401) headers['www-authenticate'] = 'Bearer';
  if (retryAfterSeconds !== null) headers['retry-after'] = String(Math.max(1, Math.ceil(retryAfterSeconds)));
  return {
    reply: Reply.json(body, { status: error.status, cacheControl: 'no-store', headers }),
    code,
    unexpected,
  };
}
