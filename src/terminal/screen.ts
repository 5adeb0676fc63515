// A full-screen view in the terminal. When the command ends, in whatever way, the terminal shows its former
// content again.

import { fitted } from './text.ts';

/** Switches to the alternate screen and hides the cursor, and back. */
const ENTER = '\x1b[?1049h\x1b[?25l';
const LEAVE = '\x1b[?25h\x1b[?1049l';
/**
 * Terminals that support these sequences show everything between them at once, without flicker; others ignore
 * them.
 */
const [FRAME_BEGIN, FRAME_END] = ['\x1b[?2026h', '\x1b[?2026l'];
const HOME = '\x1b[H';
const CLEAR_LINE = '\x1b[K';
const CLEAR_BELOW = '\x1b[J';
const CONTROL_C = '\x03';
const KEYS: Readonly<Record<string, Key>> = {
  q: 'quit',
  Q: 'quit',
  [CONTROL_C]: 'quit',
  '\x04': 'quit',
  '\x1b[A': 'up',
  k: 'up',
  '\x1b[B': 'down',
  j: 'down',
  '\x1b[5~': 'page up',
  '\x1b[6~': 'page down',
  ' ': 'page down',
};

export type Key = 'quit' | 'up' | 'down' | 'page up' | 'page down';

export interface ScreenOptions {
  readonly onKey: (key: Key) => void;
  readonly onResize: () => void;
}

export class Screen {
  readonly #options: ScreenOptions;
  readonly #onData = (data: Buffer) => {
    const text = data.toString();
    // One read may contain several keys, but an escape sequence arrives whole.
    const keys = text.startsWith('\x1b') ? [text] : [...text];
    for (const key of keys) if (KEYS[key] !== undefined) this.#options.onKey(KEYS[key]);
  };
  #isOpen = false;

  constructor(options: ScreenOptions) {
    this.#options = options;
  }

  get height(): number {
    return process.stdout.rows || 24;
  }

  open(): void {
    this.#isOpen = true;
    process.stdout.write(ENTER);
    process.stdout.on('resize', this.#options.onResize);
    // An unexpected exit, such as a failed assertion, also restores the terminal.
    process.on('exit', this.close);
    if (process.stdin.isTTY) {
      process.stdin.setRawMode(true);
      process.stdin.on('data', this.#onData);
      process.stdin.resume();
    }
  }

  /** Draws lines from the top; anything beyond the terminal's width or height is cut off. */
  draw(lines: readonly string[]): void {
    if (!this.#isOpen) return;
    const width = process.stdout.columns || 80;
    const body = lines.slice(0, this.height).map((line) => `${fitted(line, width)}${CLEAR_LINE}`);
    process.stdout.write(`${FRAME_BEGIN}${HOME}${body.join('\r\n')}${CLEAR_BELOW}${FRAME_END}`);
  }

  close = (): void => {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    process.stdout.off('resize', this.#options.onResize);
    process.off('exit', this.close);
    if (process.stdin.isTTY) {
      process.stdin.off('data', this.#onData);
      process.stdin.setRawMode(false);
      process.stdin.pause();
    }
    process.stdout.write(LEAVE);
  };
}
