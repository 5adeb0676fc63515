// The packages of a server: they are few, have permissive licences, and none of them runs code when it is
// installed.

import { expect, test } from 'bun:test';
import { findingsOf, mendedOf, overdueOf, readKnownHoles } from '../scripts/audit.ts';
import { runtimePackages } from '../scripts/runtime-packages.ts';
import { billOfMaterials } from '../scripts/sbom.ts';
import { childEnvironment } from './support/child-environment.ts';

const ROOT = new URL('../', import.meta.url).pathname;
const LICENCES = ['MIT', 'MIT-0', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD'];
const PACKAGES_MAX = 30;

test('packages at run time are few, occur only once, have permissive licences, and contain no scripts, compilers or trackers', async () => {
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

test('the promised time for an update is shorter for a worse vulnerability; the longest time is also the interval of all other updates', async () => {
  const text = await Bun.file(`${ROOT}docs/internals/security.md`).text();
  const section = text.split('\n## ').find((part) => part.startsWith('Updates of dependencies\n')) ?? '';
  const days = [...section.matchAll(/^\|.*within (\d+) days \|$/gm)].map((row) => Number(row[1]));
  expect(days).toHaveLength(3);
  expect(days).toEqual(days.toSorted((first, second) => first - second));
  expect(section.match(/newest versions every (\d+) days/)?.[1]).toBe(String(days.at(-1)));
});

const HOLE = {
  id: 'GHSA-aaaa-bbbb-cccc',
  package: 'elysia',
  public: '2026-01-01',
  withinDays: 7,
  why: 'made up',
};
const FOUND = { elysia: [{ url: `https://example.com/advisories/${HOLE.id}`, title: 'A made-up hole' }] };

test('the audit reports every found vulnerability that is not in the list or past its time; no vulnerability in the list is overdue today', async () => {
  const dayMs = (date: string) => Date.parse(date);
  expect(findingsOf(FOUND, [HOLE], dayMs('2026-01-08') - 1)).toEqual([]);
  expect(findingsOf(FOUND, [HOLE], dayMs('2026-01-08'))).toEqual([
    `elysia: ${HOLE.id} has been public for more than 7 days`,
  ]);
  expect(findingsOf(FOUND, [{ ...HOLE, package: 'preact' }], dayMs('2026-01-02'))).toEqual([
    expect.stringContaining('A made-up hole'),
  ]);
  expect([mendedOf(FOUND, [HOLE]), mendedOf({}, [HOLE])]).toEqual([[], [HOLE]]);
  const known = await readKnownHoles();
  expect(overdueOf(known, Date.now())).toEqual([]);
  const promised = await Bun.file(`${ROOT}docs/internals/security.md`).text();
  for (const { withinDays, why } of known) {
    expect([withinDays, promised.includes(`within ${withinDays} days`), why !== '']).toEqual([
      withinDays,
      true,
      true,
    ]);
  }
});

test('bun run audit queries the registry, and fails if a vulnerability is not in the list or the registry does not answer', async () => {
  const answers = [
    () => Response.json({}),
    () =>
      Response.json({
        elysia: [{ id: 1, severity: 'high', vulnerable_versions: '<99', ...FOUND.elysia[0]! }],
      }),
    () => new Response('no', { status: 405 }),
  ];
  let asked = 0;
  using registry = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => answers[asked++]?.() ?? new Response(null, { status: 500 }),
  });
  const run = async (): Promise<readonly [number, string]> => {
    const child = Bun.spawn([process.execPath, `${ROOT}scripts/audit.ts`], {
      env: { ...childEnvironment(), NPM_CONFIG_REGISTRY: String(registry.url) },
      stdout: 'ignore',
      stderr: 'pipe',
    });
    const errors = await new Response(child.stderr).text();
    return [await child.exited, errors];
  };
  expect(await run()).toEqual([0, '']);
  expect(await run()).toEqual([1, expect.stringContaining('elysia: A made-up hole')]);
  expect(await run()).toEqual([2, expect.stringContaining('Cannot audit: the registry did not answer')]);
});

test('no package may run a script when it is installed, every version is exact, and the lock file names no registry', async () => {
  const manifest = (await Bun.file(`${ROOT}package.json`).json()) as Record<string, Record<string, string>>;
  // Without the list Bun trusts some well-known packages by default.
  expect(manifest.trustedDependencies).toEqual([] as never);
  for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
    expect([name, version]).toEqual([name, expect.stringMatching(/^(?:npm:.+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/)]);
  }
  expect(await Bun.file(`${ROOT}bun.lock`).text()).not.toMatch(/https?:\/\/(?!bun)/);
});

test('the bill of materials lists each package with its licence, its hash and its dependencies', async () => {
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
    if (/npm\/no(thing|-themes)@/.test(component['bom-ref'])) continue; // replacements of our own, in no registry
    expect(component.hashes?.[0]?.content).toMatch(/^[0-9a-f]{128}$/);
  }
});
