// The list of all settings, found by recording what config.ts reads: for `overround config` and for
// docs/reference/settings.md.

import { loadConfig } from '../settings/config.ts';
import { type Environment, SettingReader } from '../settings/setting-reader.ts';

export interface KnownSetting {
  readonly name: string;
  /** The default, as text; empty without one. */
  readonly fallback: string;
  /** Allowed values. */
  readonly allowed: string;
  /** Whether its value is never shown. */
  readonly isSecret: boolean;
}

/**
 * Reads the settings. @returns each setting that was read, in order @throws ConfigError as loadConfig does
 */
export function settingList(environment: Environment): readonly KnownSetting[] {
  const reader = new WatchingReader(environment);
  loadConfig(environment, reader);
  return [...reader.seen.values()];
}

/** A setting reader that also records what it reads. */
class WatchingReader extends SettingReader {
  readonly seen = new Map<string, KnownSetting>();

  override optionalText(name: string): string | null {
    this.#note(name, '', 'text');
    return super.optionalText(name);
  }
  override text(name: string, fallback: string): string {
    this.#note(name, fallback, 'text');
    return super.text(name, fallback);
  }
  override secret(name: string): string | null {
    this.#note(name, '', 'a secret', true);
    this.#note(`${name}_FILE`, '', 'a file');
    return super.secret(name);
  }
  override list(name: string, isAllowed: (part: string) => boolean, allowed: string): readonly string[] {
    this.#note(name, '', allowed);
    return super.list(name, isAllowed, allowed);
  }
  override optionalInteger(name: string, least: number, most: number): number | null {
    this.#note(name, '', `a whole number, ${span(least, most)}`);
    return super.optionalInteger(name, least, most);
  }
  override integer(name: string, fallback: number, least: number, most: number): number {
    this.#note(name, String(fallback), `a whole number, ${span(least, most)}`);
    return super.integer(name, fallback, least, most);
  }
  override number(name: string, fallback: number, least: number, most: number): number {
    this.#note(name, String(fallback), `a number, ${span(least, most)}`);
    return super.number(name, fallback, least, most);
  }
  override choice<Word extends string>(name: string, fallback: Word, words: readonly Word[]): Word {
    this.#note(name, fallback, words.map((word) => `\`${word}\``).join(', '));
    return super.choice(name, fallback, words);
  }
  override isoTime(name: string): number | null {
    this.#note(name, '', 'an ISO-8601 time with its zone');
    return super.isoTime(name);
  }
  override optionalUrl(name: string): string | null {
    this.#note(name, '', 'an http or https URL');
    return super.optionalUrl(name);
  }
  override engineUrl(name: string, schemes: readonly string[]): string | null {
    const allowed = schemes.map((scheme) => `\`${scheme}://[user:password@]host[:port]\``).join(', ');
    this.#note(name, '', allowed, true);
    return super.engineUrl(name, schemes);
  }
  override mailServer(name: string): string | null {
    this.#note(name, '', '`smtp://[user:password@]host[:port]`, or `smtps://`', true);
    return super.mailServer(name);
  }

  /**
   * Only the first call for a name counts, because config.ts made it. The calls inside it know less about the
   * setting.
   */
  #note(name: string, fallback: string, allowed: string, isSecret = false): void {
    if (!this.seen.has(name)) this.seen.set(name, { name, fallback, allowed, isSecret });
  }
}

function span(least: number, most: number): string {
  return `${least.toLocaleString('en-GB')} to ${most.toLocaleString('en-GB')}`;
}
