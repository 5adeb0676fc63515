// Lines of a byte stream, each bounded: a file of any size is read in constant memory.

/** A line longer than the bound, handed on in its place so that the reader can count it. */
export const LINE_TOO_LONG = Symbol('line too long');
export type Line = string | typeof LINE_TOO_LONG;

/** The lines of `stream` without their line breaks, as many at once as a chunk of it completes; blank ones are ''. */
export async function* linesOf(
  stream: ReadableStream<Uint8Array>,
  lineCharsMax: number,
): AsyncGenerator<Line[]> {
  const decoder = new TextDecoder();
  let rest = '';
  let skipping = false;
  for await (const chunk of stream) {
    const lines: Line[] = [];
    rest += decoder.decode(chunk, { stream: true });
    let start = 0;
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n', start)) {
      if (skipping) skipping = false;
      else if (end - start > lineCharsMax) lines.push(LINE_TOO_LONG);
      else lines.push(isBlank(rest, start, end) ? '' : rest.slice(start, end));
      start = end + 1;
    }
    rest = rest.slice(start);
    if (rest.length > lineCharsMax) {
      if (!skipping) lines.push(LINE_TOO_LONG);
      skipping = true;
      rest = '';
    }
    if (lines.length > 0) yield lines;
  }
  rest += decoder.decode();
  if (!skipping && !isBlank(rest, 0, rest.length)) yield [rest];
}

/** Whether nothing is in it but spaces, tabs and the first half of a Windows line break. */
function isBlank(text: string, start: number, end: number): boolean {
  for (let index = start; index < end; index++) {
    const code = text.charCodeAt(index);
    if (code !== 32 && code !== 9 && code !== 13) return false;
  }
  return true;
}
