// Chooses the form of an answer, JSON or MessagePack, plain or compressed, from the caller's Accept and
// Accept-Encoding headers. forms.ts makes the bytes.

import { TextMemory } from '../../domain/texts/text-memory.ts';

/**
 * The paths whose JSON answers are available in several forms. Elsewhere they are sent as plain JSON:
 * compressed answers about accounts could leak the secrets in them.
 */
export const FORMED_PATHS = '/v1/';
export const PACKED_CONTENT_TYPE = 'application/msgpack';
/** Pairs of headers whose form is remembered. */
const REMEMBERED_MAX = 256;
const REMEMBERED_CHARS_MAX = 512;

export type Coding = 'gzip' | 'zstd';

/** One form. Each exists once, so forms are compared by identity. */
export interface Representation {
  /** Whether the form is MessagePack instead of JSON. */
  readonly isPacked: boolean;
  readonly coding: Coding | null;
  /** Whether bodies of every size must be compressed, because the caller refuses uncompressed ones. */
  readonly isAlwaysCoded: boolean;
  /** Distinguishes the form in tags and cache keys; empty for plain JSON. */
  readonly suffix: string;
}

const CODINGS = [null, 'gzip', 'zstd'] as const;
const REPRESENTATIONS = [false, true].flatMap((isPacked) =>
  CODINGS.flatMap((coding) =>
    (coding === null ? [false] : [false, true]).map((isAlwaysCoded): Representation => {
      const words = [isPacked ? 'msgpack' : '', coding ?? '', isAlwaysCoded ? 'always' : ''];
      const suffix = words.map((word) => (word === '' ? '' : `-${word}`)).join('');
      return { isPacked, coding, isAlwaysCoded, suffix };
    }),
  ),
);

/** Uncompressed JSON. */
export const PLAIN = REPRESENTATIONS[0]!;

/**
 * The entity tag of a form. A weak tag is the same for all forms of an answer.
 * @param etag of the plain JSON form, with its quotes
 */
export function tagAs(etag: string, { suffix }: Representation): string {
  return suffix === '' || etag.startsWith('W/') ? etag : `${etag.slice(0, -1)}${suffix}"`;
}

/** Parses the headers that say what a caller accepts. One per server. */
export class Negotiator {
  readonly #remembered = new TextMemory<Representation>(REMEMBERED_MAX, REMEMBERED_CHARS_MAX);
  #lastAccept: string | null = null;
  #lastEncoding: string | null = null;
  #last = PLAIN;

  /**
   * The form for two headers. If they allow no form that we have, the answer is plain JSON, which is more
   * useful than a 406.
   */
  of(accept: string | null, acceptEncoding: string | null): Representation {
    if (accept === null && acceptEncoding === null) return PLAIN;
    if (accept === this.#lastAccept && acceptEncoding === this.#lastEncoding) return this.#last;
    this.#last = this.#find(accept ?? '', acceptEncoding ?? '');
    this.#lastAccept = accept;
    this.#lastEncoding = acceptEncoding;
    return this.#last;
  }

  #find(accept: string, acceptEncoding: string): Representation {
    const text = `${accept}\n${acceptEncoding}`;
    const known = this.#remembered.get(text);
    if (known !== undefined) return known;
    const isPacked = asksForPacked(accept);
    const { coding, isAlwaysCoded } = codingOf(acceptEncoding);
    const found = REPRESENTATIONS.find(
      (one) => one.isPacked === isPacked && one.coding === coding && one.isAlwaysCoded === isAlwaysCoded,
    )!;
    return this.#remembered.put(text, found);
  }
}

/**
 * RFC 9110, 12.5.1: the most specific range decides. MessagePack must be named, because clients that send a
 * wildcard expect JSON.
 */
function asksForPacked(accept: string): boolean {
  const qualities = qualitiesOf(accept);
  const packed = qualities.get(PACKED_CONTENT_TYPE) ?? 0;
  const wildcard = qualities.get('application/*') ?? qualities.get('*/*') ?? 0;
  return packed > 0 && packed >= (qualities.get('application/json') ?? wildcard);
}

/**
 * RFC 9110, 12.5.3. `coding` is null, which is `identity`, when nothing better is accepted. `isAlwaysCoded`
 * is true when `identity` is refused by name or by `*;q=0` and a coding is accepted.
 */
function codingOf(acceptEncoding: string): {
  readonly coding: Coding | null;
  readonly isAlwaysCoded: boolean;
} {
  const qualities = qualitiesOf(acceptEncoding);
  const others = qualities.get('*');
  const identity = qualities.get('identity');
  let best: Coding | null = null;
  let bestQuality = identity ?? 0;
  for (const coding of ['gzip', 'zstd'] as const) {
    const quality = qualities.get(coding) ?? others ?? 0;
    if (quality > 0 && quality >= bestQuality) {
      best = coding;
      bestQuality = quality;
    }
  }
  return { coding: best, isAlwaysCoded: best !== null && (identity ?? others) === 0 };
}

/**
 * The names in a header's list with their weights. A missing weight counts as 1, and one that is not a number
 * as 0.
 */
function qualitiesOf(header: string): ReadonlyMap<string, number> {
  const qualities = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    if (name === '') continue;
    const weight = parameters.find((text) => text.startsWith('q='));
    const quality = weight === undefined ? 1 : Number.parseFloat(weight.slice(2));
    qualities.set(name, quality >= 0 && quality <= 1 ? quality : 0);
  }
  return qualities;
}
