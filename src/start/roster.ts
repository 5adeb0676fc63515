// The roster of bookmakers that the operator chose with BOOKMAKERS: the name of a ready-made one in rosters/,
// or a file of the operator's own. It is installed before any module loads that is built from the catalogue.

import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { bookmakersOf, installedRoster, installRoster, type RosterBookmaker } from '../domain/roster.ts';
import { messageOf } from '../errors.ts';
import { programFile, programFileNames } from '../program-files.ts';
import { readBookmakers } from '../settings/config.ts';
import { ConfigError, type Environment, SettingReader } from '../settings/setting-reader.ts';

/**
 * Reads the roster that BOOKMAKERS names and installs it for this process. @throws ConfigError that says what
 * is wrong
 */
export function installRosterOf(environment: Environment): void {
  const origin = readBookmakers(new SettingReader(environment));
  if (origin !== null) installRoster({ origin, bookmakers: readRoster(origin) });
}

/** The names of the rosters that come with the project. */
export function readyRosterNames(): readonly string[] {
  return programFileNames('rosters').map((name) => name.slice(0, -'.json'.length));
}

/** @param origin the name of a ready-made roster, or a path. @throws ConfigError */
export function readRoster(origin: string): readonly RosterBookmaker[] {
  const ready = readyRosterNames();
  const isReady = ready.includes(origin);
  const path = isReady ? `rosters/${origin}.json` : resolve(origin);
  if (!isReady && !existsSync(path)) {
    throw new ConfigError(
      'BOOKMAKERS',
      origin,
      `${ready.join(', ')}, or a roster file, and there is no file ${path}`,
    );
  }
  try {
    const text = isReady ? programFile('rosters', `${origin}.json`) : readFileSync(path, 'utf8');
    return bookmakersOf(JSON.parse(text));
  } catch (error) {
    const why = messageOf(error);
    throw new ConfigError(
      'BOOKMAKERS',
      origin,
      `a roster file as in docs/guide/feeds.md. In ${path}: ${why}`,
    );
  }
}

/**
 * Refuses settings that name another roster than the one that this process has loaded. @throws ConfigError
 */
export function requireRoster(origin: string | null): void {
  if (installedRoster().origin === origin) return;
  throw new ConfigError(
    'BOOKMAKERS',
    origin ?? '',
    `"${installedRoster().origin ?? ''}", the roster that this process was loaded with; it cannot change afterwards`,
  );
}
