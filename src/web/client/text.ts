// The script of text pages: it applies the colour scheme that the visitor chose elsewhere.

import './data/choices.ts';
