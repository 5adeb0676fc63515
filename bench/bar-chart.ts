// A chart of horizontal bars in groups, as SVG text, for the pages of figures under docs/.

interface Bar {
  readonly label: string;
  readonly value: number;
  /** The text after the bar. */
  readonly text: string;
  readonly isOurs: boolean;
}

const SIZE = { width: 420, height: 16, gap: 4, left: 330, right: 80, groupGap: 14, top: 8 };
const OURS = '#0a6';
const OTHERS = '#89a';

/** The length of a bar is its value relative to the largest of its group. */
export function barChart(groups: readonly (readonly Bar[])[]): string {
  const parts: string[] = [];
  let y = SIZE.top;
  for (const bars of groups) {
    const most = Math.max(...bars.map(({ value }) => value));
    for (const { label, value, text, isOurs } of bars) {
      const width = Math.max(1, Math.round((value / most) * SIZE.width));
      const baseline = y + SIZE.height - 4;
      parts.push(
        `<text x="${SIZE.left - 8}" y="${baseline}" text-anchor="end">${escaped(label)}</text>`,
        `<rect x="${SIZE.left}" y="${y}" width="${width}" height="${SIZE.height}" fill="${isOurs ? OURS : OTHERS}"/>`,
        `<text x="${SIZE.left + width + 6}" y="${baseline}">${escaped(text)}</text>`,
      );
      y += SIZE.height + SIZE.gap;
    }
    y += SIZE.groupGap;
  }
  const width = SIZE.left + SIZE.width + SIZE.right;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" font-family="sans-serif" font-size="12"><rect width="${width}" height="${y}" fill="#fff"/>
${parts.join('\n')}
</svg>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
