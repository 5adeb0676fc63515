// The routes for the saved views of an account.

import { Type } from '@sinclair/typebox';
import type { Platform } from '../../accounts/platform.ts';
import {
  SavedView,
  SavedViewsAnswer,
  SaveViewRequest,
  ViewDeletedAnswer,
} from '../../contract/saved-views.ts';
import { SAVED_VIEWS_PER_ACCOUNT_MAX } from '../../limits.ts';
import { defineRoute, type Route } from '../kit/route.ts';
import { ACCOUNT_ROUTE, sessionOf } from './platform.ts';

const ViewIdParams = Type.Object({
  view_id: Type.String({ minLength: 1, maxLength: 64, description: 'The `view_id` of a view.' }),
});

export function savedViewRoutes(platform: Platform): Route[] {
  return [
    defineRoute({
      ...ACCOUNT_ROUTE,
      method: 'GET',
      path: '/platform/views',
      operationId: 'listViews',
      summary: 'List saved views',
      description: 'The views of the board that the account has saved.',
      response: SavedViewsAnswer,
      errors: ['unauthorized'],
      handle: (_input, context) => platform.views(sessionOf(context)),
    }),
    defineRoute({
      ...ACCOUNT_ROUTE,
      method: 'POST',
      path: '/platform/views',
      operationId: 'saveView',
      summary: 'Save a view',
      description: `Saves the query of the board’s address under a name, or replaces the view of that name. At most ${SAVED_VIEWS_PER_ACCOUNT_MAX} views.`,
      body: SaveViewRequest,
      response: SavedView,
      errors: ['unauthorized', 'forbidden', 'plan_limit', 'rate_limit_exceeded'],
      handle: ({ body }, context) => platform.saveView({ body, ...sessionOf(context) }),
    }),
    defineRoute({
      ...ACCOUNT_ROUTE,
      method: 'DELETE',
      path: '/platform/views/:view_id',
      operationId: 'deleteView',
      summary: 'Delete a saved view',
      description: 'Deletes a saved view for good.',
      params: ViewIdParams,
      response: ViewDeletedAnswer,
      errors: ['unauthorized', 'forbidden', 'not_found'],
      handle: ({ params }, context) => platform.deleteView({ viewId: params.view_id, ...sessionOf(context) }),
    }),
  ];
}
