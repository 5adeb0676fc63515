// Lines of a byte stream, one after the other, each bounded: a file of any size is read in constant memory.

/** A line longer than the bound, handed on in its place so that the reader can count it. */
export const LINE_TOO_LONG = Symbol('line too long');

/** Yields every non-empty line of `stream` without its line break. */
export async function* linesOf(
  stream: ReadableStream<Uint8Array>,
  lineCharsMax: number,
): AsyncGenerator<string | typeof LINE_TOO_LONG> {
  const decoder = new TextDecoder();
  let rest = '';
  let skipping = false;
  for await (const chunk of stream) {
    rest += decoder.decode(chunk, { stream: true });
    let start = 0;
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n', start)) {
      if (skipping) skipping = false;
      else if (end - start > lineCharsMax) yield LINE_TOO_LONG;
      else if (end > start) yield rest.slice(start, end);
      start = end + 1;
    }
    rest = rest.slice(start);
    if (rest.length > lineCharsMax) {
      if (!skipping) yield LINE_TOO_LONG;
      skipping = true;
      rest = '';
    }
  }
  if (!skipping && rest.trim() !== '') yield rest;
}
