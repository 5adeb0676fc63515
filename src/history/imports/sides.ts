// A source may list a match with home and away swapped, and later the other way round. All rows of a fixture
// have the sides that were stated last, so the prices of an answer with swapped sides are swapped too.

import { lineKeyOf, NO_PRICES, type PricesE4, type Tick, type TickFixture, type TickLine } from '../tick.ts';

type Sides = Pick<TickFixture, 'home' | 'away'>;

/** Whether one fixture has home and away swapped compared with the other. One of the names may be new. */
export function areTurned(one: Sides, other: Sides): boolean {
  const isSame = one.home === other.home || one.away === other.away;
  return !isSame && (one.home === other.away || one.away === other.home);
}

/** The line seen from the other side. A handicap is always the home side's. */
export function turnedLine<Line extends TickLine>(line: Line): Line {
  if (line.marketType !== 'asian_handicap' || line.line === null) return line;
  return { ...line, line: 0 - line.line };
}

export function turnedPrices({ home, draw, away, over, under }: PricesE4): PricesE4 {
  return { ...NO_PRICES, home: away, draw, away: home, over, under };
}

/** The tick as it would be if the source had listed the fixture with these sides. */
export function withSides<Row extends Sides & TickLine & SidedCounts>(row: Row, sides: Sides): Row {
  if (!areTurned(row, sides)) return row;
  return {
    ...turnedLine(row),
    ...{ home: row.away, away: row.home, pricesE4: turnedPrices(row.pricesE4) },
    ...{ scoreHome: row.scoreAway, scoreAway: row.scoreHome },
  };
}

type SidedCounts = Pick<Tick, 'pricesE4' | 'scoreHome' | 'scoreAway'>;

/** Like `lineKeyOf`, for the line seen from the other side. */
export function turnedKeyOf(line: TickLine): string {
  return lineKeyOf(turnedLine(line));
}
