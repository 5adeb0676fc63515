// The public exports of the package.

export type { MirrorChange, Signal } from './changes.ts';
export { type ClientOptions, createClient, type OverroundClient } from './client.ts';
export { OverroundError } from './errors.ts';
export type { Mirror, MirrorOptions, MirrorState, ViewFilters } from './mirror.ts';
export type { Runtime } from './runtime.ts';
export type { components, operations, paths } from './schema.ts';
export type { SocketConstructor } from './sessions.ts';
export {
  type Event,
  type Fixture,
  type MatchState,
  type OddsQuote,
  type QuoteName,
  quoteKey,
} from './slate.ts';
export type { MessagePack } from './transport.ts';
