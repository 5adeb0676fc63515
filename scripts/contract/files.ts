// The contract on file: docs/reference/contract/, and which breaking changes the changelog announces.

import type { ServedDocuments } from '../clients/document.ts';
import { type Change, changesBetween, type Json } from './changes.ts';
import { contractOf, contractText } from './document.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const CONTRACTS = ['openapi', 'asyncapi'] as const;

type ContractName = (typeof CONTRACTS)[number];

/** Changes of the served documents since the contract on file. */
interface ContractChanges {
  /** Breaking changes that the changelog does not announce. */
  readonly forbidden: readonly string[];
  /** Breaking changes that the changelog announces. */
  readonly announced: readonly string[];
  readonly additive: readonly string[];
}

function contractPath(name: ContractName): string {
  return `docs/reference/contract/${name}-1.0.json`;
}

export async function contractOnFile(name: ContractName): Promise<Json> {
  return (await Bun.file(ROOT + contractPath(name)).json()) as Json;
}

/** A change as a line that the changelog can repeat. */
export function lineOf({ place, what }: Change): string {
  return `${place}: ${what}`;
}

/** The lines that a changelog announces: those in backticks under `### Breaking` of its first release. */
export function announcedIn(changelog: string): ReadonlySet<string> {
  const [, release = ''] = changelog.split(/^## /m);
  const sections = release.split(/^### /m).filter((section) => section.startsWith('Breaking\n'));
  return new Set(
    sections.flatMap((section) => [...section.matchAll(/`([^`]+)`/g)].map((match) => match[1]!)),
  );
}

export async function contractChanges(served: ServedDocuments): Promise<ContractChanges> {
  const announced = announcedIn(await Bun.file(`${ROOT}CHANGELOG.md`).text());
  const lists = await Promise.all(
    CONTRACTS.map(async (name) => changesBetween(await contractOnFile(name), contractOf(served[name]))),
  );
  const [breaking, additive] = [true, false].map((isBreaking) =>
    lists
      .flat()
      .filter((change) => change.isBreaking === isBreaking)
      .map(lineOf),
  );
  return {
    forbidden: breaking!.filter((line) => !announced.has(line)),
    announced: breaking!.filter((line) => announced.has(line)),
    additive: additive!,
  };
}

/**
 * Replaces the contract on file and reports what changed.
 * @throws Error when a change breaks clients and the changelog does not announce it; then nothing is written
 */
export async function writeContract(served: ServedDocuments, report: (line: string) => void): Promise<void> {
  const isFirst = !(await Bun.file(ROOT + contractPath('openapi')).exists());
  const { forbidden, announced, additive } = isFirst
    ? { forbidden: [], announced: [], additive: [] }
    : await contractChanges(served);
  if (forbidden.length > 0) throw new Error(breakingText(forbidden));
  for (const line of announced) report(`breaking, as the changelog says: ${line}`);
  for (const line of additive) report(`additive: ${line}`);
  for (const name of CONTRACTS)
    await Bun.write(ROOT + contractPath(name), contractText(contractOf(served[name])));
}

/** The error text for breaking changes that are not announced: the changes, and what to do. */
export function breakingText(forbidden: readonly string[]): string {
  return [
    'These changes break clients. Undo them, or write each in backticks under "### Breaking" of the next release in CHANGELOG.md:',
    ...forbidden.map((line) => `- \`${line}\``),
  ].join('\n');
}
