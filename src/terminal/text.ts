// Text for a terminal: column widths as displayed (a Chinese character takes two cells, an accent none),
// colours if wanted, and no control characters from outside.

import type { Environment } from '../settings/setting-reader.ts';

const STYLES = { bold: '1', dim: '2', red: '31', green: '32', yellow: '33', inverse: '7' } as const;
export type Style = keyof typeof STYLES;

export interface Cell {
  readonly text: string;
  readonly style?: Style | undefined;
}

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /**
   * Whether the column shrinks when the table is wider than the terminal. The rightmost such column shrinks
   * first.
   */
  readonly isFlexible?: boolean;
}

/** The terminal's width and whether to use colours. */
export interface Display {
  /** Null for output of any width: a file or a pipe. */
  readonly width: number | null;
  readonly hasColour: boolean;
}

/** The narrowest width of a flexible column. */
const FLEXIBLE_WIDTH_MIN = 8;
const GAP = '  ';

/**
 * The display of standard output. NO_COLOR, set to anything, and TERM=dumb turn colours off
 * (https://no-color.org).
 */
export function displayOf(environment: Environment): Display {
  const isTerminal = process.stdout.isTTY === true;
  const isPlain = (environment.NO_COLOR ?? '') !== '' || environment.TERM === 'dumb';
  return { width: isTerminal ? process.stdout.columns || 80 : null, hasColour: isTerminal && !isPlain };
}

/** Text from a server, with spaces for control characters and for marks that change the writing direction. */
export function plainText(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ');
}

export function styled(text: string, style: Style | undefined, { hasColour }: Display): string {
  return hasColour && style !== undefined && text !== '' ? `\x1b[${STYLES[style]}m${text}\x1b[0m` : text;
}

/** A table with its head. Cells may contain anything: control characters become spaces here. */
export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  display: Display,
): string[] {
  const cells = rows.map((row) => row.map(({ text, style }) => ({ text: plainText(text), style })));
  const widths = columns.map(({ title }, index) =>
    Math.max(Bun.stringWidth(title), ...cells.map((row) => Bun.stringWidth(row[index]?.text ?? ''))),
  );
  if (display.width !== null) narrow(widths, columns, display.width);
  const head = columns.map(({ title }): Cell => ({ text: title, style: 'dim' }));
  return [head, ...cells].map((row) => {
    const parts = columns.map(({ align }, index) => {
      const { text, style } = row[index] ?? { text: '' };
      const shown = fitted(text, widths[index]!);
      const space = ' '.repeat(widths[index]! - Bun.stringWidth(shown));
      const word = styled(shown, style, display);
      return align === 'right' ? space + word : word + space;
    });
    return parts.join(GAP).trimEnd();
  });
}

/** Cuts a text to a number of cells and ends it with an ellipsis. Style sequences are kept whole. */
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
