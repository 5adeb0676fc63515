// Reads ops/asvs.json, which judges every requirement of OWASP ASVS 5.0, levels 1 and 2, and makes the part
// of docs/internals/security.md that shows which requirements are open. test/asvs.test.ts checks the file.

const FILE = new URL('../ops/asvs.json', import.meta.url);

export interface Judgement {
  /** The numbers of the requirements that are judged together. */
  readonly points: readonly string[];
  /** Why these requirements hold, what is missing, or why they do not apply: the text of a table cell. */
  readonly why: string;
}

export interface Asvs {
  readonly standard: string;
  /** The numbers of all requirements of levels 1 and 2. */
  readonly requirements: readonly string[];
  /** For each path of a test file or folder, the requirements that it checks at least in part. */
  readonly tests: Readonly<Record<string, readonly string[]>>;
  readonly by_construction: readonly Judgement[];
  readonly open: readonly Judgement[];
  readonly not_applicable: readonly Judgement[];
}

export function readAsvs(): Promise<Asvs> {
  return Bun.file(FILE).json();
}

/** The counts of each judgement, and the table of open requirements. */
export async function asvsPart(): Promise<string> {
  const asvs = await readAsvs();
  const tested = new Set(Object.values(asvs.tests).flat());
  return [
    `There are ${asvs.requirements.length} requirements. ${tested.size} are checked by tests, at least in part; ${countOf(asvs.by_construction)} hold by construction; ${countOf(asvs.not_applicable)} do not apply. ${countOf(asvs.open)} are open, wholly or in part, or are up to the operator:`,
    '',
    '| requirements | what is missing |',
    '|---|---|',
    ...asvs.open.map(({ points, why }) => `| ${points.join(', ')} | ${why} |`),
    '',
  ].join('\n');
}

function countOf(judgements: readonly Judgement[]): number {
  return new Set(judgements.flatMap(({ points }) => points)).size;
}
