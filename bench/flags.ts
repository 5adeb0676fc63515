// The command line of benchmarks that are separate programs: a few flags, and for some a name that selects
// cases.

import { parseArgs } from 'node:util';

/** A benchmark that is run as a program. */
interface BenchProgram {
  /** The command line that starts the program. */
  readonly command: string;
  /** What the program measures and how long that takes. */
  readonly about: string;
  /** What the name in the arguments selects, if the program takes a name. */
  readonly named?: string;
  /** Whether the program can write a page under docs/. */
  readonly canWrite?: boolean;
}

interface BenchFlags {
  readonly isQuick: boolean;
  readonly isWritten: boolean;
  /** The name from the arguments; empty if everything is selected. */
  readonly only: string;
}

/**
 * Reads the arguments of a program. @returns the help text if it was requested @throws Error for an unknown
 * argument
 */
export function readFlags(program: BenchProgram, args: readonly string[]): BenchFlags | string {
  const { named, canWrite = false } = program;
  const flag = { type: 'boolean', default: false } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: named !== undefined,
    options: { help: { ...flag, short: 'h' }, quick: flag, write: flag },
  });
  if (values.help) return helpOf(program);
  if (values.write && !canWrite) throw new Error('Cannot use --write: this program writes no page');
  if (positionals.length > 1) throw new Error('Cannot bench more than one name at a time');
  if (values.write && positionals.length > 0) {
    throw new Error('Cannot write one case: the page shows all of them. Leave out the name, or --write');
  }
  return { isQuick: values.quick, isWritten: values.write, only: positionals[0] ?? '' };
}

/**
 * The flags of this process. A request for help, or an unknown argument, ends the process before anything is
 * measured.
 */
export function flagsOf(program: BenchProgram): BenchFlags {
  try {
    const flags = readFlags(program, process.argv.slice(2));
    if (typeof flags !== 'string') return flags;
    console.log(flags);
    process.exit(0);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${usageOf(program)}`);
    process.exit(1);
  }
}

function usageOf({ command, named, canWrite }: BenchProgram): string {
  const words = [named === undefined ? '' : ' [name]', ' [--quick]', canWrite === true ? ' [--write]' : ''];
  return `Usage: ${command}${words.join('')}`;
}

function helpOf(program: BenchProgram): string {
  const { about, named, canWrite } = program;
  const lines = [about, '', usageOf(program), ''];
  if (named !== undefined) lines.push(`  name      ${named}`);
  lines.push('  --quick   fewer rounds, for rough figures');
  if (canWrite === true) lines.push('  --write   keeps the results under docs/');
  return lines.join('\n');
}
