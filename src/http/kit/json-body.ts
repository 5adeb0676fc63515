// A bounded reader of JSON bodies: the media type is checked before a byte is read, and reading stops at the limit.

import { detailOf } from '../../contract/input-failure.ts';
import { ServiceError, ValidationError } from '../../errors.ts';

/**
 * Reads and parses a JSON body. A request without a body and without a media type reads as an empty object.
 * @param bytesMax limit of the body
 * @throws ServiceError 415 when it is not application/json, 413 when it is larger than `bytesMax`, 400 when the client
 * left before its end or framed it wrongly
 * @throws ValidationError when it is not UTF-8 or not JSON
 */
export async function readJsonBody(request: Request, bytesMax: number): Promise<unknown> {
  const contentType = request.headers.get('content-type');
  if (contentType === null && (request.body === null || request.headers.get('content-length') === '0'))
    return {};
  if (!isJson(contentType)) {
    throw new ServiceError('invalid_request', 'Cannot read the body: it is not application/json', {
      status: 415,
      fix: 'Send the header Content-Type: application/json',
    });
  }
  if (Number(request.headers.get('content-length') ?? 0) > bytesMax) throw tooLarge(bytesMax);
  const bytes = await readBytes(request, bytesMax).catch((error: unknown) => {
    // Reading fails in no other way than by what the client did: it left, or framed its chunks wrongly.
    throw error instanceof ServiceError ? error : cutShort();
  });
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new ValidationError([detailOf(['json_invalid', 'Body should be valid JSON in UTF-8'], ['body'])]);
  }
}

/** The 413 answer. */
export function tooLarge(bytesMax: number): ServiceError {
  return new ServiceError('invalid_request', `Cannot read the body: it is larger than ${bytesMax} bytes`, {
    status: 413,
    fix: `Send at most ${bytesMax} bytes`,
  });
}

function cutShort(): ServiceError {
  return new ServiceError('invalid_request', 'Cannot read the body: it ended before it was complete', {
    fix: 'Send as many bytes as Content-Length says, or well-formed chunks',
  });
}

async function readBytes(request: Request, bytesMax: number): Promise<Uint8Array> {
  if (request.headers.get('content-length') !== null) return request.bytes();
  const chunks: Uint8Array[] = [];
  let length = 0;
  if (request.body !== null) {
    for await (const chunk of request.body) {
      length += chunk.byteLength;
      if (length > bytesMax) throw tooLarge(bytesMax);
      chunks.push(chunk);
    }
  }
  return Buffer.concat(chunks, length);
}

/** `application/json`, alone or with charset=utf-8. */
function isJson(contentType: string | null): boolean {
  if (contentType === null) return false;
  if (contentType === 'application/json') return true;
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  if (type.trim() !== 'application/json') return false;
  return parameters.every((text) => {
    const [name = '', value = ''] = text.trim().split('=');
    return name !== 'charset' || /^"?utf-?8"?$/.test(value);
  });
}
