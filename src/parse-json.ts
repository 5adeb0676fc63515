// Reads JSON that a stranger may have sent: answers of other servers up to a size, and texts up to a depth
// and a number of fields. JavaScriptCore takes thirty times as long for 64 KB of opening brackets, or of
// small objects whose fields all have different names, as for a flat list of that size. So a few bodies a
// second would keep a thread busy. Both are found by a scan of the text, which costs less than parsing it.

/**
 * Maximum levels of nesting. A deeper text is refused like one that is not JSON. No message needs more than
 * ten.
 */
export const JSON_DEPTH_MAX = 64;

/**
 * Maximum number of fields of all objects in a text together. A text with more is refused in the same way.
 * Even a long list of ids has few fields.
 */
export const JSON_FIELDS_MAX = 512;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPENING = [0x5b, 0x7b];
const CLOSING = [0x5d, 0x7d];

/**
 * The value of a JSON text. @throws SyntaxError when it is not JSON, is nested too deeply, or has too many
 * fields
 */
export function parseJson(text: string): unknown {
  requireSimple(text);
  return JSON.parse(text);
}

/**
 * The value of a JSON text of any depth and any number of fields; undefined when it is not JSON, for a caller
 * that counts or refuses it.
 */
export function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // no JSON text has this value
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The body of an answer as text. @param tooLarge makes the error for a body of more than `bytesMax` */
export async function boundedText(
  response: Response,
  bytesMax: number,
  tooLarge: (bytesMax: number) => Error,
): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let byteCount = 0;
  for await (const chunk of response.body ?? []) {
    byteCount += chunk.byteLength;
    if (byteCount > bytesMax) throw tooLarge(bytesMax); // leaving the loop cancels the stream
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** @throws SyntaxError */
function requireSimple(text: string): void {
  let depth = 0;
  let fieldCount = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) isInString = !isInString;
    else if (isInString) index += code === BACKSLASH ? 1 : 0;
    else if (code === COLON) fieldCount += 1;
    else if (OPENING.includes(code)) depth += 1;
    else if (CLOSING.includes(code)) depth -= 1;
    if (depth > JSON_DEPTH_MAX) throw new SyntaxError('Cannot parse JSON: it is nested too deeply');
    if (fieldCount > JSON_FIELDS_MAX) throw new SyntaxError('Cannot parse JSON: it has too many fields');
  }
}
