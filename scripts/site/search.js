// Search of the static site. A part of a page is found if it contains all words; words in titles and headings
// count most.

const RESULTS_MAX = 12;
const WEIGHTS = { title: 5, heading: 8, text: 1 };
const box = document.getElementById('search');
const list = document.getElementById('results');
const { base } = document.documentElement.dataset;

box.addEventListener('input', () => {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found =
    words.length === 0 ? [] : globalThis.siteIndex.map((part) => ({ part, score: scoreOf(part, words) }));
  const best = found.filter(({ score }) => score > 0).sort((left, right) => right.score - left.score);
  list.replaceChildren(...best.slice(0, RESULTS_MAX).map(({ part }) => linkTo(part, words[0])));
  if (words.length > 0 && best.length === 0) list.textContent = 'Nothing found.';
});

/** How well a part of a page matches the words; 0 when it lacks a word. */
function scoreOf(part, words) {
  let score = 0;
  for (const word of words) {
    const own = Object.entries(WEIGHTS).filter(([field]) => part[field].toLowerCase().includes(word));
    if (own.length === 0) return 0;
    for (const [, weight] of own) score += weight;
  }
  return score;
}

function linkTo({ path, title, heading, text }, word) {
  const link = document.createElement('a');
  link.href = `${base}/${path}`;
  const name = document.createElement('b');
  name.textContent = heading === '' || heading === title ? title : `${title} › ${heading}`;
  const at = Math.max(0, text.toLowerCase().indexOf(word) - 60);
  link.append(name, ` ${text.slice(at, at + 160)}`);
  return link;
}
