// The shell blocks of documents: fenced as `sh`, run as printed unless a marker above them gives a reason
// against it.
//
//   <!-- not run: needs a container engine -->     the shell only checks its grammar
//   <!-- left running: the server of this page --> started in the background until the test ends

const FENCE = /^(?:<!-- (?<marker>[^\n]*) -->\n)?```(?<language>[a-z]*)[^\n]*\n(?<text>[\s\S]*?)^```$/gm;
const MARKER = /^(not run|left running): (\S.{5,})$/;
/**
 * Other names that a block of shell commands or terminal output may have. Here all such blocks must be marked
 * `sh`.
 */
const SHELL_NAMES = ['bash', 'shell', 'console', 'zsh', 'terminal', 'shellsession'];

type HowRun = 'run' | 'not run' | 'left running';

export interface ShellBlock {
  readonly page: string;
  /** The line of the fence, from 1. */
  readonly line: number;
  readonly text: string;
  readonly how: HowRun;
}

/** @throws Error, with page and line, if a block has a wrong marker or another name than `sh` */
export function shellBlocksOf(page: string, markdown: string): ShellBlock[] {
  return [...markdown.matchAll(FENCE)].flatMap((match) => {
    const { marker, language = '', text = '' } = match.groups!;
    const line = markdown.slice(0, match.index).split('\n').length;
    if (SHELL_NAMES.includes(language)) throw new Error(`${page}:${line}: fence it as sh, not ${language}`);
    if (language !== 'sh') return [];
    const [, how = 'run'] = marker === undefined ? [] : (MARKER.exec(marker) ?? [null, null]);
    if (how === null) {
      throw new Error(
        `${page}:${line}: a marker is "not run: <why>" or "left running: <what>", not "${marker}"`,
      );
    }
    return [{ page, line, text, how: how as HowRun }];
  });
}
