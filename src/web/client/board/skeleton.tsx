// A placeholder in the shape of rows of prices, shown until the first answer. The style sheet shows it only
// after 300 ms.

import { texts } from '../texts.ts';

const BLOCKS = Array.from({ length: 4 }, (_, index) => index);
const ROWS = Array.from({ length: 6 }, (_, index) => index);

export function Skeleton() {
  return (
    <div class="skeleton" role="status" aria-label={texts.board.skeleton}>
      {BLOCKS.map((block) => (
        <div class="skeleton-block" key={block}>
          {ROWS.map((row) => (
            <div class="skeleton-row" key={row} />
          ))}
        </div>
      ))}
    </div>
  );
}
