// The body of an answer as it goes to the socket: in the form that its caller takes, and in pieces where it is large.

import { codedPieces, FormedAnswer, type Forms, packed } from './forms.ts';
import { MadePieces, PIECE_BYTES, piecesOf, type ReplyBody } from './reply.ts';
import { type Coding, PLAIN, type Representation } from './representation.ts';

export interface SentBody {
  readonly body: Exclude<ReplyBody, MadePieces | FormedAnswer>;
  /** How it is compressed. */
  readonly coding: Coding | null;
  /** Whether this is for a HEAD whose GET would be a stream or made in pieces: its length is known when it has ended. */
  readonly isLengthUnknown: boolean;
}

export interface SentBodyOptions {
  readonly form: Representation;
  readonly forms: Forms;
  /** Whether the answer is 304. */
  readonly isUnchanged: boolean;
  readonly isHead: boolean;
  /** Makes a stream of pieces that holds the request's place in flight until its end. */
  readonly inPieces: (pieces: Iterator<Uint8Array>, onEnd: () => void) => ReadableStream<Uint8Array>;
}

const NO_BODY: SentBody = { body: null, coding: null, isLengthUnknown: false };

/**
 * A large body that was made for this request alone is sent in pieces and holds a place in flight until the client has read
 * it. A Blob is sent as it is: all its readers share one copy.
 * @throws ServiceError 503 when there is no place in flight
 */
export function sentBodyOf(
  body: ReplyBody,
  { form, forms, isUnchanged, isHead, inPieces }: SentBodyOptions,
): SentBody {
  const { coding } = form;
  if (body instanceof MadePieces) {
    if (!isUnchanged && !isHead)
      return sent(
        inPieces(body.as(form), () => body.end()),
        coding,
      );
    body.end();
    return isUnchanged ? NO_BODY : { body: null, coding, isLengthUnknown: true };
  }
  if (isUnchanged || body === null) return NO_BODY;
  if (body instanceof FormedAnswer) {
    const made = body.body(form);
    return sent(made.body, made.coding);
  }
  if (body instanceof ReadableStream && isHead) return { body: null, coding: null, isLengthUnknown: true };
  if (body instanceof Blob || body instanceof ReadableStream) return sent(body, null);
  if (form === PLAIN && (body.length <= PIECE_BYTES || isHead)) return sent(body, null);
  const json = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  if (json.byteLength <= PIECE_BYTES) {
    const made = forms.of(json, form);
    return sent(made.body, made.coding);
  }
  if (isHead) return { body: null, coding, isLengthUnknown: true };
  const bytes = form.isPacked ? packed(JSON.parse(new TextDecoder().decode(json))) : json;
  const pieces = piecesOf(bytes);
  return sent(
    inPieces(coding === null ? pieces : codedPieces(pieces, coding), () => undefined),
    coding,
  );
}

function sent(body: SentBody['body'], coding: Coding | null): SentBody {
  return { body, coding, isLengthUnknown: false };
}
