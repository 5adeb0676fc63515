// The number of tokens of a text in o200k, the encoding of current models whose tokenizer is public. Other
// encodings differ by some per cent.

import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

export function tokenCount(value: unknown): number {
  return countTokens(typeof value === 'string' ? value : JSON.stringify(value));
}
