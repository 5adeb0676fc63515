// Reads and checks one environment variable at a time: strict formats, and messages with the variable's name,
// its value and what is allowed. Also records what it reads, for the list of all settings.

import { readFileSync } from 'node:fs';
import { instantMs } from '../clock.ts';
import { nearestWord } from '../nearest-word.ts';

/** The data folder if DATA_DIR is not set. The server and the commands must use the same one. */
export const DATA_DIR_DEFAULT = './data';

/** Variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

const MASK = '***';

/**
 * A value as messages and commands show it. Parts that may be a password or token are masked, even in a
 * mistyped address: everything before the last @, after the question mark, or in place of the port.
 */
export function shownValue(value: string): string {
  const isAddress = /[:/]/.test(value);
  const shown = isAddress ? value.replace(/^([a-z][a-z0-9+.-]*:\/\/)?[\s\S]*@/i, `$1${MASK}@`) : value;
  return shown
    .replace(/(:\/\/[^?\s]*\?)[\s\S]*/, `$1${MASK}`)
    .replace(/^([a-z][a-z0-9+.-]*:\/\/[^/:@[\]]*:)(?!\d{1,5}(?:[/,]|$))[\s\S]*/i, `$1${MASK}`);
}

/** A setting that prevents the start. The message names the variable, its value and what is allowed. */
export class ConfigError extends Error {
  /** @param value shown with possible secrets masked */
  constructor(name: string, value: string, allowed: string) {
    super(`Cannot start: ${name} is "${shownValue(value)}", allowed is ${allowed}`);
    this.name = 'ConfigError';
  }
}

/** A setting as `overround config` and docs/reference/settings.md show it. */
export interface KnownSetting {
  readonly name: string;
  /** The default, as text; empty without one. */
  readonly fallback: string;
  /** Allowed values. */
  readonly allowed: string;
  /** Whether the setting's value is never shown. */
  readonly isSecret: boolean;
}

/**
 * Reads one variable after the other; an empty one counts as not set. Every method throws ConfigError on a
 * bad value.
 */
