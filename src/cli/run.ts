// The command line: finds the command that the first words name, reads the rest and runs it. To add a command, write its
// file and list it here.

import { ServiceError, ValidationError } from '../errors.ts';
import { nearestWord } from '../nearest-word.ts';
import { benchCommand } from './bench.ts';
import {
  type Command,
  type CommandContext,
  columns,
  helpOf,
  readArguments,
  UsageError,
  usageOf,
} from './command.ts';
import { feedCommands } from './feed.ts';
import { keysCommands } from './keys.ts';
import { mcpCommand } from './mcp.ts';
import { startCommand } from './start.ts';

const COMMANDS: readonly Command[] = [
  startCommand,
  ...feedCommands,
  ...keysCommands,
  mcpCommand,
  benchCommand,
];

/** Runs one command. @returns the exit code: 0 done, 1 it failed, 2 it was not understood */
export async function runCommandLine(words: readonly string[], context: CommandContext): Promise<number> {
  const command = COMMANDS.find(({ name }) => startsWith(words, name));
  const rest = words.slice(command?.name.split(' ').length ?? 0);
  if (rest.includes('--help') || rest.includes('-h') || rest[0] === 'help') {
    context.writeOutput(command === undefined ? overview(words[0]) : helpOf(command));
    return 0;
  }
  try {
    if (command === undefined) throw notACommand(words);
    return await command.run({ ...context, ...readArguments(command, rest) });
  } catch (error) {
    context.writeError(messageOf(error));
    if (!(error instanceof UsageError)) return 1;
    context.writeError(command === undefined ? overview(words[0]) : `Usage: ${usageOf(command)}`);
    return 2;
  }
}

function startsWith(words: readonly string[], name: string): boolean {
  return name.split(' ').every((word, index) => words[index] === word);
}

function notACommand(words: readonly string[]): UsageError {
  if (words.length === 0) return new UsageError('Cannot go on: no command is given');
  const isGroup = COMMANDS.some(({ name }) => name.startsWith(`${words[0]} `));
  const given = words.slice(0, isGroup ? 2 : 1).join(' ');
  const nearest = nearestWord(
    given,
    COMMANDS.map(({ name }) => name),
  );
  return new UsageError(`Cannot run '${given}': there is no such command, the nearest is '${nearest?.word}'`);
}

/** All commands, or those of one group such as `keys`. */
function overview(group: string | undefined): string {
  const own = COMMANDS.filter(({ name }) => name.startsWith(`${group} `));
  const rows = (own.length === 0 ? COMMANDS : own).map(({ name, summary }) => [name, summary] as const);
  return `Usage: overround <command> [--help]\n\nCommands:\n${columns(rows)}`;
}

function messageOf(error: unknown): string {
  if (error instanceof ServiceError) {
    return error.fix === null ? error.message : `${error.message}. ${error.fix}`;
  }
  if (error instanceof ValidationError) return error.detail.map((item) => item.msg).join('; ');
  return error instanceof Error ? error.message : String(error);
}
