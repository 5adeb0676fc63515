// A program that keeps mirrors with the TypeScript client and prints, for each change, which version it holds and a digest
// of it. test/clients/mirrors.test.ts bundles it and runs it under every runtime that is there. Arguments: url, key and a
// list of mirrors as JSON.

import * as msgpack from 'msgpackr';
import { createClient, type MirrorOptions } from '../../clients/typescript/src/index.ts';
import { digestOf } from './digest.ts';

const [url, key, list] = process.argv.slice(2);
const own = { url: url!, key: key! };
const [client, packing] = [createClient(own), createClient({ ...own, msgpack })];

interface Wish extends MirrorOptions {
  readonly name: string;
  /** Whether it takes MessagePack. */
  readonly isPacked?: boolean;
}

async function follow({ name, isPacked, ...options }: Wish): Promise<void> {
  const reconnect = { firstPauseMs: 50, pauseMsMax: 400 };
  const mirror = (isPacked ? packing : client).mirror({ ...options, reconnect });
  for await (const _change of mirror) {
    // The mirror may be further than the change that woke this loop: what is read goes with its own cursor.
    const { cursor } = mirror;
    const held = Array.from(mirror.fixtures(), ({ quotes, ...fixture }) => ({
      ...fixture,
      quotes: quotes.values(),
    }));
    console.log(JSON.stringify({ name, cursor, digest: digestOf(held) }));
  }
}

for (const options of JSON.parse(list!) as Wish[]) void follow(options);
