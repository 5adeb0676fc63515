// The failures that tests expect, as values.

import { ServiceError, ValidationError } from '../../src/errors.ts';

/** The ServiceError that a call throws. Any other error is thrown again. */
export function refusalOf(call: () => unknown): ServiceError {
  return thrownBy(call, ServiceError);
}

/** The ValidationError that a call throws. Any other error is thrown again. */
export function validationErrorOf(call: () => unknown): ValidationError {
  return thrownBy(call, ValidationError);
}

function thrownBy<Failure extends Error>(
  call: () => unknown,
  type: new (...parts: never[]) => Failure,
): Failure {
  try {
    call();
  } catch (error) {
    if (error instanceof type) return error;
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
