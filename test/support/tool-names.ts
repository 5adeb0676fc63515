/**
 * Every agent tool, in the order of the manifest. If a new tool is added here, all tests that read this list
 * call it.
 */
export const TOOL_NAMES: readonly string[] = [
  ...['get_sharp_line', 'find_match', 'match_info', 'get_match_odds', 'compare_lines', 'explain_handicap'],
  ...['list_today_matches', 'list_events', 'list_bookmakers', 'get_opening_line'],
  ...['get_closing_line', 'line_history', 'find_value'],
  ...['find_arbitrage', 'find_middles', 'compare_prob', 'score_prob', 'scan_slate'],
  ...['signal_record', 'list_movers'],
  ...['compare_books', 'list_leagues', 'list_results', 'get_result'],
];
