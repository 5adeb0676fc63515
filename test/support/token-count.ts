// The cost of a text for a model: tokens of o200k, the encoding of current models whose tokenizer is public.
// Others differ by some per cent.

import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

export function tokenCount(value: unknown): number {
  return countTokens(typeof value === 'string' ? value : JSON.stringify(value));
}
