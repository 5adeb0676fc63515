/** The entries of a text. They are separated by commas or line breaks, and trimmed. */
export function listOf(text: string): string[] {
  return text.trim().split(/\s*[,\n]\s*/);
}
