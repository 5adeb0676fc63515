// Which request ids of callers are taken over into headers and logs.

/** Ids are echoed when they are short and plain: letters, digits, dot, underscore and dash. */
export function isSaneRequestId(text: string): boolean {
  if (text.length === 0 || text.length > 64) return false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const isPlain =
      (code >= 48 && code <= 57) ||
      (code >= 65 && code <= 90) ||
      (code >= 97 && code <= 122) ||
      code === 45 ||
      code === 46 ||
      code === 95;
    if (!isPlain) return false;
  }
  return true;
}
