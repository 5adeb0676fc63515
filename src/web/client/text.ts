// The script of pages that are read: they take the colours that the visitor chose elsewhere.

import './data/choices.ts';
