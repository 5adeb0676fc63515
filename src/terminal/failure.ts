// Why a command fails, and its exit status.

/** Exit statuses of the commands that call a server; 0 is success. docs/reference/cli.md lists them. */
export const EXIT_STATUSES = {
  /** The server refused the request, or its answer cannot be used. */
  failed: 1,
  /** The words or flags are invalid, so running the command again cannot succeed. */
  notUnderstood: 2,
  /** No fixture, or several, match the words: the candidates are listed. */
  unclear: 3,
  /** No server, no slate yet, or a limit is used up. Running the command later may succeed. */
  unavailable: 4,
  /** The key is not valid, or its tier does not allow this. */
  forbidden: 5,
} as const;

export type ExitReason = keyof typeof EXIT_STATUSES;

/** A command failed. The message is shown to the user and says what to do. */
export class CommandFailure extends Error {
  readonly exitStatus: number;
  /** What the user can do. The message ends with it. */
  readonly fix: string | null;

  constructor(reason: ExitReason, message: string, fix: string | null = null) {
    super(fix === null ? message : `${message}. ${fix}`);
    this.name = 'CommandFailure';
    this.fix = fix;
    this.exitStatus = EXIT_STATUSES[reason];
  }
}
