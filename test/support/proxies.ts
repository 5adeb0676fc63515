// nginx and Caddy with the configurations of ops/, in front of a server on this machine.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './condition.ts';
import { freePort } from './free-port.ts';
import { type TemporaryFolder, temporaryFolder } from './temporary-folder.ts';

export type ProxyName = 'nginx' | 'caddy';

const OPS = join(import.meta.dir, '../../ops');

/** Paths of the installed programs; null if one is not installed. */
export const PROXY_PROGRAMS: Readonly<Record<ProxyName, string | null>> = {
  nginx: Bun.which('nginx') ?? ['/usr/sbin/nginx'].find(existsSync) ?? null,
  caddy: Bun.which('caddy'),
};

export class RunningProxy implements AsyncDisposable {
  readonly url: string;
  readonly #folder: TemporaryFolder;
  readonly #child: Bun.Subprocess;

  private constructor(url: string, folder: TemporaryFolder, child: Bun.Subprocess) {
    this.url = url;
    this.#folder = folder;
    this.#child = child;
  }

  /** @param serverPort the port of the server on 127.0.0.1 */
  static async start(name: ProxyName, serverPort: number): Promise<RunningProxy> {
    const folder = temporaryFolder();
    const url = `http://localhost:${freePort()}`;
    const command = await COMMANDS[name](folder.path, url, serverPort);
    const child = Bun.spawn(command, { env: { HOME: folder.path }, stdout: 'ignore', stderr: 'ignore' });
    const proxy = new RunningProxy(url, folder, child);
    await until('the proxy answers', async () => {
      const response = await fetch(`${url}/health`).catch(() => null);
      await response?.arrayBuffer();
      return response?.status === 200;
    });
    return proxy;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill();
    await this.#child.exited;
    this.#folder[Symbol.dispose]();
  }
}

/** Writes the configuration into the folder. @returns the command that runs the proxy */
const COMMANDS: Readonly<
  Record<ProxyName, (folder: string, url: string, serverPort: number) => Promise<string[]>>
> = {
  async caddy(folder, url, serverPort) {
    const shipped = await Bun.file(join(OPS, 'Caddyfile')).text();
    const site = shipped
      .replace('{\n\tservers {', '{\n\tadmin off\n\tservers {')
      // The tests send requests to the address, and Caddy answers a host that it does not know with an empty
      // 200. A site without a name serves every host.
      .replace('odds.example {', `http://:${new URL(url).port} {`)
      .replaceAll('127.0.0.1:3000', `127.0.0.1:${serverPort}`);
    const path = join(folder, 'Caddyfile');
    await Bun.write(path, site);
    return [PROXY_PROGRAMS.caddy!, 'run', '--adapter', 'caddyfile', '--config', path];
  },
  async nginx(folder, url, serverPort) {
    const shipped = await Bun.file(join(OPS, 'nginx.conf')).text();
    const site = shipped
      .replace('listen 80;', `listen 127.0.0.1:${new URL(url).port};`)
      .replaceAll('127.0.0.1:3000', `127.0.0.1:${serverPort}`);
    await Bun.write(join(folder, 'site.conf'), site);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${folder}/${name};`)
      .join(' ');
    const main = [
      `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;`,
      `events { worker_connections 4096; } http { ${temporary} include ${folder}/site.conf; }`,
    ].join('\n');
    await Bun.write(join(folder, 'nginx.conf'), main);
    return [PROXY_PROGRAMS.nginx!, '-c', join(folder, 'nginx.conf'), '-e', `${folder}/error.log`];
  },
};
