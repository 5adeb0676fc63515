// The environment of programs that a test starts: the path to programs, the variables that test/all.ts sets
// for the engine, and the clock of libfaketime if the whole run uses it. Nothing else of the machine's
// environment is passed on.

const INHERITED = ['PATH', 'LD_PRELOAD', /^BUN_JSC_/, /^MIMALLOC_/, /^FAKETIME/];

export function childEnvironment(): Record<string, string> {
  const inherited: Record<string, string> = { PATH: '' };
  for (const [name, value] of Object.entries(process.env)) {
    const wanted = INHERITED.some((one) => (typeof one === 'string' ? one === name : one.test(name)));
    if (wanted && value !== undefined) inherited[name] = value;
  }
  return inherited;
}

/** The environment without libfaketime, for programs that do not start under it, such as Redis. */
export function realTimeEnvironment(): Record<string, string | undefined> {
  return { ...process.env, LD_PRELOAD: undefined };
}
