// `overround completion`: prints a shell script, made from the commands, that completes their words and
// flags.

import { type Command, UsageError } from './command.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** What may be typed after some words of the command line. */
interface Place {
  /** The words typed before the one to complete, such as `keys create`; empty for the first word. */
  readonly after: string;
  readonly choices: readonly { readonly word: string; readonly about: string }[];
}

/** @param commands all commands, including this one */
export function completionCommand(commands: () => readonly Command[]): Command {
  return {
    name: 'completion',
    summary: `Prints a script that completes commands and flags, for ${SHELLS.join(', ')}`,
    arguments: ['shell'],
    run: async ({ arguments: { shell }, writeOutput }) => {
      const known = SHELLS.find((name) => name === shell);
      if (known === undefined) {
        throw new UsageError(`Cannot complete in '${shell}': allowed is ${SHELLS.join(', ')}`);
      }
      writeOutput(scriptOf(known, placesOf(commands())));
      return 0;
    },
  };
}

function placesOf(commands: readonly Command[]): Place[] {
  const places = new Map<string, Map<string, string>>();
  function offer(after: string, word: string, about: string): void {
    const choices = places.get(after) ?? new Map<string, string>();
    places.set(after, choices.set(word, choices.get(word) ?? about));
  }
  for (const { name, summary, flags = {} } of commands) {
    const [first = '', second] = name.split(' ');
    const siblings = commands.filter((other) => other.name.startsWith(`${first} `));
    offer(
      '',
      first,
      second === undefined ? summary : siblings.map((one) => one.name.split(' ')[1]).join(', '),
    );
    if (second !== undefined) offer(first, second, summary);
    for (const [flag, { help }] of Object.entries(flags)) offer(name, `--${flag}`, help);
    offer(name, '--help', 'what it does and takes');
    if (name === 'completion') for (const shell of SHELLS) offer(name, shell, `for ${shell}`);
  }
  return [...places].map(([after, choices]) => ({
    after,
    choices: [...choices].map(([word, about]) => ({ word, about })),
  }));
}

function scriptOf(shell: Shell, places: readonly Place[]): string {
  if (shell === 'bash') return bashScript(places);
  return shell === 'zsh' ? zshScript(places) : fishScript(places);
}

/** File names are offered where no word fits, because most arguments are files. */
function bashScript(places: readonly Place[]): string {
  return `# overround completion bash > /etc/bash_completion.d/overround
_overround() {
  local words="\${COMP_WORDS[*]:1:COMP_CWORD-1}" choices=""
  case "$words" in
${byLength(places)
  .map(
    ({ after, choices }) =>
      `    ${pattern(after)}) choices="${choices.map(({ word }) => word).join(' ')}" ;;`,
  )
  .join('\n')}
  esac
  COMPREPLY=($(compgen -W "$choices" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _overround overround`;
}

function zshScript(places: readonly Place[]): string {
  const described = ({ word, about }: Place['choices'][number]) =>
    quoted(`${word}:${about.replaceAll(':', '\\:')}`);
  return `#compdef overround
# overround completion zsh > "\${fpath[1]}/_overround"
_overround() {
  local -a choices
  case "\${words[2,CURRENT-1]}" in
${byLength(places)
  .map(({ after, choices }) => `    ${pattern(after)}) choices=(${choices.map(described).join(' ')}) ;;`)
  .join('\n')}
  esac
  _describe overround choices || _files
}
compdef _overround overround`;
}

function fishScript(places: readonly Place[]): string {
  const lines = places.flatMap(({ after, choices }) => {
    const words = after.split(' ').filter(Boolean);
    const isHere = `__overround_after ${words.join(' ')}`.trim();
    return choices.map(({ word, about }) => {
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`;
      return `complete -c overround -n '${isHere}' ${what} -d ${quoted(about)}`;
    });
  });
  return `# overround completion fish > ~/.config/fish/completions/overround.fish
function __overround_after
  set -l words (commandline -opc)
  set -e words[1]
  if test (count $argv) -eq 0
    test (count $words) -eq 0
    return
  end
  test "$words[1..$(count $argv)]" = "$argv"
end
${lines.join('\n')}`;
}

/** Longer patterns come first, because `keys` also matches what `keys create` matches. */
function byLength(places: readonly Place[]): Place[] {
  return places.toSorted((a, b) => b.after.length - a.after.length);
}

/**
 * A pattern of the shell's case statement: the whole command, optionally followed by flags and arguments. A
 * prefix of a command does not match.
 */
function pattern(after: string): string {
  return after === '' ? '""' : `"${after}"|"${after} "*`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
