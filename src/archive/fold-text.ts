// Removes case and accents from text for substring search. Both stored names and search texts are folded. The
// name resolver (names/) folds differently: it transliterates every script to ASCII, drops parts of names
// that don't matter, and changes as the resolver learns. This folding keeps all letters and must not change
// while rows folded by it are stored.

/** Letters that Unicode does not decompose into a base letter and a mark. */
const LETTERS: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  ð: 'd',
  þ: 'th',
};
const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');

/** Lower case without marks. Letters of all scripts are kept. */
export function foldText(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(LETTER, (letter) => LETTERS[letter]!);
}
