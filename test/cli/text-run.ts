import { runCommand } from '../support/command-line.ts';

/** Runs `overround <words>` in this process; what it prints is returned as text, without the last newline. */
export async function runForText(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number; readonly output: string; readonly errors: string }> {
  const { code, output, errors } = await runCommand(words, environment);
  return { code, output: output.join('\n'), errors: errors.join('\n') };
}
