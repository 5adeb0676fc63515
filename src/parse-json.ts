// Parses JSON that a stranger may have sent. JavaScriptCore takes thirty times as long for 64 KB of opening
// brackets as for a flat list of that size, so a few bodies a second would keep a thread busy. Deep nesting
// is found by a scan of the text, which costs less than parsing it.

/** Levels of nesting. Deeper: it is refused like a text that is not JSON. No message needs more than ten. */
export const JSON_DEPTH_MAX = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = [0x5b, 0x7b];
const CLOSING = [0x5d, 0x7d];

/** @throws SyntaxError when the text is not JSON, or is nested too deeply */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw new SyntaxError('Cannot parse JSON: it is nested too deeply');
  return JSON.parse(text);
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) isInString = !isInString;
    else if (isInString) index += code === BACKSLASH ? 1 : 0;
    else if (OPENING.includes(code)) depth += 1;
    else if (CLOSING.includes(code)) depth -= 1;
    if (depth > JSON_DEPTH_MAX) return true;
  }
  return false;
}
