// The type of an `overround` command, and the parsing of its arguments: flags by parseArgs of node:util. An
// unknown flag is refused with the name of the nearest known one. `--help` is made from the same description.

import { parseArgs } from 'node:util';
import type { Clock } from '../clock.ts';
import { messageOf } from '../errors.ts';
import { nearestWord } from '../nearest-word.ts';
import type { Environment } from '../settings/setting-reader.ts';

export interface Flag {
  /** Name of its value in the help; absent for a flag without a value. */
  readonly value?: string;
  readonly help: string;
  readonly isRequired?: boolean;
  /**
   * If this flag is used twice, the second use counts as a use of the flag named here. Without a name, a
   * second use is refused.
   */
  readonly secondIs?: string;
}

/** What every command gets besides its arguments. */
export interface CommandContext {
  readonly environment: Environment;
  readonly clock: Clock;
  readonly writeOutput: (line: string) => void;
  readonly writeError: (line: string) => void;
}

export interface CommandInput extends CommandContext {
  /**
   * Values by the names of `arguments`. An optional argument that was left out is absent. The values of
   * `name...` are joined by newlines.
   */
  readonly arguments: Readonly<Record<string, string>>;
  /** Values of flags; the text `true` for a flag without a value. */
  readonly flags: Readonly<Record<string, string>>;
}

export interface Command {
  /** The words after `overround`, such as `keys create`. */
  readonly name: string;
  readonly summary: string;
  /**
   * Names of positional arguments, in order. `[name]` is optional. The last may be `name...` (one or more) or
   * `[name...]` (any number).
   */
  readonly arguments?: readonly string[];
  readonly flags?: Readonly<Record<string, Flag>>;
  /** Examples in its help: the words after `overround`. */
  readonly examples?: readonly string[];
  /** @returns the exit code. @throws Error whose message is for the operator */
  run(input: CommandInput): Promise<number>;
}

/** The command line could not be understood. */
export class UsageError extends Error {}

/** Flags that override a setting, for commands that read settings. */
export const SETTING_FLAGS = {
  port: { value: 'number', help: 'overrides PORT; 0 takes any free port' },
  host: { value: 'address', help: 'overrides HOST' },
  feed: { value: 'source', help: 'overrides FEED' },
  'data-dir': { value: 'folder', help: 'overrides DATA_DIR' },
} as const satisfies Record<string, Flag>;
export const FOLDER_FLAG = { 'data-dir': SETTING_FLAGS['data-dir'] };

/** The environment, with the settings that flags override. */
export function settingsOf({ environment, flags }: CommandInput): Environment {
  const named = Object.keys(SETTING_FLAGS).flatMap((name) => {
    const value = flags[name];
    return value === undefined ? [] : [[name.toUpperCase().replace('-', '_'), value] as const];
  });
  return { ...environment, ...Object.fromEntries(named) };
}

/**
 * A word such as `-0.75` is a number and not a flag. NUMBER_MARK before the word hides the minus from
 * parseArgs.
 */
const NUMBER = /^-\d/;
const NUMBER_MARK = '\0';

function unmarked(word: string): string {
  return word.startsWith(NUMBER_MARK) ? word.slice(NUMBER_MARK.length) : word;
}

