// Resources, their completion and prompts agree with the tools, for the SDK's own client in every protocol
// version.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { TOOL_NAMES } from '../support/tool-names.ts';
import { NAMED_NOW, namedWires } from '../tools/named-slate.ts';
import { ToolService } from '../tools/tool-service.ts';
import { connect, ERAS } from './serve.ts';

let service: ToolService;
beforeAll(async () => {
  service = await ToolService.play(namedWires(), NAMED_NOW);
});
afterAll(() => service[Symbol.asyncDispose]());

for (const { era, mode } of ERAS) {
  describe(`${era} client`, () => {
    test('the resources of the slate, the bookmakers and a fixture contain what their tools answer', async () => {
      await using client = await connect(`${service.url}/mcp`, mode, await service.keyOf('enterprise'));
      const { resources } = await client.listResources();
      const pages = ['agents', 'decisions', 'limits', 'names', 'signals'];
      expect(resources.map(({ uri }) => uri).sort()).toEqual([
        'overround://bookmakers',
        ...pages.map((page) => `overround://docs/${page}`),
        'overround://signals',
        'overround://slate',
      ]);
      for (const page of pages) {
        const { contents } = await client.readResource({ uri: `overround://docs/${page}` });
        const text = await Bun.file(
          join(import.meta.dir, `../../docs/${page === 'agents' ? 'guide' : 'reference'}/${page}.md`),
        ).text();
        expect(contents).toMatchObject([{ mimeType: 'text/markdown', text }]);
      }
      const { resourceTemplates } = await client.listResourceTemplates();
      expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
        'overround://fixture/{query}',
        'overround://league/{league}',
        'overround://odds/{event_id}',
      ]);
      const { leagues } = await service.answer('enterprise', 'list_leagues', {});
      const [league] = leagues as { id: string }[];
      for (const [uri, tool, args] of [
        ['overround://slate', 'list_today_matches', { verbosity: 'terse', limit: 200 }],
        ['overround://bookmakers', 'list_bookmakers', {}],
        [
          `overround://fixture/${encodeURIComponent('Arsenal vs Chelsea')}`,
          'match_info',
          { query: 'Arsenal vs Chelsea' },
        ],
        [
          `overround://league/${encodeURIComponent(league!.id)}`,
          'list_today_matches',
          { verbosity: 'terse', limit: 200, league: league!.id },
        ],
      ] as const) {
        const { contents } = await client.readResource({ uri });
        const [content] = contents as unknown as [{ text: string }];
        expect(JSON.parse(content.text)).toEqual(await service.answer('enterprise', tool, args));
      }
    });

    test('an address with a broken percent escape is invalid parameters, not an internal error', async () => {
      await using client = await connect(`${service.url}/mcp`, mode, await service.keyOf('enterprise'));
      for (const kind of ['fixture', 'league']) {
        const read = client.readResource({ uri: `overround://${kind}/%E0%A4%A` });
        await expect(read).rejects.toMatchObject({
          code: -32_602,
          message: expect.stringContaining('percent escape'),
        });
      }
    });

    test('completes the names of teams and leagues', async () => {
      await using client = await connect(`${service.url}/mcp`, mode, await service.keyOf('enterprise'));
      const { completion } = await client.complete({
        ref: { type: 'ref/resource', uri: 'overround://fixture/{query}' },
        argument: { name: 'query', value: 'ars' },
      });
      expect(completion.values).toEqual(['Arsenal']);
      const { leagues } = (await service.answer('enterprise', 'list_leagues', {})) as {
        leagues: { name: string }[];
      };
      const typed = leagues[0]!.name.slice(1, 5).toUpperCase();
      const { completion: named } = await client.complete({
        ref: { type: 'ref/resource', uri: 'overround://league/{league}' },
        argument: { name: 'league', value: typed },
      });
      expect(named.values).toEqual(
        [...new Set(leagues.map(({ name }) => name))].filter((name) => name.toUpperCase().includes(typed)),
      );
    });

    test('every tool that a prompt names exists', async () => {
      await using client = await connect(`${service.url}/mcp`, mode, await service.keyOf('enterprise'));
      const { prompts } = await client.listPrompts();
      expect(prompts.map(({ name }) => name)).toEqual(['days_brief', 'check_my_price', 'watch_match']);
      for (const { name } of prompts) {
        const { messages } = await client.getPrompt({ name });
        const [{ content }] = messages as unknown as [{ content: { text: string } }];
        const named = content.text.match(/\b(?:list|scan|compare|get|find)_[a-z_]+\b|\bmatch_info\b/g) ?? [];
        expect(named.length).toBeGreaterThan(0);
        expect(named.filter((tool) => !TOOL_NAMES.includes(tool) && tool !== 'match_info')).toEqual([]);
      }
    });
  });
}
