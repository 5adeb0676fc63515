// The packages that a server runs with, from bun.lock: what `dependencies` needs, without the optional and
// peer packages that `bun install --production --omit=optional --omit=peer` leaves out. Licences are those
// named by the installed packages.

const ROOT = new URL('../', import.meta.url).pathname;

export interface RuntimePackage {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression. */
  readonly licence: string;
  /** SHA-512 of the package in the registry, in base64; null for a package that is in this repository. */
  readonly sha512: string | null;
  /** Whether the package has a script that npm runs on installation. */
  readonly hasInstallScript: boolean;
  /** Names of the packages that need this one; empty if only package.json names it. */
  readonly neededBy: readonly string[];
}

/** The parts of an entry: `name@version`, registry, facts, integrity. */
type LockEntry = readonly [string, ...unknown[]];

interface LockFacts {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly hasInstallScript?: boolean;
}

/** All packages, by name. @throws Error when a package is not installed */
export async function runtimePackages(): Promise<RuntimePackage[]> {
  const lock = Bun.JSONC.parse(await Bun.file(`${ROOT}bun.lock`).text()) as {
    readonly workspaces: Readonly<
      Record<string, { readonly dependencies: Readonly<Record<string, string>> }>
    >;
    readonly packages: Readonly<Record<string, LockEntry>>;
  };
  const neededBy = new Map<string, Set<string>>();
  const waiting = Object.keys(lock.workspaces['']!.dependencies);
  for (const key of waiting) neededBy.set(key, new Set());
  for (const key of waiting) {
    for (const name of Object.keys(factsOf(lock.packages[key]!).dependencies ?? {})) {
      const found = `${key}/${name}` in lock.packages ? `${key}/${name}` : name;
      if (!neededBy.has(found)) {
        neededBy.set(found, new Set());
        waiting.push(found);
      }
      neededBy.get(found)!.add(nameOf(lock.packages[key]!));
    }
  }
  const packages = [...neededBy].map(([key, users]) => toPackage(key, lock.packages[key]!, users));
  const byName = new Map<string, RuntimePackage>();
  for (const each of await Promise.all(packages)) {
    // A package that this repository replaces by its own may have several entries in bun.lock: merge them.
    const users = new Set([...(byName.get(each.name)?.neededBy ?? []), ...each.neededBy]);
    byName.set(each.name, { ...each, neededBy: [...users].sort() });
  }
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function toPackage(key: string, entry: LockEntry, users: ReadonlySet<string>): Promise<RuntimePackage> {
  const name = nameOf(entry);
  const source = entry[0].slice(name.length + 1);
  const isOwn = source.startsWith('file:');
  const folder = isOwn ? source.slice('file:'.length) : `node_modules/${key}`;
  const manifest = (await Bun.file(`${ROOT}${folder}/package.json`).json()) as Record<string, unknown>;
  const integrity = entry.at(-1);
  return {
    name,
    version: String(manifest.version),
    licence: String(manifest.license),
    sha512: typeof integrity === 'string' && !isOwn ? integrity.replace('sha512-', '') : null,
    hasInstallScript: factsOf(entry).hasInstallScript ?? false,
    neededBy: [...users].sort(),
  };
}

function nameOf(entry: LockEntry): string {
  return /^(@?[^@]+)@/.exec(entry[0])![1]!;
}

function factsOf(entry: LockEntry): LockFacts {
  return (entry.find((part) => typeof part === 'object') ?? {}) as LockFacts;
}
