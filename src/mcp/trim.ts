// Keeps a tool's answer within what a model can read. Whole elements are cut from the end of the largest
// lists, as long as the answer still satisfies its schema. A note says what was cut and how to ask for less.

import { RESULT_CHARS_MAX } from '../limits.ts';
import { isObject } from '../parse-json.ts';
import type { JsonSchema } from '../tools/kit/tool.ts';

/** Space for the note about a cut, in the text and in a `note` field. */
export const NOTE_CHARS_MAX = 600;
/** Lists named in one note. */
const NOTED_LISTS_MAX = 3;

/** Arguments that select fixtures. They are not suggested if the answer is about one fixture. */
const FIXTURE_ARGUMENTS: readonly string[] = ['status', 'league', 'team', 'date', 'date_to', 'sport'];

/** Arguments that make an answer smaller, in the order in which they are suggested. */
const NARROWING_ARGUMENTS: readonly string[] = [
  'limit',
  'markets',
  'market_type',
  'period',
  'bookmakers',
  'verbosity',
  'only_signal',
  'min_edge_pct',
  'min_margin_pct',
  'top',
  ...FIXTURE_ARGUMENTS,
];

export interface TrimOptions {
  readonly schema: JsonSchema;
  /** The tool's argument names. The note suggests the ones that narrow the answer. */
  readonly argumentNames: readonly string[];
  readonly charsMax?: number;
}

export interface Trimmed {
  readonly value: Readonly<Record<string, unknown>>;
  /** The note about the cut; null when nothing was cut. */
  readonly note: string | null;
  /** False when the answer is too long even with the shortest lists. */
  readonly fits: boolean;
}

/** A list that may lose elements. */
interface List {
  readonly path: string;
  readonly parent: Record<string, unknown>;
  readonly key: string;
  readonly elements: unknown[];
  readonly countMin: number;
  readonly chars: number;
  /** Whether the object that contains the list declares a `note`. */
  readonly mayNote: boolean;
}

/**
 * Cuts lists until the answer's JSON has at most `charsMax` characters; `value` itself stays unchanged. Each
 * round shortens the list with the most characters: first down to one element, and to none only if that is
 * not enough. If the object around a cut list (or the root) has `truncated`, `returned` or `note`, these
 * fields are updated.
 */
export function trimToFit(value: Readonly<Record<string, unknown>>, options: TrimOptions): Trimmed {
  const charsMax = options.charsMax ?? RESULT_CHARS_MAX;
  const text = JSON.stringify(value);
  if (text.length <= charsMax) return { value, note: null, fits: true };

  const copy = JSON.parse(text) as Record<string, unknown>;
  const cuts = new Map<string, { readonly countBefore: number; readonly list: List }>();
  let excess = text.length - (charsMax - 2 * NOTE_CHARS_MAX);
  for (const countKept of [1, 0]) {
    while (excess > 0) {
      const list = largestList(copy, options.schema, countKept);
      if (list === null) break;
      const countBefore = cuts.get(list.path)?.countBefore ?? list.elements.length;
      excess -= cutList(list, excess, countKept);
      cuts.set(list.path, { countBefore, list });
    }
  }
  const note = describeCuts(cuts, options.argumentNames);
  for (const { list } of cuts.values()) markCut(list.parent, list.mayNote, note);
  if (cuts.size > 0) markCut(copy, declaresNote(options.schema), note);
  return { value: copy, note: cuts.size === 0 ? null : note, fits: JSON.stringify(copy).length <= charsMax };
}

/**
 * The list with the most characters among those that can still lose an element; of equal ones the outermost.
 */
function largestList(root: Record<string, unknown>, schema: JsonSchema, countKept: number): List | null {
  let largest: List | null = null;
  for (const list of listsOf(root, schema, '')) {
    const canLose = list.elements.length > Math.max(countKept, list.countMin);
    if (canLose && (largest === null || list.chars > largest.chars)) largest = list;
  }
  return largest;
}

function* listsOf(node: unknown, schema: JsonSchema, path: string): Generator<List> {
  if (Array.isArray(node)) {
    const items = childSchema(schema, 'array', 'items');
    for (const [index, element] of node.entries()) yield* listsOf(element, items, `${path}[${index}]`);
  } else if (isObject(node)) {
    const properties = childSchema(schema, 'object', 'properties');
    for (const [key, child] of Object.entries(node)) {
      const property = isObject(properties[key]) ? properties[key] : {};
      const childPath = path === '' ? key : `${path}.${key}`;
      if (Array.isArray(child)) {
        const countMin = variantOf(property, 'array').minItems;
        yield {
          path: childPath,
          parent: node,
          key,
          elements: child,
          countMin: typeof countMin === 'number' ? countMin : 0,
          chars: JSON.stringify(child).length,
          mayNote: declaresNote(schema),
        };
      }
      yield* listsOf(child, property, childPath);
    }
  }
}

/**
 * Removes elements from the end until `excess` characters are gone or `countKept` are left. @returns the
 * characters removed
 */
function cutList(list: List, excess: number, countKept: number): number {
  const { elements, parent, key } = list;
  const countBefore = elements.length;
  const countLeast = Math.max(countKept, list.countMin);
  let removed = 0;
  while (removed < excess && elements.length > countLeast) {
    const isLast = elements.length === 1;
    removed += JSON.stringify(elements.pop()).length + (isLast ? 0 : 1);
  }
  if (parent.returned === countBefore && key !== 'returned') parent.returned = elements.length;
  return removed;
}

/**
 * Records the cut in the fields `truncated` and `note`. A second call for the same object changes nothing.
 */
function markCut(target: Record<string, unknown>, mayNote: boolean, note: string): void {
  if (typeof target.truncated === 'boolean') target.truncated = true;
  if (!mayNote) return;
  const before = typeof target.note === 'string' ? target.note : '';
  if (!before.includes(note)) target.note = before === '' ? note : `${before} ${note}`;
}

function declaresNote(schema: JsonSchema): boolean {
  return isObject(childSchema(schema, 'object', 'properties').note);
}

function describeCuts(
  cuts: ReadonlyMap<string, { readonly countBefore: number; readonly list: List }>,
  argumentNames: readonly string[],
): string {
  const parts = [...cuts.values()]
    .slice(0, NOTED_LISTS_MAX)
    .map(({ countBefore, list }) => `${list.path} holds the first ${list.elements.length} of ${countBefore}`);
  const more = cuts.size > NOTED_LISTS_MAX ? `, and ${cuts.size - NOTED_LISTS_MAX} more lists are cut` : '';
  const isOfOneFixture = argumentNames.includes('query') || argumentNames.includes('event_id');
  const narrowing = NARROWING_ARGUMENTS.filter(
    (name) => argumentNames.includes(name) && !(isOfOneFixture && FIXTURE_ARGUMENTS.includes(name)),
  ).slice(0, 5);
  const advice = narrowing.length > 0 ? `narrow with ${narrowing.join(', ')}` : 'ask for less at a time';
  return `Cut to fit: ${parts.join('; ')}${more}; ${advice}.`;
}

/** The schema under `keyword` of the variant that describes `type`; looks into unions. */
function childSchema(schema: JsonSchema, type: 'array' | 'object', keyword: string): JsonSchema {
  const child = variantOf(schema, type)[keyword];
  return isObject(child) ? child : {};
}

function variantOf(schema: JsonSchema, type: 'array' | 'object'): JsonSchema {
  if (!Array.isArray(schema.anyOf)) return schema;
  const variant: unknown = schema.anyOf.find(
    (candidate: unknown) => isObject(candidate) && candidate.type === type,
  );
  return isObject(variant) ? variant : {};
}
