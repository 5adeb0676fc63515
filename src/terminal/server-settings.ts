// Which server commands and the stdio MCP server talk to, and with which key.

import { type Environment, SettingReader } from '../setting-reader.ts';

export interface ServerSettings {
  /** Base address of a running server, no trailing slash; null when none is named. */
  readonly url: string | null;
  /** Null is served as the free tier. */
  readonly apiKey: string | null;
}

/**
 * Reads OVERROUND_URL and OVERROUND_API_KEY, or the file that OVERROUND_API_KEY_FILE names.
 * @throws Error naming the variable when OVERROUND_URL is no http address, OVERROUND_API_KEY can be no key, or when a
 * variable is nearly one of these
 */
export function readServerSettings(environment: Environment): ServerSettings {
  const read = new SettingReader(environment);
  const url = read.optionalText('OVERROUND_URL');
  const apiKey = read.secret('OVERROUND_API_KEY');
  read.refuseMistyped();
  if (url !== null && !(URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))) {
    throw new Error(`Cannot start: OVERROUND_URL is "${url}", allowed is an http or https URL`);
  }
  if (url !== null && /[@?#]/.test(url)) {
    // A password or key in the URL would be shown in links and error messages.
    throw new Error(
      'Cannot start: OVERROUND_URL holds more than an address, send the key in OVERROUND_API_KEY',
    );
  }
  if (/[^\x21-\x7e]/.test(apiKey ?? '')) {
    // Never shown: it may be a key with something pasted behind it.
    throw new Error(
      'Cannot start: OVERROUND_API_KEY has a character that no key has, such as a space or a line break; set it to the key alone',
    );
  }
  return { url: url === null ? null : url.replace(/\/+$/, ''), apiKey };
}
