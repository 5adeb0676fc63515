// The record page: what became of the signals found so far, in one row or in groups.

import { render } from 'preact';
import type { SignalRecordAnswer } from '../../../contract/record/signal-record.ts';
import { noteVisit } from '../data/api.ts';
import { dateTimeText } from '../data/number-words.ts';
import { SHOWN_KINDS } from '../data/signal-book.ts';
import { boardPath, parameter } from '../data/view.ts';
import { Bar } from '../parts/bar.tsx';
import { Notice } from '../parts/notice.tsx';
import { texts } from '../texts.ts';
import { RecordCharts } from './record-charts.tsx';
import { RecordTable } from './record-table.tsx';
import { recordTexts } from './record-texts.ts';
import { choose, GROUPS, group, reload, shown, start } from './state.ts';

const VIEWS = ['board', ...SHOWN_KINDS] as const;

function RecordPage() {
  return (
    <div class="record-page">
      <Bar />
      <div class="tab-line">
        <nav ref={showChosen} class="tabs" aria-label={texts.board.tabList}>
          {VIEWS.map((view) => (
            <a key={view} class="tab" href={boardPath(view)}>
              {texts.board.tabs[view]}
            </a>
          ))}
          <a class="tab" href="/record" aria-current="page">
            {texts.board.tabs.record}
          </a>
        </nav>
      </div>
      <main id="content" class="record" tabIndex={-1}>
        <h1>{recordTexts.title}</h1>
        <p>{recordTexts.about}</p>
        <Groups />
        <Content />
        <h2>{recordTexts.sampleTitle}</h2>
        {recordTexts.sample.map((words) => (
          <p key={words}>{words}</p>
        ))}
        <p class="quiet">{recordTexts.cost}</p>
      </main>
    </div>
  );
}

/** Scrolls the chosen tab into sight: on a phone the tabs are wider than the window. */
function showChosen(tabs: HTMLElement | null): void {
  tabs?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

function Groups() {
  return (
    <fieldset class="segments record-groups">
      <legend>{recordTexts.tabList}</legend>
      {GROUPS.map((one) => (
        <button key={one} type="button" aria-pressed={group.value === one} onClick={() => choose(one)}>
          {recordTexts.groups[one]}
        </button>
      ))}
    </fieldset>
  );
}

function Content() {
  const now = shown.value;
  if (now.kind === 'loading') {
    return <div class="skeleton" role="status" aria-label={texts.board.skeleton} />;
  }
  if (now.kind === 'failed') {
    const { message, fix } = now.failure;
    const text = [message, fix].flatMap((one) => (one === null ? [] : [one.replace(/[^.]$/, '$&.')]));
    return (
      <Notice
        title={recordTexts.failed}
        text={text.join(' ')}
        action={{ label: recordTexts.retry, run: reload }}
      />
    );
  }
  if (now.answer.data.length === 0) {
    return <Notice {...recordTexts.empty} action={{ label: recordTexts.refresh, run: reload }} />;
  }
  return (
    <>
      <Measure answer={now.answer} />
      <RecordTable rows={now.answer.data} group={group.value} />
      {now.answer.series !== null && now.answer.since !== null && (
        <RecordCharts series={now.answer.series} since={now.answer.since} />
      )}
    </>
  );
}

/** What the rows were measured against, and since when. */
function Measure({ answer: { reference, since } }: { readonly answer: SignalRecordAnswer }) {
  if (reference === null || since === null) return null;
  const from = dateTimeText(since, parameter('timezone'));
  return (
    <p class="record-measure">
      {recordTexts.against(recordTexts.references[reference], from)}
      <button type="button" class="quiet-button" onClick={reload}>
        {recordTexts.refresh}
      </button>
    </p>
  );
}

start();
void noteVisit();
render(<RecordPage />, document.body);
