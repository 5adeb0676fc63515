// Finds the known word that is nearest to a mistyped one: for flags, commands and settings.

import { distance } from 'fastest-levenshtein';

/**
 * The known word with the fewest edits to `word`; the first of equals; null when there are no known words.
 */
export function nearestWord(
  word: string,
  known: Iterable<string>,
): { readonly word: string; readonly edits: number } | null {
  let nearest: { word: string; edits: number } | null = null;
  for (const candidate of known) {
    const edits = editsBetween(word, candidate);
    if (nearest === null || edits < nearest.edits) nearest = { word: candidate, edits };
  }
  return nearest;
}

/** Letters inserted, deleted or changed. Two swapped letters count as one edit. */
function editsBetween(left: string, right: string): number {
  const edits = distance(left, right);
  return edits === 2 && lettersOf(left) === lettersOf(right) ? 1 : edits;
}

function lettersOf(word: string): string {
  return [...word].sort().join('');
}
