import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { ClientAddresses, subjectOfAddress, subjectTextOf } from '../../src/access/client-address.ts';
import { Random } from '../../src/domain/random.ts';

describe('subjectOfAddress', () => {
  test('subjectOfAddress distinguishes every IPv4 address from every other', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.ipV4(), (one, other) => {
        expect(subjectTextOf(one) === subjectTextOf(other)).toBe(one === other);
      }),
    );
  });

  test('subjectOfAddress counts an IPv6 address under its /64', () => {
    fc.assert(
      fc.property(fc.ipV6(), fc.ipV6(), (one, other) => {
        const sameNet = expandIpv6(one).slice(0, 4).join() === expandIpv6(other).slice(0, 4).join();
        const isSpecial = [one, other].some((text) => expandIpv6(text).slice(0, 2).join() === '0,0');
        if (!isSpecial) expect(subjectTextOf(one) === subjectTextOf(other)).toBe(sameNet);
      }),
    );
    expect(subjectOfAddress('2001:db8:1:2::1')).toEqual(subjectOfAddress('2001:db8:1:2:ffff:0:1:9'));
    expect(subjectOfAddress('2001:db8:1:2::1')).not.toEqual(subjectOfAddress('2001:db8:1:3::1'));
  });

  test('subjectOfAddress counts an IPv4-mapped address as IPv4, and ignores a zone', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(subjectOfAddress(`::ffff:${address}`)).toEqual(subjectOfAddress(address));
        expect(subjectOfAddress(`::FFFF:${address}%eth0`)).toEqual(subjectOfAddress(address));
      }),
    );
    expect(subjectOfAddress('::ffff:102:304')).toEqual(subjectOfAddress('1.2.3.4'));
  });

  test('subjectOfAddress never gives the subject that marks a free slot; all texts that cannot be a client’s address have the same subject', () => {
    for (const address of [
      '::',
      '::1',
      '0.0.0.0',
      '',
      'unix:',
      'localhost',
      '1.2.3',
      '1.2.3.4.5',
      '256.1.1.1',
    ]) {
      expect(subjectOfAddress(address)).not.toEqual({ high: 0, low: 0 });
    }
    for (const text of [
      ...['', '1.2.3', '256.1.1.1', '1:2', '1::2::3', 'g::1', '1:2:3:4:5:6:7:8:9', '1.2.3.4,5.6.7.8'],
      ...['ff02::1', 'ffff:ffff:ffff:ffff::'],
    ]) {
      expect(subjectTextOf(text)).toBe(subjectTextOf('unknown'));
    }
    fc.assert(fc.property(fc.string(), (text) => subjectTextOf(text) !== '0:0'));
  });
});

/** The eight groups of a valid IPv6 address, as numbers. */
function expandIpv6(text: string): number[] {
  const dotted = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(text);
  let plain = text;
  if (dotted !== null) {
    const [a, b, c, d] = dotted.slice(1).map(Number) as [number, number, number, number];
    plain = `${text.slice(0, dotted.index)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  }
  const [head = '', tail] = plain.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - front.length - back.length;
  return [...front, ...new Array<string>(zeros).fill('0'), ...back].map((group) =>
    Number.parseInt(group, 16),
  );
}

test('the cache of client addresses gives what parsing the peer address and the header gives, even after many entries', () => {
  const trusted = ['127.0.0.1', '10.0.0.0/8'];
  const addresses = new ClientAddresses(trusted);
  const random = new Random(7);
  const peers = ['127.0.0.1', '10.1.2.3', '::ffff:127.0.0.1', '198.51.100.1', 'not an address'];
  for (let round = 0; round < 4_000; round += 1) {
    const peer = peers[random.index(peers.length)]!;
    const hops = Array.from({ length: random.index(4) }, () => `10.0.0.${random.index(3)}`);
    const forwarded = [`203.0.${random.index(12)}.${random.index(100)}`, ...hops].join(', ');
    const request = new Request('http://localhost/', { headers: { 'x-forwarded-for': forwarded } });
    expect(addresses.of(peer, request)).toBe(new ClientAddresses(trusted).of(peer, request));
  }
});
