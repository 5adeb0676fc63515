// Every refusal as it is on the wire: the error's envelope, and the details of wrong input.

import { expect } from 'bun:test';
import { ERRORS } from '../../src/errors.ts';

interface Envelope {
  error: {
    code: keyof typeof ERRORS;
    message: string;
    fix: string | null;
    is_retriable: boolean;
    retry_after_seconds: number | null;
    documentation_url: string;
  };
}

/**
 * Expects this error, in the envelope and with the facts of the table of errors. @returns the content of the
 * envelope
 */
export async function expectEnvelope(
  response: Response,
  status: number,
  code: keyof typeof ERRORS,
): Promise<Envelope['error']> {
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const { error } = (await response.json()) as Envelope;
  expect(Object.keys(error).sort()).toEqual([
    'code',
    'documentation_url',
    'fix',
    'is_retriable',
    'message',
    'retry_after_seconds',
  ]);
  expect(error.code).toBe(code);
  expect(error.is_retriable).toBe(ERRORS[code].retriable);
  expect(error.documentation_url).toBe(`http://odds.example/docs/errors#${code}`);
  return error;
}

/** Expects a 422 that names this place first and shows nothing of the input. */
export async function expectDetail(response: Response, loc: (string | number)[]): Promise<void> {
  expect(response.status).toBe(422);
  const { detail } = (await response.json()) as {
    detail: { loc: unknown; input: unknown; msg: string; type: string }[];
  };
  expect(detail[0]?.loc).toEqual(loc);
  for (const item of detail) {
    expect(Object.keys(item).sort()).toEqual(['input', 'loc', 'msg', 'type']);
    expect(item.input).toBeNull();
  }
}
