// Generates the list of packages in docs/internals/security.md: what a server runs with and no other package
// needs, from bun.lock, and the reason for each. The reasons are written only here.

import { runtimePackages } from './runtime-packages.ts';

/** Why package.json names each package. */
const REASONS: Readonly<Record<string, string>> = {
  '@modelcontextprotocol/server': 'The Model Context Protocol, by its authors.',
  '@preact/signals': 'State of the pages for people.',
  '@sinclair/typebox': 'The schemas of requests and answers, for types, checks and OpenAPI.',
  '@zxcvbn-ts/language-common': 'The list of the most common passwords, which are refused.',
  'any-ascii': 'Names in other scripts, written in Latin letters, for the resolver.',
  bz2: "Unpacks the bzip2 files of Betfair's history, which Bun cannot.",
  elysia: 'Routing.',
  'fastest-levenshtein': 'The nearest known word to an unknown one, for error messages.',
  'hyparquet-writer': 'Writes the Parquet files of the price history; hyparquet, which it needs, reads them.',
  'ipaddr.js': 'Strict parsing of IPv4 and IPv6 addresses and ranges.',
  msgpackr: 'MessagePack: answers, streams and feeds, if a client asks for it.',
  nodemailer: 'Mail over SMTP.',
  preact: 'The pages for people.',
  sqids: 'Ids of events, teams and leagues.',
  '@elysiajs/swagger': "Serves the OpenAPI document; the type of the viewer's settings.",
  'swagger-ui-dist': 'The viewer on /docs, served from this host only.',
  uplot: 'Charts of the pages for people.',
};

/**
 * @returns the part of the page @throws Error when a package has no reason above, or a reason has no package
 */
export async function packagesPart(): Promise<string> {
  const packages = await runtimePackages();
  const own = packages.filter(({ neededBy }) => neededBy.length === 0);
  const missing = own.filter(({ name }) => REASONS[name] === undefined).map(({ name }) => name);
  if (missing.length > 0) throw new Error(`Cannot write packages: REASONS lacks ${missing.join(', ')}`);
  const gone = Object.keys(REASONS).filter((name) => !own.some((one) => one.name === name));
  if (gone.length > 0) throw new Error(`Cannot write packages: nothing needs ${gone.join(', ')} any more`);
  const rows = own.map(
    ({ name, version, licence }) => `| \`${name}\` | ${version} | ${licence} | ${REASONS[name]} |`,
  );
  return `${['| package | version | licence | reason |', '|---|---|---|---|', ...rows].join('\n')}\n`;
}
