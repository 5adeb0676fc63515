// The doctor's finding about one thing that the server needs.

import { messageOf } from '../../errors.ts';

const FINDING_STATES = ['ok', 'warn', 'bad'] as const;

export interface Finding {
  /** What was checked, such as `disk` or `feed simulator`. */
  readonly about: string;
  /** `bad`: the server cannot start, or cannot serve prices. */
  readonly state: (typeof FINDING_STATES)[number];
  /** What was found. */
  readonly found: string;
  /** What to do about it; null if nothing. */
  readonly toDo: string | null;
}

export function ok(about: string, found: string): Finding {
  return { about, state: 'ok', found, toDo: null };
}

export function warn(about: string, found: string, toDo: string): Finding {
  return { about, state: 'warn', found, toDo };
}

export function bad(about: string, found: string, toDo: string): Finding {
  return { about, state: 'bad', found, toDo };
}

/** The message of an error, in one line. */
export function whyOf(error: unknown): string {
  return messageOf(error).replaceAll(/\s+/g, ' ');
}
