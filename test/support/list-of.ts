/** The entries of a text: separated by commas or line breaks, without the space around them. */
export function listOf(text: string): string[] {
  return text.trim().split(/\s*[,\n]\s*/);
}
