// Requests and answers about the saved views of an account: what the board shows, under a name.

import { Type } from '@sinclair/typebox';
import {
  SAVED_VIEW_NAME_CHARS_MAX,
  SAVED_VIEW_QUERY_CHARS_MAX,
  SAVED_VIEWS_PER_ACCOUNT_MAX,
} from '../limits.ts';
import { deletedAnswer, exact, instant } from './schema.ts';

const ViewProperties = {
  name: Type.String({
    minLength: 1,
    maxLength: SAVED_VIEW_NAME_CHARS_MAX,
    description: 'The name that the owner gave the view.',
    examples: ['Serie A by edge'],
  }),
  query: Type.String({
    maxLength: SAVED_VIEW_QUERY_CHARS_MAX,
    description: 'The query of the board’s address, without the question mark.',
    examples: ['sort=edge&markets=totals'],
  }),
};

export const SaveViewRequest = exact(ViewProperties, { title: 'SaveViewRequest' });

export const SavedView = exact(
  {
    view_id: Type.String({ description: 'Identifies the view.', examples: ['view_0f3a9c1b2d4e5f607182'] }),
    ...ViewProperties,
    saved_at: instant({ description: 'When the view was last saved.' }),
  },
  { title: 'SavedView' },
);

export const SavedViewsAnswer = exact(
  {
    views: Type.Array(SavedView, { description: 'Sorted by name.' }),
    limit: Type.Integer({
      description: 'How many views an account may have.',
      examples: [SAVED_VIEWS_PER_ACCOUNT_MAX],
    }),
  },
  { title: 'SavedViewsAnswer' },
);

export const ViewDeletedAnswer = deletedAnswer('ViewDeletedAnswer', 'The view is gone.');
