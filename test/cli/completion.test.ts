// `overround completion`, and `overround version`.

import { describe, expect, test } from 'bun:test';
import { SCHEMA_VERSION } from '../../src/storage/database-schema.ts';
import { VERSION } from '../../src/version.ts';
import { runForText } from './text-run.ts';

test('version names the release, Bun and the schema', async () => {
  const { output } = await runForText(['version']);
  expect(output).toStartWith(`overround ${VERSION}, Bun ${Bun.version}, `);
  expect(output).toEndWith(`schema version ${SCHEMA_VERSION}`);
});

describe('completion', () => {
  /** The completions that the shell itself offers after these words. */
  async function offered(shell: 'bash' | 'zsh' | 'fish', words: readonly string[]): Promise<string[]> {
    const { output } = await runForText(['completion', shell]);
    const ask = {
      bash: `${output}\nCOMP_WORDS=(overround ${words.map((word) => `"${word}"`).join(' ')}); COMP_CWORD=${words.length}; _overround; printf '%s\\n' "\${COMPREPLY[@]}"`,
      // zsh completes only in its line editor, so _describe prints the words that it would offer there.
      zsh: `compdef() { :; }; _files() { :; }; _describe() { print -l -- "\${choices[@]%%:*}"; }\n${output}\nwords=(overround ${words.map((word) => `"${word}"`).join(' ')}); CURRENT=${words.length + 1}; _overround`,
      fish: `${output}\ncomplete -C "overround ${words.join(' ')}"`,
    }[shell];
    const { stdout, stderr } = Bun.spawnSync([shell, '-c', ask]);
    expect(stderr.toString()).toBe('');
    return stdout
      .toString()
      .split('\n')
      .map((line) => line.split('\t')[0]!)
      .filter((word) => word.startsWith(words.at(-1)!) && word !== '');
  }

  for (const shell of ['bash', 'zsh', 'fish'] as const) {
    // bash is installed everywhere; the others are tested if they are installed.
    test.skipIf(Bun.which(shell) === null)(
      `${shell} completes commands, second words and flags`,
      async () => {
        expect(await offered(shell, ['backu'])).toEqual(['backup']);
        expect((await offered(shell, ['keys', ''])).sort()).toEqual(
          expect.arrayContaining(['create', 'list', 'rotate']),
        );
        expect((await offered(shell, ['keys', 'create', '--t'])).sort()).toEqual(['--tier']);
        expect(await offered(shell, ['doctor', '--js'])).toEqual(['--json']);
      },
    );
  }

  test('another shell is refused', async () => {
    expect((await runForText(['completion', 'tcsh'])).errors).toContain('allowed is bash, zsh, fish');
  });
});
