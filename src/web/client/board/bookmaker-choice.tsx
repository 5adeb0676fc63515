// Which bookmakers have a column, and in which order: check, drag, or move with the buttons or Alt and the
// arrow keys.

import { bookmakerName, pageSettings } from '../data/page-settings.ts';
import { chosenBookmakers, setParameter } from '../data/view.ts';
import { texts } from '../texts.ts';

const ALL = pageSettings.bookmakers.map(({ key }) => key);

/** The bookmaker that is being dragged. */
let dragged: string | null = null;

export function BookmakerChoice() {
  const listed = chosenBookmakers();
  const chosen = listed.length === 0 ? ALL : listed;
  const order = [...chosen, ...ALL.filter((key) => !chosen.includes(key))];
  const words = listed.length === 0 ? texts.board.allBookmakers : texts.board.someBookmakers(listed.length);
  return (
    <details class="choice-list">
      <summary class="choice" aria-label={`${texts.board.bookmakers}: ${words}`}>
        {words}
      </summary>
      <fieldset class="choice-panel">
        <legend class="visually-hidden">{texts.board.bookmakers}</legend>
        {order.map((key) => (
          <BookmakerRow key={key} bookmaker={key} order={order} chosen={chosen} />
        ))}
      </fieldset>
    </details>
  );
}

interface BookmakerRowProps {
  readonly bookmaker: string;
  /** All bookmakers, the chosen ones first. */
  readonly order: readonly string[];
  readonly chosen: readonly string[];
}

function BookmakerRow({ bookmaker, order, chosen }: BookmakerRowProps) {
  const name = bookmakerName(bookmaker);
  const isChosen = chosen.includes(bookmaker);
  const moveTo = (index: number): void => choose(moved(order, bookmaker, index), chosen);
  const at = order.indexOf(bookmaker);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons do the same as dragging
    <div
      class="check"
      draggable={isChosen}
      onDragStart={() => {
        dragged = bookmaker;
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        if (dragged !== null) choose(moved(order, dragged, at), chosen);
        dragged = null;
      }}
      onKeyDown={(event) => {
        if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
        event.preventDefault();
        moveTo(event.key === 'ArrowUp' ? at - 1 : at + 1);
      }}
    >
      <label>
        <input
          type="checkbox"
          checked={isChosen}
          onChange={({ currentTarget }) =>
            choose(
              order,
              currentTarget.checked ? [...chosen, bookmaker] : chosen.filter((one) => one !== bookmaker),
            )
          }
        />
        {name}
      </label>
      {isChosen && (
        <>
          <button type="button" aria-label={texts.board.moveLeft(name)} onClick={() => moveTo(at - 1)}>
            ↑
          </button>
          <button type="button" aria-label={texts.board.moveRight(name)} onClick={() => moveTo(at + 1)}>
            ↓
          </button>
        </>
      )}
    </div>
  );
}

function moved(order: readonly string[], key: string, index: number): readonly string[] {
  const others = order.filter((one) => one !== key);
  return others.toSpliced(Math.max(0, Math.min(index, others.length)), 0, key);
}

/** Stores the choice. No bookmaker at all would be an empty board, so it means all of them. */
function choose(order: readonly string[], chosen: readonly string[]): void {
  const next = order.filter((key) => chosen.includes(key)).join();
  setParameter('bookmakers', next === ALL.join() ? '' : next);
}
