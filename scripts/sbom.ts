// `bun scripts/sbom.ts`: prints the packages that a server runs with as a CycloneDX 1.6 bill of materials.
// The output contains no time or serial number, so the same bun.lock always gives the same output.

import { VERSION } from '../src/version.ts';
import { type RuntimePackage, runtimePackages } from './runtime-packages.ts';

/** The bill of materials. */
export async function billOfMaterials(): Promise<Record<string, unknown>> {
  const packages = await runtimePackages();
  const root = `pkg:npm/overround@${VERSION}`;
  const refByName = new Map(packages.map((one) => [one.name, urlOf(one)]));
  const neededBy = (name: string | null) =>
    packages
      .filter((one) => (name === null ? one.neededBy.length === 0 : one.neededBy.includes(name)))
      .map(urlOf);
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: { type: 'application', 'bom-ref': root, name: 'overround', version: VERSION, purl: root },
    },
    components: packages.map((one) => ({
      type: 'library',
      'bom-ref': urlOf(one),
      name: one.name,
      version: one.version,
      licenses: [{ expression: one.licence }],
      purl: urlOf(one),
      ...(one.sha512 === null
        ? {}
        : { hashes: [{ alg: 'SHA-512', content: Buffer.from(one.sha512, 'base64').toString('hex') }] }),
    })),
    dependencies: [
      { ref: root, dependsOn: neededBy(null) },
      ...packages.map(({ name }) => ({ ref: refByName.get(name), dependsOn: neededBy(name) })),
    ],
  };
}

/** The package URL, with the @ of a scope percent-encoded. */
function urlOf({ name, version }: RuntimePackage): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

if (import.meta.main) console.log(JSON.stringify(await billOfMaterials(), null, 2));