export class SettingReader {
  readonly #environment: Environment;
  /** Every setting that was read, by name. */
  readonly #known = new Map<string, KnownSetting>();

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** Every setting that was read, in order. */
  get known(): readonly KnownSetting[] {
    return [...this.#known.values()];
  }

  /**
   * The text of a variable, null if it is not set. Every method reads through this one, so it also records
   * the setting for `known`. If a setting is read twice, the first reading describes it.
   */
  #read(
    name: string,
    allowed: string,
    { fallback = '', isSecret = false }: Partial<Pick<KnownSetting, 'fallback' | 'isSecret'>> = {},
  ): string | null {
    if (!this.#known.has(name)) this.#known.set(name, { name, fallback, allowed, isSecret });
    const value = this.#environment[name]?.trim();
    return value === undefined || value === '' ? null : value;
  }

  optionalText(name: string): string | null {
    return this.#read(name, 'text');
  }

  /**
   * Refuses a variable whose name is one or two edits from a setting that was read: it is a typing mistake.
   * Names of up to five letters must be within one edit, or HOME would count as a mistyped HOST.
   * @param prefix of names that belong only to us: other variables with it are refused, such as OVERROUND_KEY
   * @throws Error for the operator
   */
  refuseMistyped(prefix: string | null = null): void {
    const names = [...this.#known.keys()];
    for (const [name, value] of Object.entries(this.#environment)) {
      if (value === undefined || this.#known.has(name)) continue;
      const nearest = nearestWord(name, names);
      if (nearest === null) continue;
      const isOurs = prefix !== null && name.startsWith(prefix);
      const isNear = nearest.edits <= (nearest.word.length > 5 ? 2 : 1);
      if (isOurs && !isNear) {
        throw new Error(`Cannot start: there is no setting ${name}, allowed is ${names.join(', ')}`);
      }
      if (!isNear) continue;
      throw new Error(`Cannot start: there is no setting ${name}, the nearest is ${nearest.word}`);
    }
  }

  text(name: string, fallback: string): string {
    return this.#read(name, 'text', { fallback }) ?? fallback;
  }

  /**
   * A secret, or the content of the file that `<NAME>_FILE` names, without white space around it; null if
   * neither is set.
   */
  secret(name: string, allowed = 'a secret'): string | null {
    const given = this.#read(name, allowed, { isSecret: true });
    const path = this.#read(`${name}_FILE`, 'a file');
    if (path === null) return given;
    if (given !== null) {
      throw new ConfigError(`${name}_FILE`, path, `not set when ${name} is`);
    }
    try {
      const secret = readFileSync(path, 'utf8').trim();
      if (secret !== '') return secret;
    } catch {
      // A file that cannot be read is refused below, like an empty one. The message shows only the path.
    }
    throw new ConfigError(`${name}_FILE`, path, 'a readable file that is not empty');
  }

  list(name: string, isAllowed: (part: string) => boolean, allowed: string): readonly string[] {
    const parts = (this.#read(name, allowed) ?? '').split(',');
    const items = parts.map((part) => part.trim().toLowerCase()).filter((part) => part !== '');
    const refused = items.find((item) => !isAllowed(item));
    if (refused !== undefined) throw new ConfigError(name, this.partOf(name, refused), allowed);
    return items;
  }

  /**
   * A part of a list for a message. Returns the whole list if a password in it may contain a comma, so that
   * all of it is masked.
   */
  partOf(name: string, part: string): string {
    const whole = this.text(name, '');
    return whole.includes('@') ? whole : part;
  }

  optionalInteger(name: string, least: number, most: number): number | null {
    return this.#integer(name, null, least, most);
  }

  integer(name: string, fallback: number, least: number, most: number): number {
    return this.#integer(name, fallback, least, most) ?? fallback;
  }

  #integer(name: string, fallback: number | null, least: number, most: number): number | null {
    const allowed = `a whole number, ${span(least, most)}`;
    const value = this.#read(name, allowed, { fallback: fallback === null ? '' : String(fallback) });
    if (value === null) return null;
    const number = Number(value);
    if (!/^-?\d+$/.test(value) || number < least || number > most) {
      throw new ConfigError(name, value, `an integer from ${least} to ${most}`);
    }
    return number;
  }

  number(name: string, fallback: number, least: number, most: number): number {
    const value = this.#read(name, `a number, ${span(least, most)}`, { fallback: String(fallback) });
    if (value === null) return fallback;
    const number = Number(value);
    if (!/^\d+(\.\d+)?$/.test(value) || number < least || number > most) {
      throw new ConfigError(name, value, `a number from ${least} to ${most}`);
    }
    return number;
  }

  choice<Word extends string>(name: string, fallback: Word, words: readonly Word[]): Word {
    const allowed = words.map((each) => `\`${each}\``).join(', ');
    const value = this.#read(name, allowed, { fallback }) ?? fallback;
    const word = words.find((candidate) => candidate === value);
    if (word === undefined) throw new ConfigError(name, value, `one of ${words.join(', ')}`);
    return word;
  }

  isoTime(name: string): number | null {
    const value = this.#read(name, 'an ISO-8601 time with its zone');
    if (value === null) return null;
    const ms = instantMs(value);
    if (Number.isNaN(ms)) {
      throw new ConfigError(name, value, 'an ISO-8601 time with its zone such as 2026-01-01T12:00:00Z');
    }
    return ms;
  }

  optionalUrl(name: string): string | null {
    return this.#url(name, '');
  }

  url(name: string, fallback: string): string {
    return this.#url(name, fallback) ?? fallback;
  }

  #url(name: string, fallback: string): string | null {
    const value = this.#read(name, 'an http or https URL', { fallback });
    if (value === null) return null;
    const url = URL.canParse(value) ? new URL(value) : null;
    const isHttp = url !== null && (url.protocol === 'http:' || url.protocol === 'https:');
    const isAddressAlone =
      url?.search === '' && url.hash === '' && url.username === '' && url.password === '';
    if (!isHttp || !isAddressAlone || !isHost(url.hostname) || url.port === '0') {
      throw new ConfigError(
        name,
        value,
        'an http or https URL with a host of at least 4 characters, without a user, a password, port 0, ? and #',
      );
    }
    return value.replace(/\/+$/, '');
  }

  /**
   * The URL of Redis, Postgres or a mail server, set directly or in the file that `<NAME>_FILE` names; null
   * if neither is set. It may contain a password and is never shown.
   */
  engineUrl(name: string, schemes: readonly string[]): string | null {
    const allowed = schemes.map((scheme) => `\`${scheme}://[user:password@]host[:port]\``).join(', ');
    const value = this.secret(name, allowed);
    if (value === null) return null;
    const url = URL.canParse(value) ? new URL(value) : null;
    if (url === null || !schemes.includes(url.protocol.slice(0, -1)) || url.hostname === '') {
      throw new ConfigError(name, '(not shown)', `${schemes.join('://, ')}:// with a host`);
    }
    return value;
  }
}

/**
 * Whether the text is a Host name, optionally with a port. At least 4 characters, because Elysia misreads the
 * path after a shorter one: see http/edge/host-check.ts. It must also form a URL: a name such as `odds.2026`,
 * whose last part is a number, could never be requested.
 */
export function isHost(text: string): boolean {
  const isName = /^(?:[a-z0-9._-]{4,}|\[[0-9a-f:.]+\])(?::\d{1,5})?$/.test(text);
  return isName && URL.canParse(`http://${text}`);
}

/** The bounds of a number, as the page of settings shows them. */
function span(least: number, most: number): string {
  return `${least.toLocaleString('en-GB')} to ${most.toLocaleString('en-GB')}`;
}
