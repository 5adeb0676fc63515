// A real browser for tests of the pages: Debian's Chromium, driven by playwright-core. It records forbidden
// acts of pages: to log an error to the console, violate its content security policy, or send a request to
// another host.

import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** Chromium without windows, which shows the same pages with half the processor time. */
const SHELL_PATH = '/usr/bin/chromium-headless-shell';
/**
 * With these flags each browser has one process fewer, which saves a tenth of the processor time of the tests
 * of pages.
 */
const LESS_WORK = ['--disable-gpu', '--in-process-gpu', '--disable-software-rasterizer'];
const WHOLE_PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const PATHS = [SHELL_PATH, ...WHOLE_PATHS].filter((path) => existsSync(path));

/** The reason why tests of pages cannot run here; null if they can. */
export const NO_BROWSER =
  PATHS.length === 0 ? `there is no Chromium at ${[SHELL_PATH, ...WHOLE_PATHS].join(', ')}` : null;

/** Appended to the names of skipped tests. */
export const BROWSER_NOTE = NO_BROWSER === null ? '' : ` (skipped: ${NO_BROWSER})`;

export class TestBrowser {
  /** The forbidden acts of pages. */
  readonly complaints: string[] = [];
  readonly #browser: Browser;

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** @param whole whether to prefer the browser that users have, for measurements */
  static async launch({ whole = false } = {}): Promise<TestBrowser> {
    const executablePath = whole ? (PATHS.find((path) => path !== SHELL_PATH) ?? SHELL_PATH) : PATHS[0]!;
    return new TestBrowser(
      await chromium.launch({ executablePath, args: ['--no-sandbox', ...(whole ? [] : LESS_WORK)] }),
    );
  }

  /**
   * A page of a separate visitor, with a British locale. The visitor leaves when the page is disposed of.
   * @param allowed console errors that the test expects, such as those of answers that are refused on purpose
   * @param prepare called with the empty page, before it loads
   */
  async open(
    url: string,
    {
      key,
      allowed,
      prepare,
      ...options
    }: BrowserContextOptions & {
      key?: string;
      allowed?: RegExp;
      prepare?: (page: Page) => Promise<void>;
    } = {},
  ): Promise<Page> {
    const context = await this.#browser.newContext({
      locale: 'en-GB',
      timezoneId: 'Europe/Rome',
      viewport: { width: 1440, height: 900 },
      ...options,
    });
    if (key !== undefined) {
      await context.addInitScript(`localStorage.setItem('overround.key', ${JSON.stringify(key)})`);
    }
    const page = await context.newPage();
    const { host } = new URL(url);
    page.on('request', (request) => {
      const target = new URL(request.url());
      if (target.protocol !== 'data:' && target.host !== host) this.complaints.push(`asked ${target.href}`);
    });
    page.on('console', (message) => {
      if (message.type() === 'error' && !(allowed?.test(message.text()) ?? false)) {
        this.complaints.push(`console: ${message.text()}`);
      }
    });
    page.on('pageerror', (error) => this.complaints.push(`error: ${error.stack ?? error.message}`));
    await context.addInitScript(
      `addEventListener('securitypolicyviolation', (event) => console.error('policy: ' + event.violatedDirective))`,
    );
    await prepare?.(page);
    await page.goto(url);
    return Object.assign(page, { [Symbol.asyncDispose]: () => context.close() });
  }

  /** Closes the pages that a test has left open. */
  async closePages(): Promise<void> {
    for (const context of this.#browser.contexts()) await context.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
  }
}
