// What every refusal looks like on the wire: the error's envelope, and the details of input that is wrong.

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

/** The answer is this error, in the envelope and as the table of errors has it. @returns what is in the envelope */
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

/** The answer is 422 and names this place first; it shows none of what was sent. */
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
