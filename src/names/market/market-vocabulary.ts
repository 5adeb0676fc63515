// The words that people write for markets, periods and outcomes, and those for markets that do not exist
// here. market-words.ts reads them in a text. Words are folded, and a hyphen or a slash between letters
// counts as a space.

import type { MarketType, Period } from '../../domain/catalogue.ts';

export type Meaning =
  | { readonly kind: 'market'; readonly market: MarketType }
  /** Totals if used alone; after a handicap, its unit: "-1.5 goals". */
  | { readonly kind: 'unit' }
  | { readonly kind: 'over' | 'under' | 'over_under' | 'draw' }
  /** "to win": a 1x2 if used alone; after a handicap, it shows whose handicap it is. */
  | { readonly kind: 'win'; readonly team?: 'home' | 'away' }
  /** "to beat": a win; it stands between the names of the two teams. */
  | { readonly kind: 'beat' }
  /** A win of the other team; `lose_to` stands between the names of the two teams. */
  | { readonly kind: 'lose' | 'lose_to' }
  | { readonly kind: 'period'; readonly period: Period }
  /** Scores are not a market, but score_prob answers about them. */
  | { readonly kind: 'score' }
  | { readonly kind: 'refused'; readonly name: string; readonly isPeriod?: boolean }
  /** Means nothing about the fixture or the market: "a good price?". */
  | { readonly kind: 'neutral' };

const BY_MEANING: readonly (readonly [Meaning, string])[] = [
  [
    { kind: 'market', market: '1x2' },
    '1x2, moneyline, moneylines, money line, ml, h2h, match odds, match result, match winner, full time result, 3 way, three way, straight up',
  ],
  [
    { kind: 'market', market: 'asian_handicap' },
    'asian handicap, asian handicaps, handicap, handicaps, ah, hcp, hdp, spread, spreads, point spread, asian line, asian, handicap asiatico, handicap asiatique',
  ],
  [
    { kind: 'market', market: 'totals' },
    'total, totals, total goals, total points, goal line, goalline, match total, game total, asian total, asian totals, match goals, total de goles',
  ],
  [{ kind: 'unit' }, 'goals, goal, points, pts, goles, gol, puntos, tore, buts, punkte'],
  [{ kind: 'over' }, 'over, overs, o, more than, above, mas de, plus de, uber, ueber, mehr als, acima de'],
  [
    { kind: 'under' },
    'under, unders, u, less than, fewer than, below, menos de, moins de, unter, weniger als, abaixo de',
  ],
  [{ kind: 'over_under' }, 'over under, over or under, under over, o u, ou'],
  [
    { kind: 'draw' },
    'draw, a draw, the draw, to draw, draws, tie, x, unentschieden, empate, pareggio, match nul',
  ],
  [
    { kind: 'win' },
    'to win, win, wins, winner, winning, will win, to win the match, to win the game, winning the match, winning the game, to win outright, winning outright, gewinnt, gana, vence, chi vince, vince, gagne, sieg',
  ],
  [{ kind: 'win', team: 'home' }, 'home win, home to win, home team to win, home side to win'],
  [{ kind: 'win', team: 'away' }, 'away win, away to win, away team to win, away side to win'],
  [
    { kind: 'beat' },
    'to beat, to defeat, beat, beats, beating, defeat, defeats, defeating, win against, wins against, winning against, to win against',
  ],
  [{ kind: 'lose' }, 'to lose, lose, loses, losing, will lose'],
  [
    { kind: 'lose_to' },
    'to lose to, lose to, loses to, losing to, to lose against, lose against, loses against',
  ],
  [
    { kind: 'period', period: 'half_time' },
    'first half, 1st half, half time, halftime, ht, 1h, h1, at the half, before the break, erste halbzeit, 1. halbzeit, halbzeit, primer tiempo, primera mitad, primo tempo, premiere mi temps',
  ],
  [
    { kind: 'period', period: 'full_time' },
    'full time, fulltime, ft, 90 minutes, 90 min, 90 mins, regular time, regulation, regulation time, full match, full game, whole match',
  ],
  [
    { kind: 'score' },
    'correct score, correct scores, exact score, exact scores, likeliest score, likeliest scores',
  ],
  [
    { kind: 'neutral' },
    'good price, good bet, good value, good odds, a good price, a good bet, good, bad, great, fair price, worth it, worth backing, worth a bet, should i bet, should i back, should i take, value bet',
  ],
];

