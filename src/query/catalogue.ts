// The fixed lists: sports and bookmakers with their ids, made once.

import type { Bookmaker, Sport } from '../contract/catalogue.ts';
import { BOOKMAKERS, SPORTS } from '../domain/catalogue.ts';
import { encodeId } from '../domain/ids.ts';

export const SPORT_LIST: readonly Sport[] = SPORTS.map(({ number, key, name }) => ({
  id: encodeId('sport', number),
  key,
  name,
}));

export const BOOKMAKER_LIST: readonly Bookmaker[] = BOOKMAKERS.map((book) => ({
  id: encodeId('bookmaker', book.number),
  key: book.key,
  name: book.name,
  class: book.class,
}));
