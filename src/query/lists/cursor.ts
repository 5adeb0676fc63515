// Opaque list cursors. A cursor holds a position (the sort key of the last entity sent), not an offset, so a
// page neither skips nor repeats an entity when another one is added or removed. It is bound to its list and
// filters and signed, so a cursor of another list, or a changed one, is refused.

import { createHash } from 'node:crypto';
import { ServiceError } from '../../errors.ts';

/** A sort key: compared field by field, numbers and strings ascending. */
export type Position = readonly (string | number)[];

const SIGNATURE_CHARS = 16;

/** @param scope the list and its filters, without limit and cursor. The cursor is valid only for this list */
export function encodeCursor(scope: string, position: Position): string {
  // A fixture without kickoff sorts last, at Infinity. JSON has no Infinity, so it is written as null.
  const text = JSON.stringify(position.map((part) => (part === Number.POSITIVE_INFINITY ? null : part)));
  return encodeSigned(scope, text);
}

/** @throws ServiceError `invalid_request` for a cursor that this list never issued */
export function decodeCursor(scope: string, cursor: string): Position {
  const text = Buffer.from(cursor.slice(SIGNATURE_CHARS), 'base64url').toString();
  const parts = encodeSigned(scope, text) === cursor ? positionParts(text) : null;
  if (parts === null) {
    throw new ServiceError('invalid_request', 'Cannot read cursor: this list never sent it', {
      fix: 'Send page.next_cursor of the previous page unchanged, with the same filters; or drop cursor to start over',
    });
  }
  return parts.map((part) => part ?? Number.POSITIVE_INFINITY);
}

/**
 * The position in a text, or null. A signature proves only that the text was signed. Anyone who has this
 * source can sign, so the content is checked as well.
 */
function positionParts(text: string): (string | number | null)[] | null {
  try {
    const parts: unknown = JSON.parse(text);
    return Array.isArray(parts) && parts.every(isPart) ? parts : null;
  } catch {
    return null; // no JSON
  }
}

function isPart(part: unknown): part is string | number | null {
  return part === null || typeof part === 'string' || typeof part === 'number';
}

/** Order of two positions: negative, zero or positive. */
export function comparePositions(left: Position, right: Position): number {
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const a = left[index]!;
    const b = right[index]!;
    if (a < b) return -1;
    if (a > b) return 1;
  }
  return 0;
}

export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
}
export interface PageOf<Entity> {
  readonly data: Entity[];
  readonly page: { readonly next_cursor: string | null; readonly limit: number };
}

interface PageOptions<Source, Entity> {
  readonly scope: string;
  readonly request: PageRequest;
  readonly position: (entity: Source) => Position;
  readonly render: (entity: Source) => Entity;
}

/** One page of `entities`: those after the cursor's position, in position order. */
export function pageOf<Source, Entity>(
  entities: readonly Source[],
  options: PageOptions<Source, Entity>,
): PageOf<Entity> {
  const { position, render } = options;
  return pageOfSorted(
    (after) => {
      const keyed = entities.map((entity) => ({ entity, key: position(entity) }));
      const rest = after === null ? keyed : keyed.filter(({ key }) => comparePositions(key, after) > 0);
      return rest.sort((left, right) => comparePositions(left.key, right.key));
    },
    { ...options, position: ({ key }) => key, render: ({ entity }) => render(entity) },
  );
}

/**
 * One page of entities that are already stored in position order.
 * @param walk yields the entities after a position, or all for null; the page takes no more of them than it
 * needs
 */
export function pageOfSorted<Source, Entity>(
  walk: (after: Position | null) => Iterable<Source>,
  { scope, request, position, render }: PageOptions<Source, Entity>,
): PageOf<Entity> {
  const after = request.cursor === undefined ? null : decodeCursor(scope, request.cursor);
  const data: Entity[] = [];
  let last: Source | undefined;
  let hasMore = false;
  for (const entity of walk(after)) {
    hasMore = data.length === request.limit;
    if (hasMore) break;
    data.push(render(entity));
    last = entity;
  }
  const nextCursor = hasMore && last !== undefined ? encodeCursor(scope, position(last)) : null;
  return { data, page: { next_cursor: nextCursor, limit: request.limit } };
}

function encodeSigned(scope: string, text: string): string {
  return `${signature(scope, text)}${Buffer.from(text).toString('base64url')}`;
}

function signature(scope: string, text: string): string {
  return createHash('sha256')
    .update(`overround cursor 1\n${scope}\n${text}`)
    .digest('base64url')
    .slice(0, SIGNATURE_CHARS);
}
