// A real browser for tests of the pages: Debian's Chromium, driven by playwright-core. It records forbidden
// acts of pages: to log an error to the console, violate its content security policy, or send a request to
// another host.

import { existsSync } from 'node:fs';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';

/** Chromium without windows, which shows the same pages with half the processor time. */
const SHELL_PATH = '/usr/bin/chromium-headless-shell';
/**
 * The browser draws in its own process, and one process runs all pages of a context. Each process that starts
 * would cost a third of the processor time of a page. The optimising compilers of its engine are off, because
 * a page lives for a second or two; with them a page costs a sixth more.
 */
const LESS_WORK = [
  '--js-flags=--no-maglev,--no-opt',
  ...['--disable-gpu', '--in-process-gpu', '--disable-software-rasterizer'],
  ...['--process-per-site', '--renderer-process-limit=1'],
];
/** What each visitor has, if a test says nothing else. */
const VISITOR = {
  locale: 'en-GB',
  timezoneId: 'Europe/Rome',
  viewport: { width: 1440, height: 900 },
};
/** Shows violations of the content security policy as errors in the console. */
const SHOW_VIOLATIONS = `addEventListener('securitypolicyviolation', (event) => console.error('policy: ' + event.violatedDirective))`;
const WHOLE_PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const PATHS = [SHELL_PATH, ...WHOLE_PATHS].filter((path) => existsSync(path));

/** The reason why tests of pages cannot run here; null if they can. */
export const NO_BROWSER =
  PATHS.length === 0 ? `there is no Chromium at ${[SHELL_PATH, ...WHOLE_PATHS].join(', ')}` : null;

/** Appended to the names of skipped tests. */
export const BROWSER_NOTE = NO_BROWSER === null ? '' : ` (skipped: ${NO_BROWSER})`;

/** The context for one visitor after another, and the page of the visitor who uses it now. */
interface KeptContext {
  context: BrowserContext | null;
  page: Page | null;
}

interface OpenOptions extends BrowserContextOptions {
  /** The API key that the page has stored. */
  readonly key?: string;
  readonly allowed?: RegExp;
  readonly prepare?: (page: Page) => Promise<unknown>;
}

export class TestBrowser {
  /** The forbidden acts of pages. */
  readonly complaints: string[] = [];
  readonly #browser: Browser;
  readonly #kept: KeptContext = { context: null, page: null };

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
   * A page of a separate visitor, with a British locale. The visitor leaves when the page is disposed of. One
   * visitor after another uses the same context, which forgets the earlier visitor. A visitor who comes while
   * it is in use, or has other options than these, gets a context of their own.
   * @param allowed console errors that the test expects, such as those of answers that are refused on purpose
   * @param prepare called with the empty page, before it loads
   */
  async open(url: string, options: OpenOptions = {}): Promise<Page & AsyncDisposable> {
    const { key, allowed, prepare, viewport, colorScheme, ...others } = options;
    const isKept = this.#kept.page === null && Object.keys(others).length === 0;
    const page = isKept ? await this.#keptPage() : await (await this.#newContext(others)).newPage();
    if (isKept) await forget(page, new URL(url).origin);
    if (viewport !== undefined && viewport !== null) await page.setViewportSize(viewport);
    if (colorScheme !== undefined) await page.emulateMedia({ colorScheme });
    if (key !== undefined) {
      await page.addInitScript(`localStorage.setItem('overround.key', ${JSON.stringify(key)})`);
    }
    this.#watch(page, new URL(url).host, allowed);
    await prepare?.(page);
    await page.goto(url);
    const leave = async (): Promise<void> => {
      if (!isKept) await page.context().close();
      else if (this.#kept.page === page) await this.#leaveKept();
    };
    return Object.assign(page, { [Symbol.asyncDispose]: leave });
  }

  /** Closes the pages that a file has left open, and the context that its visitors shared. */
  async closePages(): Promise<void> {
    for (const context of this.#browser.contexts()) await context.close();
    this.#kept.context = null;
    this.#kept.page = null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
  }

  async #keptPage(): Promise<Page> {
    this.#kept.context ??= await this.#newContext({});
    this.#kept.page = await this.#kept.context.newPage();
    return this.#kept.page;
  }

  async #newContext(options: BrowserContextOptions): Promise<BrowserContext> {
    const context = await this.#browser.newContext({ ...VISITOR, ...options });
    await context.addInitScript(SHOW_VIOLATIONS);
    return context;
  }

  /** Ends the visit in the kept context. */
  async #leaveKept(): Promise<void> {
    for (const page of this.#kept.context?.pages() ?? []) await page.close();
    await this.#kept.context?.setOffline(false);
    this.#kept.page = null;
  }

  /** Records what the page does although no page may do it. */
  #watch(page: Page, host: string, allowed: RegExp | undefined): void {
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
  }
}

/** Deletes what earlier visitors left in the context: cookies, storage, service workers and the cache. */
async function forget(page: Page, origin: string): Promise<void> {
  await page.context().clearCookies();
  const protocol = await page.context().newCDPSession(page);
  await protocol.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await protocol.send('Network.clearBrowserCache');
  await protocol.detach();
}
