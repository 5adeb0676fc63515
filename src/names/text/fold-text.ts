// Folding: text of any script becomes lower-case a-z, 0-9 and the few marks that name parsing reads. Names of
// one club come in many alphabets and spellings; after folding they differ only in words.

import anyAscii from 'any-ascii';
import { bareLetters, withLatinNames } from './native-names.ts';

/**
 * Letters whose transliteration matters for names of clubs: those that NFKD does not decompose, and Cyrillic
 * and Greek in the form of sports pages. All other scripts use any-ascii.
 */
const LETTERS: Readonly<Record<string, string>> = {
  ʻ: '',
  ʼ: "'",
  '’': "'",
  '‘': "'",
  '´': "'",
  '`': "'",
  '–': ' - ',
  '—': ' - ',
  '−': '-',
  '‐': '-',
  '‑': '-',
  ъ: '',
  ь: '',
  ...Object.fromEntries(
    [
      'ß=ss æ=ae œ=oe ø=o ł=l đ=d ð=d þ=th ı=i ħ=h ŋ=n ə=a',
      'а=a б=b в=v г=g ґ=g д=d е=e є=ye ж=zh з=z и=i і=i к=k л=l м=m н=n о=o п=p р=r с=s т=t у=u ф=f х=kh',
      'ц=ts ч=ch ш=sh щ=shch ы=y э=e ю=yu я=ya ђ=dj ј=j љ=lj њ=nj ћ=c џ=dz',
      'α=a β=v γ=g δ=d ε=e ζ=z η=i θ=th ι=i κ=k λ=l μ=m ν=n ξ=x ο=o π=p ρ=r σ=s ς=s τ=t υ=y φ=f χ=ch ψ=ps',
      'ω=o',
    ].flatMap((line) => line.split(' ').map((pair) => pair.split('='))),
  ),
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: the ASCII range is the point
const NOT_ASCII = /[^\x00-\x7f]/;
/** Letters, digits, punctuation and spaces. */
const SPOKEN = /[\p{L}\p{N}\p{P}\p{Z}]/u;
const INVISIBLE = /\p{Cf}/u;
const NOT_PLAIN = /[^a-z0-9 .'&+/@(),:?!-]/g;

/**
 * Lower-case ASCII of `text`: at most `charsMax` characters before folding and twice as many after it, so
 * that no input makes later steps long. Every other character becomes a space.
 */
export function foldText(text: string, charsMax: number): string {
  let folded = text.length > charsMax ? text.slice(0, charsMax) : text;
  folded = folded.toLowerCase();
  if (NOT_ASCII.test(folded)) {
    folded = withLatinNames(bareLetters(folded, charsMax));
    let latin = '';
    for (const letter of folded) latin += LETTERS[letter] ?? (letter < '\x80' ? letter : latinOf(letter));
    folded = latin.slice(0, 2 * charsMax);
  }
  return folded.replace(NOT_PLAIN, ' ');
}

/**
 * Symbols and emoji are not words (any-ascii would spell a flame "fire"), and direction marks occur inside
 * words.
 */
function latinOf(letter: string): string {
  if (INVISIBLE.test(letter)) return '';
  return SPOKEN.test(letter) ? anyAscii(letter).toLowerCase() : ' ';
}
