// Reads links, anchors and paths of this repository out of Markdown and comments, for the tests of documents.

const FENCE = /^```[\s\S]*?^```$/gm;
const LINK = /\[[^\]]*\]\(([^()\s]+)\)/g;
/** A path of this repository in backticks, without placeholders, such as `src/store/layout.ts`. */
const CODE_PATH = /`((?:src|test|bench|scripts|docs)\/[\w./-]*)`/g;
/**
 * A document that a comment names by its path from the root of the repository. The path may have an anchor.
 */
const CITATION = /(?<![\w/.-])((?:[\w-]+\/)*[\w-]+\.md)(?:#([\w-]+))?/g;

export interface Target {
  /** Empty for an anchor of the same page. */
  readonly path: string;
  /** Null when the target is the whole page. */
  readonly anchor: string | null;
}

/** Targets of the relative links of a page. Links to other sites are left out. */
export function linksOf(markdown: string): Target[] {
  return [...withoutCode(markdown).matchAll(LINK)]
    .map((match) => match[1]!)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', anchor] = target.split('#');
      return { path, anchor: anchor ?? null };
    });
}

/** Paths of this repository that a page names in backticks. */
export function codePathsOf(markdown: string): string[] {
  return [...markdown.replaceAll(FENCE, '').matchAll(CODE_PATH)].map((match) => match[1]!);
}

/**
 * A row in a table that lists which file to change for which purpose: its files, and names in the code that
 * one of these files must contain.
 */
export interface RecipeRow {
  readonly files: readonly string[];
  /**
   * Only names with a capital letter or an underscore count, because other words in backticks are often
   * values.
   */
  readonly names: readonly string[];
}

/**
 * The rows of tables that list which file to change. A row with a placeholder instead of a file is left out.
 */
export function recipeRowsOf(markdown: string): RecipeRow[] {
  return [...markdown.matchAll(/^\| (`[^|]+) \| ([^|]*) \|/gm)]
    .map(([, files, what]) => ({
      files: codePathsOf(`${files} ${what}`).filter((path) => /\.\w+$/.test(path)),
      names: [...what!.matchAll(/`(\w*[A-Z_]\w*)`/g)].map((match) => match[1]!),
    }))
    .filter(({ files }) => files.length > 0);
}

/** Documents that a comment cites. */
export function citationsOf(comments: string): Target[] {
  return [...comments.matchAll(CITATION)].map((match) => ({ path: match[1]!, anchor: match[2] ?? null }));
}

/** Anchors of a page's headings, as GitHub makes them. */
export function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading] of markdown.replaceAll(FENCE, '').matchAll(/^#{1,6} (.+)$/gm)) {
    const slug = heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-');
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

function withoutCode(markdown: string): string {
  return markdown.replaceAll(FENCE, '').replaceAll(/`[^`\n]*`/g, '');
}
