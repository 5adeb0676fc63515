import { join } from 'node:path';

/**
 * Bundles the program of a child process. If a test starts it many times, this makes each start cheaper.
 * @returns the path of the program in the folder
 */
export async function bundleChild(path: string, folder: string): Promise<string> {
  const { outputs } = await Bun.build({ entrypoints: [path], target: 'bun', outdir: join(folder, 'child') });
  return outputs[0]!.path;
}
