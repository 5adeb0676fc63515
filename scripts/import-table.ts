// The table of docs/architecture.md: who may import whom and who alone may touch what, from the rules that a test
// holds src/ against.

import { BANS, ROOMS, SHARED_FILES } from '../test/support/import-rules.ts';

export function importTable(): string {
  const rooms = Object.entries(ROOMS).map(([room, { rooms: others, types = [] }]) => {
    const names = [...others.map((name) => `\`${name}\``), ...types.map((name) => `types of \`${name}\``)];
    return `| \`${room}/\` | ${names.join(', ') || 'none'} |`;
  });
  const bans = BANS.map(({ name, allowed, instead }) => {
    const places = allowed.map((place) => `\`${place.endsWith('.ts') ? place : `${place}/`}\``);
    return `| ${name} | ${places.join(', ') || 'nowhere'} | ${cell(instead)} |`;
  });
  return [
    `Any room but \`domain/\` may import these files of \`src/\` itself: ${SHARED_FILES.map((file) => `\`${file}\``).join(', ')}. \`domain/\` may import \`errors.ts\` alone. Nothing imports \`main.ts\`.`,
    '',
    '| room | may import, of other rooms |',
    '|---|---|',
    ...rooms,
    '',
    '| what | allowed in | elsewhere |',
    '|---|---|---|',
    ...bans,
    '',
  ].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
