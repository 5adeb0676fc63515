import { expect, test } from 'bun:test';
import { foldText } from '../../src/archive/fold-text.ts';

test('foldText decomposes letters that Unicode does not decompose', () => {
  expect(foldText('Brøndby Łódź Æble Đurđevac Straße')).toBe('brondby lodz aeble durdevac strasse');
});
