// What is said of hits that were left out as implausible: most often a wrong price, not a gift.

export function droppedText(count: number, what: 'edge' | 'margin'): string | null {
  if (count === 0) return null;
  const hits = count === 1 ? `1 implausibly large ${what} was` : `${count} implausibly large ${what}s were`;
  return `${hits} left out; most often such a price is an error.`;
}
