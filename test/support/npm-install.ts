// Installs a packed file into an empty folder with npm, as users do.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Texts that npm prints when no registry answers. */
const NO_REGISTRY = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|E40[34]|E5\d\d/;

/**
 * Installs without running scripts, as package managers do by default.
 * @returns null, or the reason when no registry answers
 * @throws Error when npm fails for another reason
 */
export function npmInstall(tarball: string, folder: string): string | null {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const words = ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', tarball];
  const { exitCode, stderr } = Bun.spawnSync(['npm', ...words], { cwd: folder, stderr: 'pipe' });
  if (exitCode === 0) return null;
  const reason = NO_REGISTRY.exec(stderr.toString());
  if (reason === null) throw new Error(`Cannot install the package: ${stderr}`);
  return `no registry answers (${reason[0]})`;
}
