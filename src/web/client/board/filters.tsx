// The board's filters. The page's address holds their state: each select sets parameters of its query.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { OWN_TIME_ZONE, timeZones } from '../data/number-words.ts';
import { pageSettings } from '../data/page-settings.ts';
import { setting } from '../data/setting.ts';
import { type Parameter, parameter, setParameter } from '../data/view.ts';
import { Select } from '../parts/one-of.tsx';
import { texts } from '../texts.ts';
import { ViewsChoice } from '../views/views-choice.tsx';
import { BookmakerChoice } from './bookmaker-choice.tsx';
import { isPhone, leagues, resolveSearch } from './state.ts';

type Option = readonly [value: string, label: string];

const SPORTS: readonly Option[] = [['', texts.board.allSports], ...Object.entries(texts.sports)];
/** The beginning of the values that choose fixtures which start within a number of hours. */
const SOON = 'soon ';
const STATUSES: readonly Option[] = [
  ['', texts.board.allStatuses],
  ...Object.entries(texts.statuses),
  ['hide', texts.board.hideFinished],
  ...['3', '24'].map((hours) => [SOON + hours, texts.board.startsWithin(hours)] as const),
];
const PERIODS: readonly Option[] = [...Object.entries(texts.periods), ['all', texts.board.allPeriods]];
const FORMATS: readonly Option[] = Object.entries(texts.formats);
const REFERENCES: readonly Option[] = [
  ...Object.entries(texts.board.references),
  ...pageSettings.bookmakers.map(({ key, name }) => [key, texts.board.referenceOf(name)] as const),
];
const NEAR_ZONES: readonly string[] = [...new Set([OWN_TIME_ZONE, 'UTC'])];

/** Closes an open list when the visitor presses Escape, clicks elsewhere, or moves the focus elsewhere. */
function useClosing(): void {
  useEffect(() => {
    const close = (event: Event): void => {
      for (const list of document.querySelectorAll<HTMLDetailsElement>('.choice-list[open]')) {
        const isEscape = event instanceof KeyboardEvent && event.key === 'Escape';
        if (event instanceof KeyboardEvent ? !isEscape : list.contains(event.target as Node)) continue;
        list.open = false;
        if (isEscape) list.querySelector('summary')?.focus();
      }
    };
    const names = ['keydown', 'pointerdown', 'focusin'] as const;
    for (const name of names) document.addEventListener(name, close);
    return () => {
      for (const name of names) document.removeEventListener(name, close);
    };
  }, []);
}

export function Filters() {
  useClosing();
  return (
    <search class="filters" aria-label={texts.board.filters}>
      <Choice name="sport" label={texts.board.sport} options={SPORTS} />
      <LeagueChoice />
      <StatusChoice />
      <Choice name="period" label={texts.board.period} options={PERIODS} />
      <BookmakerChoice />
      <Choice name="reference" label={texts.board.reference} options={REFERENCES} />
      <Choice name="format" label={texts.board.format} options={FORMATS} />
      <ZoneChoice />
      <ViewsChoice />
    </search>
  );
}

interface ChoiceProps {
  readonly name: Parameter;
  readonly label: string;
  readonly options: readonly Option[];
  /** The chosen value and the effect of a choice; by default those of the parameter `name`. */
  readonly value?: string;
  readonly onChoose?: (value: string) => void;
}

export function Choice({ name, label, options, ...other }: ChoiceProps) {
  const { value = parameter(name), onChoose = (chosen: string) => setParameter(name, chosen) } = other;
  // The address may hold a value that is not in the list; the select shows that value as it is.
  const all = options.some(([one]) => one === value) ? options : [[value, value] as const, ...options];
  return <Select label={label} title={label} options={all} value={value} onChoose={onChoose} />;
}

/**
 * The choice of a status. The API has no status for "all but finished" or "starting soon", so the board hides
 * the other fixtures itself.
 */
function StatusChoice() {
  const starts = parameter('starts');
  return (
    <Choice
      name="status"
      label={texts.board.status}
      options={STATUSES}
      value={parameter('finished') === 'hide' ? 'hide' : starts === '' ? parameter('status') : SOON + starts}
      onChoose={(value) => {
        const isSoon = value.startsWith(SOON);
        setParameter('finished', value === 'hide' ? 'hide' : '');
        setParameter('starts', isSoon ? value.slice(SOON.length) : '');
        setParameter('status', value === 'hide' ? '' : isSoon ? 'scheduled' : value);
      }}
    />
  );
}

/** There are hundreds of time zones, so the options are created only when the visitor opens the list. */
function ZoneChoice() {
  const isNear = useSignal(true);
  const zones = isNear.value ? NEAR_ZONES : [...new Set([...NEAR_ZONES, ...timeZones()])];
  const widen = setting(isNear, false);
  return (
    <span onFocusIn={widen} onPointerEnter={widen}>
      <Choice name="timezone" label={texts.board.timeZone} options={zones.map((zone) => [zone, zone])} />
    </span>
  );
}

function LeagueChoice() {
  return (
    <Choice
      name="league"
      label={texts.board.league}
      options={[['', texts.board.allLeagues], ...leagues.value]}
    />
  );
}

/** Pause after the last letter before the resolver is called. Enter calls it immediately. */
const RESOLVE_AFTER_MS = 600;
const RESOLVE_CHARS_MIN = 3;

export function SearchField() {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (parameter('query').trim() !== '') void resolveSearch();
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== '/' || isTyping(event.target)) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <input
      ref={field}
      type="search"
      class="search"
      aria-label={texts.board.search}
      placeholder={isPhone.value ? texts.board.searchShort : `${texts.board.searchHint}  /`}
      value={parameter('query')}
      onInput={(event) => {
        const text = event.currentTarget.value;
        setParameter('query', text);
        clearTimeout(timer.current);
        if (text.trim().length >= RESOLVE_CHARS_MIN) {
          timer.current = setTimeout(() => void resolveSearch(), RESOLVE_AFTER_MS);
        }
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') void resolveSearch();
        if (event.key === 'Escape') {
          // Without this, browsers empty the field on Escape and the page does not notice: the removed text
          // would still filter.
          event.preventDefault();
          event.currentTarget.blur();
        }
      }}
    />
  );
}

/**
 * Whether a key press belongs to a form field or an open dialog, and so is not a shortcut. A dialog that was
 * just closed keeps the focus until the next frame; key presses there are shortcuts again.
 */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const dialog = target.closest('dialog');
  if (dialog !== null) return dialog.open;
  return target.closest('input:not([type=checkbox]), select, textarea') !== null;
}