/** Parses the words after the command's name. @throws UsageError */
export function readArguments(
  command: Command,
  words: readonly string[],
): Pick<CommandInput, 'arguments' | 'flags'> {
  const known = command.flags ?? {};
  const options = Object.fromEntries(
    Object.entries(known).map(([name, flag]) => [
      name,
      { type: flag.value === undefined ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  const seen = new Set<string>();
  const args = secondFlagsNamed(words, known).map((word) => (NUMBER.test(word) ? NUMBER_MARK + word : word));
  const { tokens } = parseArgs({ args, options, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    if (known[token.name] === undefined) throw unknownFlag(token.rawName, Object.keys(known));
    if (seen.has(token.name)) throw new UsageError(`Cannot use ${token.rawName}: it is given twice`);
    seen.add(token.name);
  }
  const { values, positionals } = parseStrictly({ args, options });
  const flags = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, unmarked(String(value))]),
  );
  for (const [name, flag] of Object.entries(known)) {
    if (flag.isRequired === true && flags[name] === undefined) {
      throw new UsageError(`Cannot continue: --${name} <${flag.value}> is missing`);
    }
  }
  return { arguments: namedArguments(command, positionals.map(unmarked)), flags };
}

/** The words, with each second use of a flag replaced by the flag that it stands for. */
function secondFlagsNamed(
  words: readonly string[],
  known: Readonly<Record<string, Flag>>,
): readonly string[] {
  const used = new Set<string>();
  return words.map((word) => {
    const [flag] = word.split('=', 1) as [string];
    const { secondIs } = known[flag.replace(/^--/, '')] ?? {};
    if (secondIs === undefined || !flag.startsWith('--')) return word;
    if (used.has(flag)) return `--${secondIs}${word.slice(flag.length)}`;
    used.add(flag);
    return word;
  });
}

/** The lines of one command's `--help`. */
export function helpOf(command: Command): string {
  const flags = Object.entries(command.flags ?? {});
  const rows = flags.map(([name, flag]) => [flagText(name, flag), flag.help] as const);
  const listed = rows.length === 0 ? '' : `\n\nFlags:\n${columns(rows)}`;
  const examples = (command.examples ?? []).map((example) => `\n  overround ${example}`);
  const shown = examples.length === 0 ? '' : `\n\nExamples:${examples.join('')}`;
  return `${command.summary}.\n\nUsage: ${usageOf(command)}${listed}${shown}`;
}

/** For example `overround keys create --tier <tier> [--label <text>]`. */
export function usageOf({ name, arguments: names = [], flags = {} }: Command): string {
  const positionals = names.map((argument) => (argument.startsWith('[') ? argument : `<${argument}>`));
  const options = Object.entries(flags).map(([flag, about]) =>
    about.isRequired === true ? flagText(flag, about) : `[${flagText(flag, about)}]`,
  );
  return ['overround', name, ...positionals, ...options].join(' ');
}

/** Two indented columns of text. */
export function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}

function flagText(name: string, { value }: Flag): string {
  return value === undefined ? `--${name}` : `--${name} <${value}>`;
}

function unknownFlag(given: string, known: readonly string[]): UsageError {
  const nearest = nearestWord(given.replace(/^-+/, ''), known);
  const hint = nearest === null ? 'this command takes no flags' : `the nearest is --${nearest.word}`;
  return new UsageError(`Cannot use ${given}: there is no such flag, ${hint}`);
}

function parseStrictly(config: { args: string[]; options: Record<string, { type: 'boolean' | 'string' }> }): {
  values: Record<string, string | boolean | undefined>;
  positionals: string[];
} {
  try {
    return parseArgs({ ...config, strict: true, allowPositionals: true });
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

function namedArguments(
  { arguments: names = [] }: Pick<Command, 'arguments'>,
  given: readonly string[],
): Record<string, string> {
  const last = names.at(-1);
  if (last !== undefined && /\.\.\.\]?$/.test(last) && given.length >= names.length) {
    const rest = given.slice(names.length - 1).join('\n');
    const named = namedArguments({ arguments: names.slice(0, -1) }, given.slice(0, names.length - 1));
    return { ...named, [last.replace(/^\[|\.\.\.\]?$/g, '')]: rest };
  }
  const extra = given[names.length];
  if (extra !== undefined) throw new UsageError(`Cannot use '${extra}': it is one argument too many`);
  const missing = names.slice(given.length).find((name) => !name.startsWith('['));
  if (missing !== undefined) throw new UsageError(`Cannot continue: <${missing}> is missing`);
  return Object.fromEntries(given.map((value, index) => [names[index]!.replace(/[[\]]/g, ''), value]));
}
