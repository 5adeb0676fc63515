import { runCommandLine } from '../../src/cli/run.ts';
import { type Clock, systemClock } from '../../src/clock.ts';

interface CommandRun {
  readonly code: number;
  readonly output: readonly string[];
  readonly errors: readonly string[];
  /** The lines of standard output and of standard error together, in the order in which they were written. */
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
