// What a server runs with: few packages, under licences that allow it, that run nothing when they are installed.

import { expect, test } from 'bun:test';
import { runtimePackages } from '../scripts/runtime-packages.ts';
import { billOfMaterials } from '../scripts/sbom.ts';

const ROOT = new URL('../', import.meta.url).pathname;
const LICENCES = ['MIT', 'MIT-0', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD'];
const PACKAGES_MAX = 27;

test('packages at run time: few, each once, permissively licensed, without scripts, compilers and trackers', async () => {
  const packages = await runtimePackages();
  expect(packages.length).toBeLessThanOrEqual(PACKAGES_MAX);
  const names = packages.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(packages.filter(({ licence }) => !LICENCES.includes(licence))).toEqual([]);
  expect(packages.filter(({ hasInstallScript }) => hasInstallScript)).toEqual([]);
  for (const name of ['typescript', '@scarf/scarf', 'msgpackr-extract', 'file-type']) {
    expect(names).not.toContain(name);
  }
});

test('times for updates are promised, shorter for worse holes, and no release is later than packages are looked through', async () => {
  const text = await Bun.file(`${ROOT}docs/security.md`).text();
  const section = text.split('\n## ').find((part) => part.startsWith('Updates of dependencies\n')) ?? '';
  const days = [...section.matchAll(/^\|.*within (\d+) days \|$/gm)].map((row) => Number(row[1]));
  expect(days).toHaveLength(3);
  expect(days).toEqual(days.toSorted((first, second) => first - second));
  expect(section.match(/newest versions every (\d+) days/)?.[1]).toBe(String(days.at(-1)));
});

test('no package may run a script, every version is exact, and the lock file names no registry', async () => {
  const manifest = (await Bun.file(`${ROOT}package.json`).json()) as Record<string, Record<string, string>>;
  // Without the list Bun trusts some well-known packages by itself.
  expect(manifest.trustedDependencies).toEqual([] as never);
  for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
    expect([name, version]).toEqual([name, expect.stringMatching(/^(?:npm:.+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/)]);
  }
  expect(await Bun.file(`${ROOT}bun.lock`).text()).not.toMatch(/https?:\/\/(?!bun)/);
});

test('the bill of materials names each with its licence, its hash and what it needs', async () => {
  const bill = (await billOfMaterials()) as {
    readonly components: readonly {
      readonly 'bom-ref': string;
      readonly hashes?: readonly { content: string }[];
    }[];
    readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
  };
  const refs = new Set(bill.components.map((component) => component['bom-ref']));
  expect(refs.size).toBe((await runtimePackages()).length);
  const reached = new Set(bill.dependencies.flatMap(({ dependsOn }) => dependsOn));
  expect(reached).toEqual(refs);
  for (const component of bill.components) {
    if (/npm\/no(thing|-themes)@/.test(component['bom-ref'])) continue; // stand-ins of our own, in no registry
    expect(component.hashes?.[0]?.content).toMatch(/^[0-9a-f]{128}$/);
  }
});
