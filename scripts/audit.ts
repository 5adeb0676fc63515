// `bun run audit`: checks whether any package has had a known vulnerability for longer than
// docs/internals/security.md promises. It asks the registry with `bun audit` and compares the answer with
// ops/known-holes.json. That file lists each known vulnerability with the day on which it was published, the
// days promised for its kind, and the reason. Exits with 1 for a vulnerability that is not listed or is
// overdue, and with 2 when the registry does not answer.

import { join } from 'node:path';
import { DAY_MS } from '../src/clock.ts';

/** A known vulnerability of a package in bun.lock. It stays listed until a release without it exists. */
interface KnownHole {
  /** The last part of the advisory's address, such as GHSA-xxxx-xxxx-xxxx. */
  readonly id: string;
  readonly package: string;
  /** The day on which the vulnerability was published, such as 2026-11-22. */
  readonly public: string;
  /** How many days docs/internals/security.md promises for a vulnerability of this kind. */
  readonly withinDays: number;
  readonly why: string;
}

/** Advisories by package, as `bun audit --json` prints them. */
type Advisories = Readonly<Record<string, readonly { readonly url: string; readonly title: string }[]>>;

const ROOT = join(import.meta.dir, '..');
const KNOWN_PATH = join(ROOT, 'ops/known-holes.json');

/** The problems found, one line each; empty when every vulnerability is known and not overdue. */
export function findingsOf(found: Advisories, known: readonly KnownHole[], nowMs: number): string[] {
  const unknown = Object.entries(found).flatMap(([name, advisories]) =>
    advisories
      .filter(({ url }) => !known.some((hole) => hole.package === name && hole.id === idOf(url)))
      .map(
        ({ url, title }) => `${name}: ${title} (${url}) is not in ops/known-holes.json: assess it and add it`,
      ),
  );
  return [...unknown, ...overdueOf(known, nowMs)];
}

/** The entries of the list that are overdue. */
export function overdueOf(known: readonly KnownHole[], nowMs: number): string[] {
  return known
    .filter((hole) => nowMs >= Date.parse(hole.public) + hole.withinDays * DAY_MS)
    .map(
      ({ id, package: name, withinDays }) =>
        `${name}: ${id} has been public for more than ${withinDays} days`,
    );
}

/** Entries of the list that the registry no longer reports: the package was fixed or removed. */
export function mendedOf(found: Advisories, known: readonly KnownHole[]): KnownHole[] {
  return known.filter((hole) => !(found[hole.package] ?? []).some(({ url }) => idOf(url) === hole.id));
}

export async function readKnownHoles(): Promise<readonly KnownHole[]> {
  return (await Bun.file(KNOWN_PATH).json()) as readonly KnownHole[];
}

function idOf(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1);
}

/** The registry's advisories for the packages of bun.lock; null when it does not answer. */
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
    console.error(`Cannot audit: the registry did not answer. ${errors.trim()}`);
    return null;
  }
}

if (import.meta.main) {
  const [found, known] = [await ask(), await readKnownHoles()];
  if (found === null) process.exit(2);
  const findings = findingsOf(found, known, Date.now());
  for (const finding of findings) console.error(finding);
  for (const hole of mendedOf(found, known))
    console.error(`${hole.package}: ${hole.id} is fixed: remove it from the list`);
  console.log(`${Object.values(found).flat().length} known vulnerabilities, ${findings.length} to act on`);
  process.exit(findings.length === 0 ? 0 : 1);
}
