// Attacks on the server through the URL of a rule, and through the addresses that its name resolves to.

import { describe, expect, test } from 'bun:test';
import { addressRefusal, alertTarget, allowedTargets } from '../../../src/alerts/delivery/target.ts';
import { parseAddress, parseAddressRange } from '../../../src/ip-address.ts';

const NONE = allowedTargets([]);

const REFUSED_URLS: readonly (readonly [what: string, url: string])[] = [
  ['loopback', 'https://127.0.0.1/'],
  ['loopback, another of its addresses', 'https://127.8.9.1/'],
  ['a decimal address', 'https://2130706433/'],
  ['a hexadecimal address', 'https://0x7f000001/'],
  ['an octal address', 'https://0177.0.0.1/'],
  ['a short address', 'https://127.1/'],
  ['a mixed short address', 'https://0x7f.1/'],
  ['circled digits', 'https://①②⑦.0.0.1/'],
  ['full-width digits', 'https://１２７.0.0.1/'],
  ['an ideographic full stop', 'https://127。0。0。1/'],
  ['a trailing dot', 'https://127.0.0.1./'],
  ['two trailing dots', 'https://127.0.0.1../'],
  ['localhost with two trailing dots', 'https://localhost../'],
  ['a URL with backslashes', 'https:\\\\127.0.0.1\\'],
  ['a backslash before another host', 'https://127.0.0.1:443\\@example.com/'],
  ['translated IPv4', 'https://[::ffff:0:127.0.0.1]/'],
  ['NAT64 of the metadata address', 'https://[64:ff9b::a9fe:a9fe]/'],
  ['this host', 'https://0/'],
  ['0.0.0.0/8', 'https://0.1.2.3/'],
  ['localhost', 'https://localhost/'],
  ['localhost in capitals with a dot', 'https://LOCALHOST./'],
  ['a name below localhost', 'https://hooks.localhost/'],
  ['private, class A', 'https://10.1.2.3/'],
  ['private, class B', 'https://172.16.0.1/'],
  ['private, class C', 'https://192.168.1.1/'],
  ['link-local, the metadata address', 'https://169.254.169.254/latest/meta-data/'],
  ['carrier NAT, with a metadata address', 'https://100.100.100.200/'],
  ["Azure's wire server", 'https://168.63.129.16/'],
  ["Oracle's metadata address", 'https://192.0.0.192/'],
  ['benchmarks', 'https://198.18.0.1/'],
  ['documentation', 'https://203.0.113.9/'],
  ['multicast', 'https://224.0.0.1/'],
  ['reserved', 'https://240.0.0.1/'],
  ['broadcast', 'https://255.255.255.255/'],
  ['IPv6 loopback', 'https://[::1]/'],
  ['IPv6 unspecified', 'https://[::]/'],
  ['IPv4-mapped', 'https://[::ffff:127.0.0.1]/'],
  ['IPv4-mapped, in groups', 'https://[::ffff:a00:1]/'],
  ['IPv4-compatible', 'https://[::127.0.0.1]/'],
  ['NAT64', 'https://[64:ff9b::7f00:1]/'],
  ['local NAT64', 'https://[64:ff9b:1::a00:1]/'],
  ['6to4', 'https://[2002:7f00:1::]/'],
  ['Teredo', 'https://[2001:0:7f00:1::]/'],
  ['unique local', 'https://[fd00::1]/'],
  ["Amazon's metadata address", 'https://[fd00:ec2::254]/'],
  ['IPv6 link-local', 'https://[fe80::1]/'],
  ['an IPv6 zone', 'https://[fe80::1%25eth0]/'],
  ['IPv6 multicast', 'https://[ff02::1]/'],
  ['IPv6 site-local', 'https://[fec0::1]/'],
  ['IPv6 documentation', 'https://[2001:db8::1]/'],
  ['unassigned IPv6', 'https://[4000::1]/'],
  ['a user name', 'https://hooks.example.com@127.0.0.1/'],
  ['a password', 'https://a:b@hooks.example.com/'],
  ['http', 'http://hooks.example.com/'],
  ['another scheme', 'ftp://hooks.example.com/'],
  ['a file', 'file:///etc/passwd'],
  ['gopher', 'gopher://127.0.0.1:6379/_FLUSHALL'],
  ['the port of SSH', 'https://hooks.example.com:22/'],
  ['the port of mail', 'https://hooks.example.com:25/'],
  ['port 0', 'https://hooks.example.com:0/'],
  ['a port out of range', 'https://hooks.example.com:99999/'],
  ['no host', 'https://'],
  ['a relative URL', '/path'],
  ['an empty text', ''],
  ['a space in the host', 'https://hooks example.com/'],
];

describe('alertTarget', () => {
  for (const [what, url] of REFUSED_URLS) {
    test(`refuses ${what}: ${JSON.stringify(url)}`, () => {
      expect(() => alertTarget(url, NONE)).toThrow('Cannot send alerts to this URL');
    });
  }

  test('alertTarget accepts public names and addresses, with any path and a high port', () => {
    for (const url of [
      'https://hooks.example.com/a?b=c',
      'https://hooks.example.com:8443/',
      'https://8.8.8.8/',
      'https://[2606:4700::1111]/',
      'https://bücher.example/',
    ]) {
      expect(alertTarget(url, NONE).isSecure).toBe(true);
    }
    expect(alertTarget('https://bücher.example/#x', NONE).href).toBe('https://xn--bcher-kva.example/');
  });

  test('alertTarget accepts http and private addresses that the operator allows, but no low ports', () => {
    const allowed = allowedTargets(['hooks.internal', '10.0.0.0/8', '::1']);
    for (const url of [
      'http://hooks.internal/',
      'http://10.1.2.3:8080/',
      'https://10.1.2.3/',
      'http://[::1]/',
    ]) {
      expect(alertTarget(url, allowed).host).toBeString();
    }
    for (const url of ['http://11.1.2.3/', 'http://127.0.0.1/', 'http://10.1.2.3:22/', 'http://localhost/']) {
      expect(() => alertTarget(url, allowed)).toThrow('Cannot send alerts to this URL');
    }
  });
});

describe('addressRefusal', () => {
  const named = { host: 'hooks.example.com', isSecure: true };

  test('addressRefusal refuses addresses of this machine and its network, even public ones', () => {
    const own = [parseAddressRange('93.184.216.0/24')!];
    expect(addressRefusal(named, parseAddress('93.184.216.34')!, NONE, own)).toBe(
      'it is this machine or its network',
    );
    expect(addressRefusal(named, parseAddress('8.8.8.8')!, NONE, own)).toBeNull();
  });

  test('addressRefusal accepts a private address in an allowed range, and http only there', () => {
    const allowed = allowedTargets(['10.0.0.0/8']);
    const plain = { host: 'hooks.example.com', isSecure: false };
    expect(addressRefusal(plain, parseAddress('10.0.0.7')!, allowed, [])).toBeNull();
    expect(addressRefusal(plain, parseAddress('8.8.8.8')!, allowed, [])).toContain('not https');
    expect(addressRefusal(named, parseAddress('192.168.0.7')!, allowed, [])).toContain('not public');
  });
});
