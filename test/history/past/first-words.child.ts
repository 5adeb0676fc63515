// Prints how many turns of the event loop the first and the second question by words about the past take, in
// a process that has read no tables of names yet.

import { FixturesOnTape } from '../../../src/history/past/find-on-tape.ts';
import { TeamsOnTape } from '../../../src/history/past/teams-on-tape.ts';
import { NameCache } from '../../../src/names/text/parse-name.ts';
import { turnsDuring } from '../../support/turns-during.ts';

const SEEN = { part: 'all', ofClass: 'paid' } as const;

const teams = new TeamsOnTape(new NameCache());
const fixtures = new FixturesOnTape(new NameCache());
const question = { query: 'Arsenal vs Chelsea', date: '2026-03-01' };
const questions = {
  teams: () => teams.eventsNamed({ ...SEEN, fixtures: [], q: 'Arsenal', sport: null }),
  find: () => fixtures.find({ ...SEEN, summaries: new Map(), question, nowMs: 0 }),
};
const turns = [];
for (const ask of [questions.teams, questions.find, questions.teams, questions.find]) {
  turns.push(await turnsDuring(ask));
}
process.stdout.write(JSON.stringify(turns));
