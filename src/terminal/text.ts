// Text as a terminal shows it: columns by the width of what is seen (a Chinese character takes two cells, an accent none),
// colours where they are wanted, and nothing in it that a terminal would obey.

import type { Environment } from '../setting-reader.ts';

const STYLES = { bold: '1', dim: '2', red: '31', green: '32', yellow: '33', inverse: '7' } as const;
export type Style = keyof typeof STYLES;

export interface Cell {
  readonly text: string;
  readonly style?: Style | undefined;
}

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Gives way when the table is wider than the terminal, those on the right first. */
  readonly isFlexible?: boolean;
}

/** How wide the terminal is and whether it shows colours. */
export interface Look {
  /** Null where lines may be as long as they are: a file or a pipe. */
  readonly width: number | null;
  readonly hasColour: boolean;
}

/** Narrowest that a flexible column becomes. */
const FLEXIBLE_WIDTH_MIN = 8;
const GAP = '  ';

/** The look of standard output. NO_COLOR, set to anything, and TERM=dumb turn colours off (https://no-color.org). */
export function lookOf(environment: Environment): Look {
  const isTerminal = process.stdout.isTTY === true;
  const isPlain = (environment.NO_COLOR ?? '') !== '' || environment.TERM === 'dumb';
  return { width: isTerminal ? process.stdout.columns || 80 : null, hasColour: isTerminal && !isPlain };
}

/** What comes from a server, without control characters and without marks that turn the direction of writing. */
export function plainText(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ');
}

export function styled(text: string, style: Style | undefined, { hasColour }: Look): string {
  return hasColour && style !== undefined && text !== '' ? `\x1b[${STYLES[style]}m${text}\x1b[0m` : text;
}

/** A table with its head. Cells may hold anything: they are made plain here. */
export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  look: Look,
): string[] {
  const cells = rows.map((row) => row.map(({ text, style }) => ({ text: plainText(text), style })));
  const widths = columns.map(({ title }, index) =>
    Math.max(Bun.stringWidth(title), ...cells.map((row) => Bun.stringWidth(row[index]?.text ?? ''))),
  );
  if (look.width !== null) narrow(widths, columns, look.width);
  const head = columns.map(({ title }): Cell => ({ text: title, style: 'dim' }));
  return [head, ...cells].map((row) => {
    const parts = columns.map(({ align }, index) => {
      const { text, style } = row[index] ?? { text: '' };
      const shown = fitted(text, widths[index]!);
      const space = ' '.repeat(widths[index]! - Bun.stringWidth(shown));
      const word = styled(shown, style, look);
      return align === 'right' ? space + word : word + space;
    });
    return parts.join(GAP).trimEnd();
  });
}

/** Cut to a number of cells, styles kept whole; what is cut ends with an ellipsis. */
export function fitted(text: string, width: number): string {
  return Bun.sliceAnsi(text, 0, width, { ellipsis: '…' });
}

function narrow(widths: number[], columns: readonly Column[], width: number): void {
  let excess = widths.reduce((sum, one) => sum + one, 0) + GAP.length * (widths.length - 1) - width;
  for (const [index, { isFlexible }] of [...columns.entries()].reverse()) {
    if (isFlexible !== true || excess <= 0) continue;
    const less = Math.min(excess, Math.max(0, widths[index]! - FLEXIBLE_WIDTH_MIN));
    widths[index]! -= less;
    excess -= less;
  }
}
