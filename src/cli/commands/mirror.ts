// `overround mirror`: keeps the slate and its changes in a file, and resumes at the end of the file.

import { CommandFailure, EXIT_STATUSES } from '../../terminal/failure.ts';
import { countText } from '../../terminal/fixture-text.ts';
import { follow } from '../../terminal/follow.ts';
import { MirrorFile } from '../../terminal/mirror-file.ts';
import { Server } from '../../terminal/server.ts';
import { plainText } from '../../terminal/text.ts';
import type { Command, CommandInput } from '../command.ts';
import { FOLLOW_FLAGS, slateParameters, stopOf } from '../server-flags.ts';

export const mirrorCommand: Command = {
  name: 'mirror',
  summary: 'Writes the slate and its changes to a file, and resumes where the file ends',
  flags: {
    to: { value: 'file', help: 'newline-delimited JSON (docs/reference/cli.md)', isRequired: true },
    once: { help: 'updates the file and exits, for use with a timer' },
    ...FOLLOW_FLAGS,
  },
  examples: ['mirror --to prices.ndjson', 'mirror --to live.ndjson --status live --once'],
  run: mirror,
};

async function mirror(input: CommandInput): Promise<number> {
  const server = new Server(input);
  const parameters = slateParameters(input);
  const file = new MirrorFile(input.flags.to!, parameters);
  try {
    const { since, cutBytes } = file;
    if (cutBytes > 0) input.writeError(`Cut ${cutBytes} bytes after the last whole line of ${file.path}`);
    input.writeError(`${since === null ? 'Starts' : 'Resumes'} ${file.path}, from ${server.url}`);
    await write(input, server, parameters, file);
    const { lineCount, byteCount, path } = file;
    const report = { file: path, resumed: since !== null, lines_written: lineCount, bytes: byteCount };
    input.writeOutput(
      input.flags.json === undefined
        ? `Wrote ${countText(lineCount, 'line')} to ${path}, ${byteCount} bytes`
        : JSON.stringify(report),
    );
    return 0;
  } finally {
    file.close();
  }
}

async function write(
  input: CommandInput,
  server: Server,
  parameters: Readonly<Record<string, string | undefined>>,
  file: MirrorFile,
): Promise<void> {
  const stop = stopOf(input);
  const onPause = (text: string) => input.writeError(plainText(text));
  const events = follow({ server, parameters, since: file.since, stop: stop.signal, onPause });
  try {
    for await (const { name, data } of events) {
      if (name === 'snapshot' || name === 'delta') file.append(name, data, input.clock.wallMs());
      const isCurrent = name === 'delta' || name === 'heartbeat' || (name === 'snapshot' && data.last);
      if (!isCurrent || input.flags.once === undefined) continue;
      stop.abort();
      return;
    }
  } catch (error) {
    const isRefused = error instanceof CommandFailure && error.exitStatus === EXIT_STATUSES.notUnderstood;
    if (!isRefused || file.since === null) throw error;
    const fix = `If ${file.path} was started with a key of another tier, use that key or another file`;
    throw new CommandFailure('notUnderstood', error.message, fix);
  }
}
