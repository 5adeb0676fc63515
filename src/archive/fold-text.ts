// Text without case and accents, for substring search: stored names are folded, and so is what is searched for. The name
// resolver (names/) folds differently: it writes every script in ASCII, drops what names do not need, and changes as the
// resolver learns. This folding keeps all letters and must not change while rows folded by it are on file.

/** Letters that Unicode does not take apart into a base letter and a mark. */
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

/** Lower case without marks; letters of every script stay letters. */
export function foldText(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(LETTER, (letter) => LETTERS[letter]!);
}
