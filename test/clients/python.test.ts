// The Python client: its own tests, the programs of its README exactly as printed, and the package as users
// get it. That is a wheel, installed into an empty environment; mypy strictly checks a user's program
// there, and refuses a wrong one. The programs run against a server.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { StreamQuery } from '../../src/contract/stream/stream.ts';
import { PYTHON, PYTHON_NOTE } from '../support/python.ts';
import { type RunningService, runService } from '../support/running-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PACKAGE = new URL('../../clients/python/', import.meta.url).pathname;
const ENVIRONMENT = { PIP_DISABLE_PIP_VERSION_CHECK: '1', PIP_RETRIES: '0', PIP_DEFAULT_TIMEOUT: '5' };
const INSTALL_MS = 60_000;
/**
 * A cache that is kept from run to run. It has mypy and hatchling, if the machine does not have them, and
 * mypy's own cache about the libraries.
 */
const CACHE = new URL('../../node_modules/.cache/overround-python/', import.meta.url).pathname;
const folder = temporaryFolder();
const python = join(folder.path, 'environment/bin/python');
afterAll(() => folder[Symbol.dispose]());

const PROGRAM = `import os
from overround import Client

with Client(os.environ["OVERROUND_URL"], os.environ["OVERROUND_API_KEY"]) as client:
    events = client.list_events(status="scheduled", limit=3)["data"]
    with client.mirror(markets=["1x2"]).ready() as mirror:
        name: str = events[0]["home_team"]["name"]
        print(len(events), len(mirror) > 0, bool(name))
`;

function run(command: readonly string[], env: Record<string, string> = {}) {
  // LD_PRELOAD is emptied because Python cannot sleep under libfaketime.
  const all = { ...process.env, ...ENVIRONMENT, LD_PRELOAD: '', ...env };
  const child = Bun.spawnSync([...command], { cwd: folder.path, env: all, timeout: INSTALL_MS });
  return { ok: child.exitCode === 0, text: child.stdout.toString() + child.stderr.toString() };
}

/**
 * The executable behind the machine's python3, which may be a script of a version manager that is slow to
 * start. Null if there is none, or one before Python 3.10.
 */
function machinePython(): string | null {
  const found = run([
    'sh',
    '-c',
    "exec python3 -c 'import sys; print(sys.executable); sys.exit(sys.version_info < (3, 10))'",
  ]);
  return found.ok ? found.text.trim() : null;
}

/** The beginning of a shell command in which a Python installs packages into an environment. */
function pipInstall(python: string, environment: string): string {
  return `${python} -m pip --python ${environment} install --quiet --no-compile`;
}

/**
 * A Python that can run a module: an environment in CACHE, or the Python of the machine at this path. Null if
 * the module cannot be installed.
 */
function pythonWith(module: 'mypy' | 'hatchling', path: string): string | null {
  const kept = join(CACHE, `${module}-environment`);
  const own = join(kept, 'bin/python');
  const hasModule = (one: string) => run(['sh', '-c', `exec ${one} -c 'import ${module}'`]).ok;
  const found = [own, path].find(hasModule);
  if (found !== undefined) return found;
  // Renamed once it is whole, because another run may install it at the same time.
  const draft = `${kept}.${process.pid}`;
  run([path, '-m', 'venv', '--without-pip', draft]);
  if (run(['sh', '-c', `exec ${pipInstall(path, join(draft, 'bin/python'))} ${module}`]).ok)
    run(['mv', '-T', draft, kept]);
  rmSync(draft, { recursive: true, force: true });
  return hasModule(own) ? own : null;
}

/** Installs the wheel. @returns why it cannot be built or installed here; null when it is installed */
function installed(path: string): string | null {
  const builder = pythonWith('hatchling', path);
  if (builder === null) return 'hatchling cannot be installed';
  // With isolation, pip would download the build requirement for each build.
  const wheel = ['wheel', '--quiet', '--no-deps', '--no-build-isolation', '--wheel-dir', 'dist', PACKAGE];
  const steps = [
    [path, '-m', 'pip', '--python', builder, ...wheel],
    // An environment without its own pip is made in a tenth of the time.
    [path, '-m', 'venv', '--without-pip', 'environment'],
    ['sh', '-c', `exec ${pipInstall(path, python)} dist/*.whl`],
  ];
  for (const step of steps) {
    const { ok, text } = run(step);
    if (!ok) return `${step.slice(1, 4).join(' ')} failed: ${text.trim().split('\n').at(-1)}`;
  }
  return null;
}

let service: RunningService;
beforeAll(async () => {
  service = await runService({ SIMULATOR_FOOTBALL_FIXTURES: '20' });
}, 120_000);
afterAll(() => service[Symbol.asyncDispose](), 120_000);

let machine: string | null = null;
let problem: string | null = null;
beforeAll(() => {
  machine = machinePython();
  problem = machine === null ? 'there is no python3 of version 3.10 or later' : installed(machine);
}, 4 * INSTALL_MS);

