// Which account's route sends next, and which URLs belong to one site.

import { expect, test } from 'bun:test';
import { Routes, siteOf } from '../../../src/alerts/outbox/routes.ts';

test('a site is the last two names of a host, an IPv4 address, or the network of an IPv6 address', () => {
  const sites = [
    ['https://hooks.example.com/a', 'example.com'],
    ['https://a.b.c.EXAMPLE.com:8443/b', 'example.com'],
    ['https://example.com./', 'example.com'],
    ['https://localhost:4000/', 'localhost'],
    ['https://192.0.2.17/', '192.0.2.17'],
    ['https://3221225985/', '192.0.2.1'],
  ] as const;
  for (const [url, site] of sites) expect([url, siteOf(url)]).toEqual([url, site]);
  const [one, other] = ['[2001:db8:1:2::1]', '[2001:db8:1:2:ffff::9]'].map((host) =>
    siteOf(`https://${host}/`),
  );
  expect(one).toBe(other!);
  expect(siteOf('https://[2001:db8:1:3::1]/')).not.toBe(one!);
});

test('accounts take turns, and within an account its routes take turns', () => {
  const routes = new Routes();
  const keys = () => routes.inTurn().map(([, own]) => own.map(({ key }) => key));
  const first = routes.open({ accountId: 'a', url: 'https://one.test/' });
  routes.open({ accountId: 'a', url: 'https://two.test/' });
  const other = routes.open({ accountId: 'b', url: 'https://one.test/' });
  expect(routes.open({ accountId: 'b', url: 'https://one.test/' })).toBe(other);
  routes.tookTurn(first);
  expect(keys()).toEqual([['b https://one.test/'], ['a https://two.test/', 'a https://one.test/']]);
  routes.delete(other);
  routes.tookTurn(other);
  expect(keys()).toEqual([['a https://two.test/', 'a https://one.test/']]);
});
