// Keys of an account over HTTP, and what they were used for.

import { Type } from '@sinclair/typebox';
import {
  AccountUsageAnswer,
  CreateKeyRequest,
  Key,
  KeysAnswer,
  KeyWithSecret,
} from '../../contract/platform.ts';
import { defineRoute, type Route } from '../kit/route.ts';
import { ACCOUNT_ROUTE, type PlatformServices, signedIn } from '../kit/signed-in.ts';

const KeyIdParams = Type.Object({
  key_id: Type.String({ minLength: 1, maxLength: 64, description: 'The `key_id` of a key; no secret.' }),
});

/** @param opening the services, still opening while the server starts to listen */
export function platformKeyRoutes(opening: Promise<PlatformServices>): readonly Route[] {
  return [
    defineRoute({
      ...ACCOUNT_ROUTE,
      method: 'GET',
      path: '/platform/keys',
      operationId: 'listKeys',
      summary: 'List keys',
      description: 'Keys of the account, revoked ones included. Never the key itself.',
      response: KeysAnswer,
      errors: ['unauthorized'],
      handle: async (_input, context) => {
        const { keys, session } = await signedIn(opening, context);
        return keys.list(session);
      },
    }),
    defineRoute({
      ...ACCOUNT_ROUTE,
      method: 'POST',
      path: '/platform/keys',
      operationId: 'createKey',
      summary: 'Create a key',
      description: 'The answer holds the key, this once. A tier above the plan is 402.',
      body: CreateKeyRequest,
      response: KeyWithSecret,
      errors: [
        'invalid_request',
        'unauthorized',
        'forbidden',
        'plan_limit',
        'rate_limit_exceeded',
        'upstream_unavailable',
      ],
      handle: async ({ body }, context) => {
        const { keys, session } = await signedIn(opening, context);
        return keys.create(body, session);
      },
    }),
    defineRoute({
      ...ACCOUNT_ROUTE,
      method: 'POST',
      path: '/platform/keys/:key_id/rotate',
      operationId: 'rotateKey',
      summary: 'Rotate a key',
      description: 'Answers a new key, this once; the old one dies at once.',
      params: KeyIdParams,
      response: KeyWithSecret,
      errors: ['unauthorized', 'forbidden', 'not_found', 'upstream_unavailable'],
      handle: async ({ params }, context) => {
        const { keys, session } = await signedIn(opening, context);
        return keys.rotate(params.key_id, session);
      },
    }),
    defineRoute({
      ...ACCOUNT_ROUTE,
      method: 'DELETE',
      path: '/platform/keys/:key_id',
      operationId: 'revokeKey',
      summary: 'Revoke a key',
      description: 'The key dies at once and stays in the list as revoked.',
      params: KeyIdParams,
      response: Key,
      errors: ['unauthorized', 'forbidden', 'not_found', 'upstream_unavailable'],
      handle: async ({ params }, context) => {
        const { keys, session } = await signedIn(opening, context);
        return keys.revoke(params.key_id, session);
      },
    }),
    defineRoute({
      ...ACCOUNT_ROUTE,
      method: 'GET',
      path: '/platform/usage',
      operationId: 'getAccountUsage',
      summary: 'Usage of the account',
      description: 'Requests of each key and of all together since the server started.',
      response: AccountUsageAnswer,
      errors: ['unauthorized'],
      handle: async (_input, context) => {
        const { keys, session } = await signedIn(opening, context);
        return keys.usage(session);
      },
    }),
  ];
}
