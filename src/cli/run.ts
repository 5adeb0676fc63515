// The command line: finds the command named by the first words, parses the rest and runs it. To add a
// command, write its file and list it here.

import { messageOf, ServiceError, ValidationError } from '../errors.ts';
import { nearestWord } from '../nearest-word.ts';
import { CommandFailure } from '../terminal/failure.ts';
import { VERSION } from '../version.ts';
import {
  type Command,
  type CommandContext,
  columns,
  helpOf,
  readArguments,
  UsageError,
  usageOf,
} from './command.ts';
import { backtestCommand } from './commands/backtest.ts';
import { benchCommand } from './commands/bench.ts';
import { eventCommands } from './commands/events.ts';
import { feedCommands } from './commands/feed.ts';
import { historyCommands } from './commands/history.ts';
import { mcpCommand } from './commands/mcp.ts';
import { mirrorCommand } from './commands/mirror.ts';
import { oddsCommand } from './commands/odds.ts';
import { accountsCommands } from './commands/operator/accounts.ts';
import { backupCommands } from './commands/operator/backup.ts';
import { configCommand } from './commands/operator/config.ts';
import { doctorCommand, readyCommand } from './commands/operator/doctor.ts';
import { keysCommands } from './commands/operator/keys.ts';
import { migrateCommand } from './commands/operator/migrate.ts';
import { startCommand } from './commands/operator/start.ts';
import { queryCommand } from './commands/query.ts';
import { signalRecordCommand } from './commands/signal-record.ts';
import { signalCommands } from './commands/signals.ts';
import { versionCommand } from './commands/version.ts';
import { watchCommand } from './commands/watch.ts';
import { completionCommand } from './completion.ts';

const COMMANDS: readonly Command[] = [
  startCommand,
  ...eventCommands,
  queryCommand,
  oddsCommand,
  watchCommand,
  ...signalCommands,
  signalRecordCommand,
  backtestCommand,
  mirrorCommand,
  doctorCommand,
  readyCommand,
  configCommand,
  ...backupCommands,
  ...feedCommands,
  ...historyCommands,
  ...keysCommands,
  ...accountsCommands,
  migrateCommand,
  mcpCommand,
  benchCommand,
  completionCommand(() => COMMANDS),
  versionCommand,
];

/**
 * Runs one command. @returns the exit code: 0 success, 1 failure, 2 not understood; commands that call a
 * server have more (docs/reference/cli.md)
 */
export async function runCommandLine(words: readonly string[], context: CommandContext): Promise<number> {
  if (words[0] === '--version') {
    context.writeOutput(VERSION);
    return 0;
  }
  if (words[0] === 'help') return runCommandLine([...words.slice(1), '--help'], context);
  const command = COMMANDS.find(({ name }) => startsWith(words, name));
  const rest = words.slice(command?.name.split(' ').length ?? 0);
  const isHelpWord = rest[0] === 'help' || (command === undefined && words[1] === 'help');
  if (isHelpWord || rest.includes('--help') || rest.includes('-h')) {
    context.writeOutput(command === undefined ? overview(words[0]) : helpOf(command));
    return 0;
  }
  try {
    if (command === undefined) throw notACommand(words);
    return await command.run({ ...context, ...readArguments(command, rest) });
  } catch (error) {
    context.writeError(textOf(error));
    if (error instanceof CommandFailure) return error.exitStatus;
    if (!(error instanceof UsageError)) return 1;
    context.writeError(command === undefined ? overview(words[0]) : `Usage: ${usageOf(command)}`);
    return 2;
  }
}

function startsWith(words: readonly string[], name: string): boolean {
  return name.split(' ').every((word, index) => words[index] === word);
}

function notACommand(words: readonly string[]): UsageError {
  const [first, second] = words;
  if (first === undefined) return new UsageError('Cannot continue: no command is given');
  const names = COMMANDS.map(({ name }) => name);
  const own = names.filter((name) => name.startsWith(`${first} `));
  if (own.length > 0 && (second === undefined || second.startsWith('-'))) {
    return new UsageError(`Cannot run '${first}': it takes a second word, as in '${own.join("', '")}'`);
  }
  // Either the first word or the first two may be a mistyped command: `strat now`, `kyes list`.
  const pair = second === undefined || second.startsWith('-') ? first : `${first} ${second}`;
  const known = new Set([...names, ...names.map((name) => name.split(' ')[0]!)]);
  const asOne = nearestWord(first, known)!;
  const asTwo = nearestWord(pair, own.length > 0 ? own : names)!;
  const [given, nearest] = asTwo.edits <= asOne.edits || own.length > 0 ? [pair, asTwo] : [first, asOne];
  return new UsageError(`Cannot run '${given}': there is no such command, the nearest is '${nearest.word}'`);
}

/** All commands, or those of one group such as `keys`. */
function overview(group: string | undefined): string {
  const own = COMMANDS.filter(({ name }) => name.startsWith(`${group} `));
  const rows = (own.length === 0 ? COMMANDS : own).map(({ name, summary }) => [name, summary] as const);
  return `Usage: overround <command> [--help]\n\nCommands:\n${columns(rows)}`;
}

function textOf(error: unknown): string {
  if (error instanceof ServiceError) {
    return error.fix === null ? error.message : `${error.message}. ${error.fix}`;
  }
  if (error instanceof ValidationError) return error.detail.map((item) => item.msg).join('; ');
  return messageOf(error);
}
