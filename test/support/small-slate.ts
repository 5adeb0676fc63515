/**
 * The simulated slate for tests that need no particular slate. It has a third of the default size. This makes
 * a start a fifth cheaper, and the suite starts several hundred servers.
 */
export const SMALL_SLATE = {
  SIMULATOR_FOOTBALL_FIXTURES: '40',
  SIMULATOR_BASKETBALL_FIXTURES: '10',
} as const;
