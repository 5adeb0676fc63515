// Reads the lines of a byte stream, each bounded, so a file of any size is read in constant memory.

/** Stands for a line that is too long or not UTF-8, so that the reader can count it. */
export const UNREADABLE_LINE = Symbol('unreadable line');
export type Line = string | typeof UNREADABLE_LINE;

const LINE_BREAK = 10;
/** Most bytes of one UTF-16 unit in UTF-8. */
const UNIT_BYTES_MAX = 3;
/** Text that is not UTF-8 is refused, because with replacement characters, two names could become one. */
const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const BYTE_ORDER_MARK = '\ufeff';

/**
 * The lines of `stream` without their line breaks. Each step yields all lines that one chunk of the stream
 * completes; a blank line is ''.
 * @param isWhole decides whether a last line without a line break is complete, or truncated and therefore
 * dropped
 */
export async function* linesOf(
  stream: AsyncIterable<Uint8Array>,
  lineCharsMax: number,
  isWhole: (last: Line) => boolean = () => true,
): AsyncGenerator<Line[]> {
  /** Parts of the unfinished line. */
  let rest: Uint8Array[] = [];
  let restBytes = 0;
  let isSkipping = false;
  let isFirst = true;
  for await (const chunk of stream) {
    const lines: Line[] = [];
    let start = 0;
    if (isSkipping) {
      start = chunk.indexOf(LINE_BREAK) + 1;
      if (start === 0) continue;
      isSkipping = false;
    }
    if (restBytes > 0 && chunk.includes(LINE_BREAK, start)) {
      // Only the end of the unfinished line is joined to its parts, so that the whole chunk is not copied.
      const end = chunk.indexOf(LINE_BREAK, start);
      lines.push(...linesIn(Buffer.concat([...rest, chunk.subarray(start, end)]), lineCharsMax));
      rest = [];
      restBytes = 0;
      start = end + 1;
    }
    const end = chunk.lastIndexOf(LINE_BREAK) + 1;
    if (end > start) {
      for (const line of linesIn(chunk.subarray(start, end - 1), lineCharsMax)) lines.push(line);
      start = end;
    }
    if (start < chunk.length) {
      // A copy, because the sender of the chunk may write to it again.
      rest.push(chunk.slice(start));
      restBytes += chunk.length - start;
    }
    if (restBytes > UNIT_BYTES_MAX * lineCharsMax) {
      lines.push(UNREADABLE_LINE);
      isSkipping = true;
      rest = [];
      restBytes = 0;
    }
    if (lines.length === 0) continue;
    if (isFirst) lines[0] = withoutMark(lines[0]!);
    isFirst = false;
    yield lines;
  }
  // The last line is too long and was already yielded as unreadable. This call only reports that its line
  // break is missing.
  if (isSkipping) isWhole(UNREADABLE_LINE);
  if (restBytes === 0) return;
  const lines = linesIn(Buffer.concat(rest), lineCharsMax);
  if (isFirst) lines[0] = withoutMark(lines[0]!);
  if (lines[0] !== '' && isWhole(lines[0]!)) yield lines;
}

/** The lines of `bytes`, which end without a line break. */
function linesIn(bytes: Uint8Array, charsMax: number): Line[] {
  const text = textOf(bytes);
  if (text !== null) return text.split('\n').map((line) => bounded(line, charsMax));
  // At least one line is not UTF-8, so each is decoded separately.
  const lines: Line[] = [];
  for (let start = 0; start <= bytes.length; ) {
    const found = bytes.indexOf(LINE_BREAK, start);
    const end = found < 0 ? bytes.length : found;
    lines.push(bounded(textOf(bytes.subarray(start, end)), charsMax));
    start = end + 1;
  }
  return lines;
}

/** Null for bytes that are not UTF-8. */
function textOf(bytes: Uint8Array): string | null {
  try {
    return DECODER.decode(bytes);
  } catch {
    return null; // the reader gets it as an unreadable line
  }
}

function bounded(line: string | null, charsMax: number): Line {
  if (line === null || line.length > charsMax) return UNREADABLE_LINE;
  return isBlank(line) ? '' : line;
}

/** Some programs begin a file with a byte order mark. */
function withoutMark(line: Line): Line {
  return typeof line === 'string' && line.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line;
}

/** Whether the text has only spaces, tabs and the first half of a Windows line break. */
function isBlank(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code !== 32 && code !== 9 && code !== 13) return false;
  }
  return true;
}
