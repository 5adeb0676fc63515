// What an HTTP thread knows about the routes that the query thread answers. They are plain values, sent to it
// in a message. With them it can refuse a request by its headers, before its body is received.

import { ServiceError } from '../../errors.ts';
import { bodyBytesMaxOf, type Route, type RouteAccess } from './route.ts';

/** One route. */
export interface RouteSign {
  readonly method: string;
  /** Path template. */
  readonly path: string;
  readonly access: RouteAccess;
  readonly takesTicket: boolean;
  readonly bodyBytesMax: number;
  /** Whether the body has a schema and must therefore be JSON. */
  readonly takesJson: boolean;
}

export function signOf(route: Route): RouteSign {
  const { method, path, access, takesTicket = false } = route;
  return {
    method,
    path,
    access,
    takesTicket,
    bodyBytesMax: bodyBytesMaxOf(route),
    takesJson: route.body !== null,
  };
}

export class RouteTable {
  readonly #signs: readonly (readonly [segments: readonly string[], sign: RouteSign])[];

  constructor(signs: readonly RouteSign[]) {
    this.#signs = signs.map((sign) => [sign.path.split('/'), sign]);
  }

  /** The routes whose template matches the raw path. A fixed part that is percent-encoded does not match. */
  at(path: string): readonly RouteSign[] {
    const segments = path.split('/');
    return this.#signs.filter(([template]) => fits(template, segments)).map(([, sign]) => sign);
  }
}

function fits(template: readonly string[], segments: readonly string[]): boolean {
  return (
    template.length === segments.length &&
    template.every((named, index) =>
      named.startsWith(':') ? segments[index] !== '' : named === segments[index],
    )
  );
}

/** The value of the Allow header for the routes of one path. */
export function allowOf(routes: readonly Pick<RouteSign, 'method'>[]): string {
  const methods = new Set<string>();
  for (const { method } of routes) {
    methods.add(method);
    if (method === 'GET') methods.add('HEAD');
  }
  return [...methods, 'OPTIONS'].join(', ');
}

export function wrongMethod(allow: string): ServiceError {
  return new ServiceError('invalid_request', 'Cannot use this method here: the path has others', {
    status: 405,
    fix: `Use one of: ${allow}`,
    headers: { allow },
  });
}

export function noRoute(): ServiceError {
  return new ServiceError('not_found', 'Cannot find a route: no such path', {
    fix: 'See /openapi.json for every path',
  });
}
