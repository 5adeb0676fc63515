// `bun run audit`: whether any package has a known hole for longer than docs/security.md promises. It asks the registry,
// by `bun audit`, and compares the answer with ops/known-holes.json, in which each known hole stands with the day on which
// it became public, the days that are promised for its kind, and the reason. Ends with 1 for a hole that is not in it or
// is overdue, and with 2 when the registry does not answer.

import { join } from 'node:path';

/** A known hole that a package of bun.lock has, until a release goes without it. */
export interface KnownHole {
  /** The end of its advisory's address, such as GHSA-xxxx-xxxx-xxxx. */
  readonly id: string;
  readonly package: string;
  /** Day on which it became public, such as 2026-11-22. */
  readonly public: string;
  /** As docs/security.md has it for what the hole lets in. */
  readonly withinDays: number;
  readonly why: string;
}

/** An advisory as `bun audit --json` has it, by package. */
type Advisories = Readonly<Record<string, readonly { readonly url: string; readonly title: string }[]>>;

const ROOT = join(import.meta.dir, '..');
const KNOWN_PATH = join(ROOT, 'ops/known-holes.json');
const DAY_MS = 86_400_000;

/** What is wrong, a line each; empty when every hole is known and in time. */
export function findingsOf(found: Advisories, known: readonly KnownHole[], nowMs: number): string[] {
  const unknown = Object.entries(found).flatMap(([name, advisories]) =>
    advisories
      .filter(({ url }) => !known.some((hole) => hole.package === name && hole.id === idOf(url)))
      .map(
        ({ url, title }) => `${name}: ${title} (${url}) is not in ops/known-holes.json: judge it, enter it`,
      ),
  );
  return [...unknown, ...overdueOf(known, nowMs)];
}

/** Those of the list whose time is over. */
export function overdueOf(known: readonly KnownHole[], nowMs: number): string[] {
  return known
    .filter((hole) => nowMs >= Date.parse(hole.public) + hole.withinDays * DAY_MS)
    .map(({ id, package: name, withinDays }) => `${name}: ${id} is public for more than ${withinDays} days`);
}

/** Entries of the list that the registry no longer reports: their package was mended, or is gone. */
export function mendedOf(found: Advisories, known: readonly KnownHole[]): KnownHole[] {
  return known.filter((hole) => !(found[hole.package] ?? []).some(({ url }) => idOf(url) === hole.id));
}

export async function readKnownHoles(): Promise<readonly KnownHole[]> {
  return (await Bun.file(KNOWN_PATH).json()) as readonly KnownHole[];
}

function idOf(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1);
}

/** What the registry says of the packages of bun.lock; null when it does not answer. */
async function ask(): Promise<Advisories | null> {
  const child = Bun.spawn([process.execPath, 'audit', '--json'], {
    cwd: ROOT,
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [output, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  try {
    return JSON.parse(output) as Advisories;
  } catch {
    console.error(`Cannot audit: the registry does not say. ${errors.trim()}`);
    return null;
  }
}

if (import.meta.main) {
  const [found, known] = [await ask(), await readKnownHoles()];
  if (found === null) process.exit(2);
  const findings = findingsOf(found, known, Date.now());
  for (const finding of findings) console.error(finding);
  for (const hole of mendedOf(found, known))
    console.error(`${hole.package}: ${hole.id} is mended: take it out`);
  console.log(`${Object.values(found).flat().length} known holes, ${findings.length} to act on`);
  process.exit(findings.length === 0 ? 0 : 1);
}
