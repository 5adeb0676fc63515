// Saved views of an account: each is the query part of the board's URL, stored under a name. Saving under an
// existing name replaces that view.

import type { Static } from '@sinclair/typebox';
import { type Clock, toIsoText } from '../../clock.ts';
import type { SavedView, SavedViewsAnswer, SaveViewRequest } from '../../contract/saved-views.ts';
import { ServiceError } from '../../errors.ts';
import { SAVED_VIEWS_PER_ACCOUNT_MAX } from '../../limits.ts';
import type { SqlDatabase } from '../../storage/sql.ts';
import { type Attempts, takeAttempt } from '../credentials/attempts.ts';
import { type FillRandom, randomId } from '../credentials/secrets.ts';
import { checkNoControls } from '../input.ts';
import type { Session } from '../sessions/session.ts';

interface ViewRow extends Record<string, unknown> {
  readonly view_id: string;
  readonly name: string;
  readonly query: string;
  readonly saved_at_ms: number;
}

export interface SavedViewsOptions {
  readonly sql: SqlDatabase;
  readonly attempts: Attempts;
  readonly clock: Clock;
  readonly fillRandom: FillRandom;
}

export class SavedViews {
  readonly #options: SavedViewsOptions;

  constructor(options: SavedViewsOptions) {
    this.#options = options;
  }

  /** The views of an account, sorted by name. */
  async list({ account }: Pick<Session, 'account'>): Promise<Static<typeof SavedViewsAnswer>> {
    const rows = await this.#options.sql.rows<ViewRow>(
      'SELECT * FROM saved_views WHERE account_id = $1 ORDER BY name',
      [account.id],
    );
    return { views: rows.map(toView), limit: SAVED_VIEWS_PER_ACCOUNT_MAX };
  }

  /**
   * Saves a view, or replaces the one of that name.
   * @throws ServiceError plan_limit when the account has as many views as it may, rate_limit_exceeded;
   * ValidationError for control characters
   */
  async save(
    { name, query }: Static<typeof SaveViewRequest>,
    { account }: Pick<Session, 'account'>,
  ): Promise<Static<typeof SavedView>> {
    const { sql: database, clock, fillRandom } = this.#options;
    checkNoControls('name', name);
    checkNoControls('query', query);
    await takeAttempt(this.#options, 'changesPerAccount', `save view ${account.id}`);
    const viewId = randomId(fillRandom, 'view_');
    return await database.transaction(async (sql) => {
      // The lock makes requests of one account wait for each other, so that together they cannot exceed the
      // limit.
      await sql.rows('SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [account.id]);
      const [others] = await sql.rows<{ count: number }>(
        'SELECT count(*) AS count FROM saved_views WHERE account_id = $1 AND name <> $2',
        [account.id, name],
      );
      if ((others?.count ?? 0) >= SAVED_VIEWS_PER_ACCOUNT_MAX) throw refuseMore();
      const [row] = await sql.rows<ViewRow>(
        `INSERT INTO saved_views (view_id, account_id, name, query, saved_at_ms) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (account_id, name) DO UPDATE SET query = excluded.query, saved_at_ms = excluded.saved_at_ms
         RETURNING *`,
        [viewId, account.id, name, query, clock.wallMs()],
      );
      return toView(row!);
    });
  }

  /** @throws ServiceError not_found when the account has no such view */
  async delete(viewId: string, { account }: Pick<Session, 'account'>): Promise<{ readonly deleted: true }> {
    const rows = await this.#options.sql.rows(
      'DELETE FROM saved_views WHERE account_id = $1 AND view_id = $2 RETURNING view_id',
      [account.id, viewId],
    );
    if (rows.length > 0) return { deleted: true };
    throw new ServiceError('not_found', 'Cannot delete view: the account has no view with this id', {
      fix: 'List the views with GET /platform/views',
    });
  }
}

function toView({ view_id, name, query, saved_at_ms }: ViewRow): Static<typeof SavedView> {
  return { view_id, name, query, saved_at: toIsoText(saved_at_ms) };
}

function refuseMore(): ServiceError {
  return new ServiceError(
    'plan_limit',
    `Cannot save view: the account has ${SAVED_VIEWS_PER_ACCOUNT_MAX} views`,
    { fix: 'Delete a view that is no longer used' },
  );
}