test.skipIf(PYTHON === null)(
  'a mirror of the Python client accepts every filter and threshold of a stream',
  () => {
    const program =
      'import inspect, overround; print(*inspect.signature(overround.Client.mirror).parameters)';
    const { text } = run([PYTHON!.path, '-c', program], { ...PYTHON!.env, PYTHONPATH: join(PACKAGE, 'src') });
    const known = text.trim().split(' ');
    const missing = Object.keys(StreamQuery.properties).filter(
      (name) => !['since', 'ticket', ...known].includes(name),
    );
    expect(missing).toEqual([]);
  },
);

test.skipIf(PYTHON === null)(
  `the client's own tests pass${PYTHON_NOTE}`,
  async () => {
    const { path, env } = PYTHON!;
    const tests = Bun.spawn([path, '-W', 'error', '-m', 'unittest', 'discover', '-s', 'tests'], {
      cwd: PACKAGE,
      env: { ...process.env, ...env },
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const [errors, code] = await Promise.all([new Response(tests.stderr).text(), tests.exited]);
    expect(code, errors).toBe(0);
    expect(errors).toMatch(/Ran \d\d tests[\s\S]*\nOK\n$/);
  },
  120_000,
);

test.skipIf(PYTHON === null)(
  `the programs of the client's README run as printed${PYTHON_NOTE}`,
  async () => {
    const { path, env, hasPandas } = PYTHON!;
    const page = await Bun.file(join(PACKAGE, 'README.md')).text();
    const [start, calls, frame] = [...page.matchAll(/```python\n([\s\S]+?)```/g)].map((match) => match[1]!);
    // The first program of the page runs forever; here it ends after it has printed two lines.
    const stopped = start!.replace(
      /(print\(.*\))\n/,
      '$1\n        if change.cursor != (seen := globals().get("seen") or change.cursor): break\n',
    );
    await Bun.write(
      join(folder.path, 'readme.py'),
      [stopped, calls, hasPandas ? frame : '', 'print("done")\n'].join('\n'),
    );
    const program = Bun.spawn([path, join(folder.path, 'readme.py')], {
      env: { ...process.env, ...env, OVERROUND_URL: service.url, OVERROUND_API_KEY: service.key },
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const [output, errors, code] = await Promise.all([
      new Response(program.stdout).text(),
      new Response(program.stderr).text(),
      program.exited,
    ]);
    expect([errors, code]).toEqual(['', 0]);
    const lines = output.trim().split('\n');
    expect(lines.filter((line) => line.endsWith('fixtures moved'))).toHaveLength(2);
    expect(lines.at(-1)).toBe('done');
    if (hasPandas) expect(output).toMatch(/asian_handicap +crown +\d+/);
  },
  120_000,
);

/**
 * A test of the installed wheel. Where it cannot be installed, the test passes and prints why it tested
 * nothing.
 */
function installedTest(name: string, body: () => void | Promise<void>): void {
  test(name, async () => {
    if (problem === null) await body();
    else console.info(`not tested, because the wheel cannot be installed: ${problem}`);
  }, 120_000);
}

installedTest('the wheel has the version of the server, its types, and no tests', () => {
  const listed = run([
    python,
    '-c',
    'import importlib.metadata as m; print(m.version("overround")); print(*m.files("overround"), sep="\\n")',
  ]).text.split('\n');
  expect(listed[0]).toBe(packageJson.version);
  expect(listed).toContain('overround/py.typed');
  expect(listed.filter((file) => /test/.test(file))).toEqual([]);
});

installedTest("a user's program runs with the installed wheel against a server", async () => {
  await Bun.write(join(folder.path, 'right.py'), PROGRAM);
  const env = { ...process.env, LD_PRELOAD: '', OVERROUND_URL: service.url, OVERROUND_API_KEY: service.key };
  const child = Bun.spawn([python, 'right.py'], { cwd: folder.path, env, stdout: 'pipe', stderr: 'pipe' });
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  expect([output, errors]).toEqual(['3 True True\n', '']);
});

installedTest('mypy --strict accepts a right program and refuses a wrong one', async () => {
  const mypy = pythonWith('mypy', machine!);
  if (mypy === null) {
    console.info('not tested, because mypy cannot be installed');
    return;
  }
  await Bun.write(join(folder.path, 'right.py'), PROGRAM);
  await Bun.write(join(folder.path, 'wrong.py'), PROGRAM.replace('status="scheduled"', 'status="over"'));
  const options = ['--strict', '--python-executable', python, '--cache-dir', join(CACHE, 'mypy')];
  const { text } = run([mypy, '-m', 'mypy', ...options, 'right.py', 'wrong.py']);
  expect(text).toMatch(/^wrong\.py:5: error: .*Literal\['over'\]/);
  expect(text).toContain('Found 1 error in 1 file (checked 2 source files)');
});
