// Checks the machine and the data folder: versions, port, descriptors, processors, disk, database.

import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { DAY_MS } from '../../clock.ts';
import { s3PlaceOf } from '../../history/files/s3-folder.ts';
import { descriptorLimit } from '../../platform/connection-watch.ts';
import type { Config, TlsSettings } from '../../settings/config.ts';
import { DATABASE_NAME, openToRead } from '../../storage/database.ts';
import { SCHEMA_VERSION } from '../../storage/database-schema.ts';
import { lockFile, SERVER_LOCK_NAME } from '../../storage/file-lock.ts';
import { BUN_VERSIONS, VERSION } from '../../version.ts';
import { readCertificate } from '../certificate.ts';
import { takeAddress } from '../requirements.ts';
import { bad, type Finding, ok, warn, whyOf } from './finding.ts';

/** Fewer descriptors are too few for the clients of a busy day, because every connection takes one. */
export const DESCRIPTORS_WANTED = 8_192;
const MIB = 1_024 * 1_024;
/**
 * Free space on the disk. With less than the first value, a day of openings and results may fill it. With
 * less than the second, the server may not start.
 */
const DISK_WANTED_MIB = 1_024;
const DISK_NEEDED_MIB = 100;
/** With fewer days left, a certificate should have been renewed already, and there is a warning. */
const CERTIFICATE_DAYS_WANTED = 7;
/** Above this load per processor, threads wait for a processor and every response is later. */
const LOAD_SHARE_MAX = 1.5;

/** @param isRunning whether a server is running on the data folder */
export function examineMachine(config: Config, isRunning: boolean, nowMs: number): Finding[] {
  return [
    versions(),
    port(config, isRunning),
    descriptors(),
    processors(config, isRunning),
    disk(config),
    ...history(config),
    database(config),
    ...(config.tls === null ? [] : [certificate(config.tls, nowMs)]),
  ];
}

/** Whether a server is running on the data folder. */
export function runsOn(dataDir: string): boolean {
  const path = join(dataDir, SERVER_LOCK_NAME);
  if (!existsSync(path)) return false;
  try {
    const unlock = lockFile(path);
    unlock?.();
    return unlock === null;
  } catch {
    return false; // the folder cannot be read: the finding about the disk reports it
  }
}

function versions(): Finding {
  const found = `overround ${VERSION}, Bun ${Bun.version}, ${process.platform} ${process.arch}`;
  if (Bun.semver.satisfies(Bun.version, BUN_VERSIONS)) return ok('versions', found);
  return bad('versions', found, `Install Bun ${BUN_VERSIONS}: npx -y bun@1.4.5 runs one without installing`);
}

function port(config: Config, isRunning: boolean): Finding {
  const place = `${config.host} port ${config.port}`;
  try {
    takeAddress(config).release();
    return ok('port', `${place} is free`);
  } catch (error) {
    const code =
      error instanceof Error ? (error.cause as { readonly code?: unknown } | undefined)?.code : null;
    if (isRunning && code === 'EADDRINUSE') {
      return ok('port', `${place} is in use, and a server runs on the data folder`);
    }
    return bad(
      'port',
      whyOf(error),
      `Free it (ss -ltnp 'sport = :${config.port}' names the process that has it), or set PORT`,
    );
  }
}

function descriptors(): Finding {
  const limit = descriptorLimit();
  if (limit === Number.POSITIVE_INFINITY) return ok('descriptors', 'this system does not report its limit');
  const found = `${limit} open files and connections are allowed`;
  if (limit >= DESCRIPTORS_WANTED) return ok('descriptors', found);
  return warn(
    'descriptors',
    found,
    'Raise it: ulimit -n 65536 in the shell, LimitNOFILE=65536 in a systemd unit',
  );
}

function processors({ httpThreads, scoringThreads }: Config, isRunning: boolean): Finding {
  const cores = availableParallelism();
  const load = loadavg()[0] ?? 0;
  const found = `${cores} for ${httpThreads} HTTP and ${scoringThreads} scoring threads, load ${load.toFixed(1)}`;
  if (httpThreads > cores) {
    return warn(
      'processors',
      found,
      `Set HTTP_THREADS to ${cores} or fewer: more threads than cores wait for each other`,
    );
  }
  if (load > cores * LOAD_SHARE_MAX) {
    const toDo = isRunning
      ? 'Check top: other programs, or too many clients'
      : 'Check top: other programs use them';
    return warn('processors', found, toDo);
  }
  return ok('processors', found);
}

function disk({ dataDir }: Config): Finding {
  const folder = resolve(dataDir);
  try {
    const freeMib = freeMibFor(folder);
    const found = `${freeMib} MiB free for ${folder}`;
    if (freeMib >= DISK_WANTED_MIB) return ok('disk', found);
    const say = freeMib >= DISK_NEEDED_MIB ? warn : bad;
    return say('disk', found, 'Make room, or set DATA_DIR to a folder on a larger disk');
  } catch (error) {
    return bad(
      'disk',
      `${folder}: ${whyOf(error)}`,
      'Give the folder to the user that runs the server, or set DATA_DIR to a folder of that user',
    );
  }
}

/** The folder of the price history, if it has one of its own. */
function history({ historyDir, historyDays }: Config): Finding[] {
  if (historyDir === null || historyDays === 0 || s3PlaceOf(historyDir) !== null) return [];
  const folder = resolve(historyDir);
  try {
    return [ok('history', `${freeMibFor(folder)} MiB free for ${folder}`)];
  } catch (error) {
    const toDo = 'Set HISTORY_DIR to a folder that the server may write to. Until then no prices are kept';
    return [warn('history', `${folder}: ${whyOf(error)}`, toDo)];
  }
}

/** The free space for a folder, which need not exist. @throws if this process could not use the folder */
function freeMibFor(folder: string): number {
  const existing = existingFolder(folder);
  if (!statSync(existing).isDirectory()) throw new Error(`${existing} is not a folder`);
  accessSync(existing, constants.R_OK | constants.W_OK | constants.X_OK);
  const { bavail, bsize } = statfsSync(existing);
  return Math.floor((bavail * bsize) / MIB);
}

function certificate(tls: TlsSettings, nowMs: number): Finding {
  try {
    const days = Math.floor((readCertificate(tls).endsAtMs - nowMs) / DAY_MS);
    const found = `${tls.certFile} is good for ${days} days`;
    if (days >= CERTIFICATE_DAYS_WANTED) return ok('certificate', found);
    const say = days >= 0 ? warn : bad;
    return say('certificate', found, 'Renew it: the files are read again within seconds, without a restart');
  } catch (error) {
    return bad(
      'certificate',
      whyOf(error),
      'Set TLS_CERT_FILE and TLS_KEY_FILE to files that belong together',
    );
  }
}

function existingFolder(path: string): string {
  return existsSync(path) ? path : existingFolder(dirname(path));
}

function database({ dataDir }: Config): Finding {
  const path = join(dataDir, DATABASE_NAME);
  if (!existsSync(path)) return ok('database', `${resolve(path)} is made at the first start`);
  try {
    const { database: opened, schemaVersion } = openToRead(path);
    opened.close();
    const found = `${resolve(path)} can be read, schema version ${schemaVersion}`;
    if (schemaVersion === SCHEMA_VERSION) return ok('database', found);
    const toDo = `Run overround backup of the older release first: a start migrates it to ${SCHEMA_VERSION}`;
    return warn('database', found, toDo);
  } catch (error) {
    return bad(
      'database',
      whyOf(error),
      'Do what the message says; overround restore puts a backup into a new folder',
    );
  }
}
