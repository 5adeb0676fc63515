// Text without case and accents, for substring search: what is stored folded is searched folded. Not the folding of
// query/resolve: that one writes every script in ASCII, cuts and drops what names do not need, and changes whenever the
// resolver learns; this one keeps all letters and may not change while rows folded by it are kept.

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
