// Pagination: cursor and limit of list requests, and the envelope of their answers.

import { type TSchema, Type } from '@sinclair/typebox';
import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX } from '../limits.ts';
import { exact, nullable, optional, withDefault } from './schema.ts';

/** Characters of a cursor; a real one is far shorter. Longer: 422. */
const CURSOR_CHARS_MAX = 512;

export const LimitParameter = withDefault(
  Type.Integer({ minimum: 1, maximum: LIST_LIMIT_MAX, description: 'Page size.', examples: [50] }),
  LIST_LIMIT_DEFAULT,
);

export const CursorParameter = optional(
  Type.String({
    maxLength: CURSOR_CHARS_MAX,
    description:
      '`page.next_cursor` of the previous page. Opaque; it names a position, so a page never skips or repeats an entity because another came or went.',
  }),
);

export const Page = exact(
  {
    next_cursor: nullable(Type.String(), { description: 'Cursor of the next page; null on the last one.' }),
    limit: Type.Integer({ minimum: 1, maximum: LIST_LIMIT_MAX, description: 'Page size of this answer.' }),
  },
  { title: 'Page' },
);

/** One page of a list: `{data, page}`. */
export function pageOf<Element extends TSchema>(element: Element, title: string) {
  return exact({ data: Type.Array(element), page: Page }, { title });
}

/** A fixed list: `{data}` alone. */
export function dataOf<Element extends TSchema>(element: Element, title: string) {
  return exact({ data: Type.Array(element) }, { title });
}
