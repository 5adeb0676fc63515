// What fails in a test that expects it.

import { ServiceError } from '../../src/errors.ts';

/** The refusal that a call throws; every other error passes. */
export function refusalOf(call: () => unknown): ServiceError {
  try {
    call();
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

/** What a promise is rejected with; null if it is fulfilled. */
export function failureOf(answer: Promise<unknown>): Promise<unknown> {
  return answer.then(
    () => null,
    (failure: unknown) => failure,
  );
}
