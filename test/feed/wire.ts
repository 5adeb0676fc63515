// Wire messages of every type, valid in every field, for tests to break or to vary.

export type WireMessage = Record<string, unknown>;

const AT = '2026-03-01T12:00:00.000Z';

/** Unix ms as wire text. */
export function wireTime(ms: number): string {
  return new Date(ms).toISOString();
}

export function helloWire(fields: WireMessage = {}): WireMessage {
  return { type: 'hello', protocol: 1, source: 'test', at: AT, ...fields };
}

export function eventWire(seq: number, event = 'e1', fields: WireMessage = {}): WireMessage {
  return {
    type: 'event',
    seq,
    at: AT,
    event,
    sport: 'football',
    league: { key: 'l1', name: 'League One' },
    home: { key: `${event}-home`, name: `Home of ${event}` },
    away: { key: `${event}-away`, name: `Away of ${event}` },
    scheduled_at: '2026-03-01T15:00:00Z',
    ...fields,
  };
}

export function stateWire(seq: number, event = 'e1', fields: WireMessage = {}): WireMessage {
  const played = { status: 'live', clock: '1h 12', score: [1, 0], cards: [0, 0] };
  return { type: 'state', seq, at: AT, event, ...played, ...fields };
}

const LINE = { bookmaker: 'crown', market_type: 'asian_handicap', period: 'full_time', line: -0.75 };

export function quoteWire(seq: number, event = 'e1', fields: WireMessage = {}): WireMessage {
  return { type: 'quote', seq, at: AT, event, ...LINE, prices: [1.95, 1.97], status: 'open', ...fields };
}

export function closeWire(seq: number, event = 'e1', fields: WireMessage = {}): WireMessage {
  return { type: 'close', seq, at: AT, event, ...LINE, ...fields };
}

export function removeWire(seq: number, event = 'e1', fields: WireMessage = {}): WireMessage {
  return { type: 'remove', seq, at: AT, event, ...fields };
}

export function resultWire(seq: number, event = 'e1', fields: WireMessage = {}): WireMessage {
  const ended = { score: [2, 1], red_cards: [0, 1], finished_at: '2026-03-01T16:50:00Z' };
  return { type: 'result', seq, at: AT, event, ...ended, ...fields };
}

export function liquidityWire(seq: number, event = 'e1', fields: WireMessage = {}): WireMessage {
  return {
    type: 'liquidity',
    seq,
    at: AT,
    event,
    bookmaker: 'crown',
    currency: 'USD',
    rows: [
      { market_type: '1x2', period: 'full_time', line: null, sizes: [120.5, 80, 0], matched: 1_000 },
      { market_type: 'totals', period: 'full_time', line: 2.5, sizes: [33, 12.25], matched: null },
    ],
    ...fields,
  };
}

export function heartbeatWire(seq: number, fields: WireMessage = {}): WireMessage {
  return { type: 'heartbeat', seq, at: AT, ...fields };
}

export function markWire(type: 'snapshot_begin' | 'snapshot_end', seq: number): WireMessage {
  return { type, seq };
}

/** One valid message of every type. */
export function everyMessage(): WireMessage[] {
  return [
    helloWire({ epoch: 'a' }),
    markWire('snapshot_begin', 1),
    eventWire(2, 'e1', { bookmakers: ['pinnacle'] }),
    stateWire(3),
    quoteWire(4, 'e1', { opened_at: AT, opening: [1.9, 2], opening_line: -0.25 }),
    closeWire(5),
    removeWire(6),
    resultWire(7),
    heartbeatWire(8, { event: 'e1', bookmakers: ['crown', 'sbobet'] }),
    quoteWire(9, 'e1', { status: 'suspended', withheld: true }),
    liquidityWire(10),
    markWire('snapshot_end', 11),
  ];
}
