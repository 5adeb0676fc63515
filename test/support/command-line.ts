import { runCommandLine } from '../../src/cli/run.ts';
import { type Clock, systemClock } from '../../src/clock.ts';

interface CommandRun {
  readonly code: number;
  /** The lines of standard output, of standard error, and of both in order. */
  readonly output: readonly string[];
  readonly errors: readonly string[];
  readonly lines: readonly string[];
}

/** Runs `overround <words>` in this process. */
export async function runCommand(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  clock: Clock = systemClock,
): Promise<CommandRun> {
  const [output, errors, lines]: [string[], string[], string[]] = [[], [], []];
  const writeTo = (own: string[]) => (line: string) => {
    own.push(line);
    lines.push(line);
  };
  const code = await runCommandLine(words, {
    environment,
    clock,
    writeOutput: writeTo(output),
    writeError: writeTo(errors),
  });
  return { code, output, errors, lines };
}
