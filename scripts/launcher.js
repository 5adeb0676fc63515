#!/usr/bin/env node
// The command `overround` of the npm package: runs the program with the Bun that was installed as a
// dependency (scripts/package.ts). It needs only Node, and compiles and installs nothing.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../program/', import.meta.url));
/** How often to check whether npx is still running. */
const PARENT_CHECK_MS = 500;
/** Signals that end the program, and are passed on to it. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];

const runtime = findRuntime();
if (runtime === null) {
  console.error(
    `Cannot start: Bun for ${process.platform} ${process.arch} is not installed with overround. ` +
      'Install it again without --omit=optional. It runs on Linux and macOS, on x64 and arm64',
  );
  process.exit(1);
}
run(runtime);

/** @param {string} file the path of Bun */
function run(file) {
  // --no-orphans: if this process is killed, the program ends too. The other flags make Bun ignore
  // configuration files in the working directory, as the executable does.
  const flags = ['--no-orphans', '--no-env-file', '--no-install', `--config=${join(PROGRAM, 'bunfig.toml')}`];
  const child = spawn(file, [...flags, join(PROGRAM, 'main.js'), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  if (process.env.npm_command === 'exec') stopWithNpx(child);
  child.on('error', (error) => {
    console.error(`Cannot start: ${file} does not run: ${error.message}`);
    process.exit(1);
  });
  // Shells report that a signal ended a process as 128 plus the signal's number.
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

/**
 * Stops the program when npx has ended, because npx does not pass on every signal. A shell runs between npx
 * and this process, so the parent and its parent are watched. Not used without npx: then parents may end
 * first on purpose (nohup).
 *
 * @param {import('node:child_process').ChildProcess} child
 */
function stopWithNpx(child) {
  const parents = () => `${process.ppid} ${parentOf(process.ppid)}`;
  const first = parents();
  const watch = setInterval(() => {
    if (parents() === first) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, PARENT_CHECK_MS);
}

/**
 * The parent of a process; null where the system has no /proc.
 *
 * @param {number} id
 */
function parentOf(id) {
  try {
    return /\) \w (\d+)/.exec(readFileSync(`/proc/${id}/stat`, 'utf8'))?.[1] ?? null;
  } catch {
    return null;
  }
}

/** The path of Bun, or null if it is not installed. npm installs only the package that fits this machine. */
function findRuntime() {
  const require = createRequire(import.meta.url);
  const machine = `${process.platform}-${process.arch === 'arm64' ? 'aarch64' : process.arch}`;
  for (const name of [machine, `${machine}-musl`]) {
    try {
      return require.resolve(`@oven/bun-${name}/bin/bun`);
    } catch (error) {
      if (error.code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  return null;
}
