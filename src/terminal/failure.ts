// Why a command ends without what was asked for, and with which exit status.

/** Exit statuses of commands that ask a server; 0 is done. docs/cli.md lists them. */
export const EXIT_STATUSES = {
  /** The server refused, or answered with what cannot be used. */
  failed: 1,
  /** The words or flags mean nothing: as written they never will. */
  notUnderstood: 2,
  /** The words fit no fixture for certain, or several: the candidates are listed. */
  unclear: 3,
  /** No server, no slate yet, or a limit is used up: later it may work. */
  unavailable: 4,
  /** The key is not live, or its tier may not. */
  forbidden: 5,
} as const;

export type ExitReason = keyof typeof EXIT_STATUSES;

/** A command that ends without an answer. The message is for whoever typed it, and says what to do. */
export class CommandFailure extends Error {
  readonly exitStatus: number;

  constructor(reason: ExitReason, message: string, fix: string | null = null) {
    super(fix === null ? message : `${message}. ${fix}`);
    this.name = 'CommandFailure';
    this.exitStatus = EXIT_STATUSES[reason];
  }
}