/** Markets that are not offered, by the name an error uses. */
const REFUSED: Readonly<Record<string, string>> = {
  'both teams to score':
    'btts, bts, gg, gg ng, both teams to score, both teams score, both to score, both sides to score, goal goal',
  corners: 'corner, corners, corner kicks, asian corners, corner handicap',
  cards:
    'card, cards, booking, bookings, booking points, yellow card, yellow cards, red card, red cards, yellows, cautions, sending off',
  'double chance':
    'double chance, 1x, x2, win or draw, to win or draw, draw or win, or draw, not to lose, avoid defeat',
  'draw no bet': 'draw no bet, dnb',
  'half-time/full-time': 'ht ft, half time full time, halftime fulltime, double result',
  goalscorers:
    'anytime scorer, anytime goalscorer, anytime goal scorer, anytime, first goalscorer, first goal scorer, last goalscorer, first scorer, goalscorer, goalscorers, goal scorer, scorer, scorers, to score first, to score last, first to score, to score, to score anytime, hat trick, hattrick, top scorer, top goalscorer',
  'first or next goal': 'first goal, next goal, last goal, first team to score, next team to score, no goal',
  'team totals':
    'team total, team totals, team goals, team points, home total, away total, home goals, away goals, individual total',
  'clean sheets and win to nil': 'clean sheet, clean sheets, win to nil, to win to nil, to nil',
  'odd/even': 'odd even, odd or even, even odd, odd goals, even goals, odd total, even total',
  'player props':
    'prop, props, player prop, player props, player points, player shots, rebounds, assists, three pointers, double double, triple double, steals, blocks',
  outrights:
    'outright, outrights, futures, future odds, ante post, to win the league, winning the league, winning the title, winning the cup, to win the title, to win the cup, to win the tournament, to win the championship, to win the group, to win the division, to win the conference, to win the finals, to win the series, to win the trophy, win the league, win the title, win the cup, win the championship, win the nba, to win the nba, league winner, cup winner, title winner, title odds, relegation, to be relegated, relegated, promotion, to be promoted, top 4, top four, top 6',
  'qualification and extra time':
    'to qualify, to advance, to progress, to go through, qualification, to lift the trophy, extra time, overtime, penalty shootout, penalties, penalty, method of victory',
  'winning margins':
    'by, winning margin, margin of victory, to win by, win by, wins by, winning by, race to, both halves, either half, highest scoring half, half with most goals, lead at half time',
  'European handicaps':
    'european handicap, 3 way handicap, three way handicap, handicap 3 way, handicap result',
  'shots, fouls and the like':
    'shots, shots on target, sot, fouls, offside, offsides, throw ins, throw in, goal kicks, goal kick, possession, tackles, saves, own goal',
  'counts without a line ("over 2.5" is three or more)':
    'at least, at most, or more, or fewer, or less, exactly, no more than, no fewer than',
  'several bets in one':
    'parlay, parlays, accumulator, acca, same game parlay, sgp, bet builder, betbuilder, teaser, treble',
};

/** Periods that are not offered. */
const REFUSED_PERIODS: Readonly<Record<string, string>> = {
  'the second half': 'second half, 2nd half, 2h, h2',
  quarters:
    'quarter, first quarter, 1st quarter, second quarter, 2nd quarter, third quarter, 3rd quarter, fourth quarter, 4th quarter, q1, q2, q3, q4, 1q, 2q, 3q, 4q',
  'parts of a half': '10 minutes, 15 minutes, first 10 minutes, first 15 minutes, 30 minutes, 5 minutes',
};

/** Phrases by their words, with single spaces between the words. */
export const MEANINGS: ReadonlyMap<string, Meaning> = meanings();
/** Number of words of the longest phrase. */
export const PHRASE_WORDS_MAX = Math.max(...[...MEANINGS.keys()].map((phrase) => phrase.split(' ').length));

function meanings(): Map<string, Meaning> {
  const found = new Map<string, Meaning>();
  const add = (phrases: string, meaning: Meaning): void => {
    for (const phrase of phrases.split(', ')) found.set(phrase, meaning);
  };
  for (const [meaning, phrases] of BY_MEANING) add(phrases, meaning);
  for (const [name, phrases] of Object.entries(REFUSED)) add(phrases, { kind: 'refused', name });
  for (const [name, phrases] of Object.entries(REFUSED_PERIODS))
    add(phrases, { kind: 'refused', name, isPeriod: true });
  return found;
}
