// The failures that tests expect, as values.

import { ServiceError } from '../../src/errors.ts';

/** The ServiceError that a call throws. Any other error is thrown on. */
export function refusalOf(call: () => unknown): ServiceError {
  try {
    call();
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

/** The reason with which a promise is rejected; null if it is fulfilled. */
export function failureOf(answer: Promise<unknown>): Promise<unknown> {
  return answer.then(
    () => null,
    (failure: unknown) => failure,
  );
}
