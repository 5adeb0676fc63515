// Random texts of accounts, and their hashes. Randomness comes in as an argument.

/** Fills a buffer with random bytes, as `crypto.getRandomValues` does. */
export type FillRandom = (bytes: Uint8Array<ArrayBuffer>) => unknown;

const TOKEN_BYTES = 32;
const KEY_ID_BYTES = 10;
const CODE_VALUES = 1_000_000;
/** Largest multiple of a million below 2^32: draws from here on are drawn again. */
const UNBIASED_DRAWS = Math.floor(2 ** 32 / CODE_VALUES) * CODE_VALUES;

/** A session token with 256 bits of randomness. */
export function createSessionToken(fillRandom: FillRandom): string {
  return `ses_${Buffer.from(randomBytes(fillRandom, TOKEN_BYTES)).toString('base64url')}`;
}

/** A key id: `key_` and 20 hexadecimal digits. It names a key and is no secret. */
export function createKeyId(fillRandom: FillRandom): string {
  return `key_${Buffer.from(randomBytes(fillRandom, KEY_ID_BYTES)).toString('hex')}`;
}

/** Six digits, each code equally likely. */
export function createVerificationCode(fillRandom: FillRandom): string {
  for (;;) {
    const draw = new DataView(randomBytes(fillRandom, 4).buffer).getUint32(0);
    if (draw < UNBIASED_DRAWS) return String(draw % CODE_VALUES).padStart(6, '0');
  }
}

/** A secret for HMAC, 64 hexadecimal digits. */
export function createHmacSecret(fillRandom: FillRandom): string {
  return Buffer.from(randomBytes(fillRandom, TOKEN_BYTES)).toString('hex');
}

/** SHA-256 as 64 hexadecimal digits: enough for texts that cannot be guessed. */
export function hashText(text: string): string {
  return new Bun.CryptoHasher('sha256').update(text).digest('hex');
}

/** The id of the account of an address: the same for every sign-up, and no one without the secret can compute it. */
export function accountIdOf(email: string, secret: string): string {
  return `acc_${new Bun.CryptoHasher('sha256', secret).update(email).digest('hex').slice(0, 24)}`;
}

function randomBytes(fillRandom: FillRandom, length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  fillRandom(bytes);
  return bytes;
}
