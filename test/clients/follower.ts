// A program that keeps mirrors with the TypeScript client. For each change it prints the version that it
// holds and a digest of the content. test/clients/mirrors.test.ts bundles it and runs it on every installed
// runtime. Arguments: url, key and a list of mirrors as JSON.

import * as msgpack from 'msgpackr';
import { createClient, type MirrorOptions } from '../../clients/typescript/src/index.ts';
import { digestOf } from './digest.ts';

const [url, key, list] = process.argv.slice(2);
const own = { url: url!, key: key! };
const [client, packing] = [createClient(own), createClient({ ...own, msgpack })];

interface Wish extends MirrorOptions {
  readonly name: string;
  /** Whether it uses MessagePack. */
  readonly isPacked?: boolean;
}

async function follow({ name, isPacked, ...options }: Wish): Promise<void> {
  const reconnect = { firstPauseMs: 50, pauseMsMax: 400 };
  const mirror = (isPacked ? packing : client).mirror({ ...options, reconnect });
  for await (const _change of mirror) {
    // The mirror may already be later than this change, so the content is printed with the mirror's own
    // cursor.
    const { cursor } = mirror;
    const held = Array.from(mirror.fixtures(), ({ quotes, ...fixture }) => ({
      ...fixture,
      quotes: quotes.values(),
    }));
    console.log(JSON.stringify({ name, cursor, digest: digestOf(held) }));
  }
}

for (const options of JSON.parse(list!) as Wish[]) void follow(options);
