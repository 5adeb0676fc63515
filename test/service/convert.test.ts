// The conversions over HTTP: exactly the examples of the decisions, and answers that caches may keep for
// ever.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Answered, Surface } from '../support/surface.ts';

let surface: Surface;
beforeAll(async () => {
  surface = await Surface.start({ freeKeys: 1 });
});
afterAll(() => surface[Symbol.asyncDispose]());

function convert(path: 'odds' | 'handicap', body: string): Promise<Answered> {
  return surface.send('keyless', { method: 'POST', path: `/v1/convert/${path}`, body });
}

describe('odds', () => {
  const all = '["decimal","hk","malay","american","indonesian","probability"]';
  test.each([
    [
      `{"value":2,"from":"decimal","to":${all}}`,
      '{"decimal":2,"hk":1,"malay":1,"american":100,"indonesian":1,"probability":0.5}',
    ],
    [`{"value":-1,"from":"malay","to":["decimal"]}`, '{"decimal":2,"malay":-1}'],
    [`{"value":-100,"from":"american","to":["decimal"]}`, '{"decimal":2,"american":-100}'],
    [
      `{"value":1.95,"from":"decimal","to":${all}}`,
      '{"decimal":1.95,"hk":0.95,"malay":0.95,"american":-105,"indonesian":-1.053,"probability":0.5128}',
    ],
    // Malay has three decimals, two for an Asian bookmaker, three for the sharp one.
    ['{"value":2.07,"from":"decimal","to":["malay"]}', '{"decimal":2.07,"malay":-0.935}'],
    ['{"value":2.07,"from":"decimal","to":["malay"],"bookmaker":"crown"}', '{"decimal":2.07,"malay":-0.93}'],
    [
      '{"value":2.07,"from":"decimal","to":["malay"],"bookmaker":"pinnacle"}',
      '{"decimal":2.07,"malay":-0.935}',
    ],
    // Half away from zero on the decimal text: 1.005 is 1.01 at two decimals.
    ['{"value":2.005,"from":"decimal","to":["malay"],"bookmaker":"hkjc"}', '{"decimal":2.005,"malay":-1}'],
    ['{"value":1.005,"from":"decimal","to":["malay"],"bookmaker":"hkjc"}', '{"decimal":1.005,"malay":0.01}'],
    // The source format is echoed exactly.
    [
      '{"value":0.123456789,"from":"probability","to":["decimal"]}',
      '{"decimal":8.1,"probability":0.123456789}',
    ],
  ])('%s is %s', async (body, answer) => {
    const { status, body: got } = await convert('odds', body);
    expect(status).toBe(200);
    expect(got).toEqual(JSON.parse(answer));
  });

  test.each([
    ['{"value":1,"from":"decimal","to":["hk"]}', 400],
    ['{"value":0,"from":"malay","to":["hk"]}', 400],
    ['{"value":99,"from":"american","to":["hk"]}', 400],
    ['{"value":0.5,"from":"indonesian","to":["hk"]}', 400],
    ['{"value":1,"from":"probability","to":["hk"]}', 400],
    ['{"value":1e999,"from":"decimal","to":["hk"]}', 422],
    ['{"value":"2","from":"decimal","to":["hk"]}', 422],
    ['{"value":2,"from":"decimal","to":[]}', 422],
    ['{"value":2,"from":"decimal"}', 422],
    ['{"value":2,"from":"roman","to":["hk"]}', 400],
    ['{"value":2,"from":"decimal","to":["hk"],"bookmaker":"bet365"}', 400],
  ])('%s is refused', async (body, status) => {
    expect((await convert('odds', body)).status).toBe(status);
  });
});

describe('handicap', () => {
  const none = { full_win: null, half_win: null, push: null, half_loss: null, full_loss: null };
  test.each([
    ['-0.5', '-0.5', [-0.5], { full_win: 'a > 0', full_loss: 'a < 0' }],
    ['-0.75', '-0.75', [-0.5, -1], { full_win: 'a > 0.25', half_win: 'a == 0.25', full_loss: 'a < 0' }],
    ['0.25', '0.25', [0, 0.5], { full_win: 'a > 0.25', half_win: 'a == 0.25', full_loss: 'a < 0' }],
    ['1.25', '1.25', [1, 1.5], { full_win: 'a > 0.25', half_win: 'a == 0.25', full_loss: 'a < 0' }],
    ['-0.25', '-0.25', [0, -0.5], { full_win: 'a > 0', half_loss: 'a == -0.25', full_loss: 'a < -0.25' }],
    ['0.75', '0.75', [0.5, 1], { full_win: 'a > 0', half_loss: 'a == -0.25', full_loss: 'a < -0.25' }],
    ['-0', '0', [0], { full_win: 'a > 0', push: 'a == 0', full_loss: 'a < 0' }],
    ['1.50', '1.5', [1.5], { full_win: 'a > 0', full_loss: 'a < 0' }],
    ['-100', '-100', [-100], { full_win: 'a > 0', push: 'a == 0', full_loss: 'a < 0' }],
  ] as const)('%s', async (line, raw, components, conditions) => {
    const { status, body, text } = await convert('handicap', `{"line":${line}}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      handicap_raw: raw,
      handicap_decimal: Number(raw),
      handicap_components: components,
      explanation: expect.any(String),
      win_conditions: { ...none, ...conditions },
    });
    expect(text).not.toContain('-0,');
  });

  test.each(['0.1', '100.25', '-101', '"0.5"', 'null', '1e999', '[0.5]'])('%s is 422', async (line) => {
    expect((await convert('handicap', `{"line":${line}}`)).status).toBe(422);
  });
});

test('caches may keep an answer for ever, and no refusal at all', async () => {
  for (const [path, good, bad] of [
    ['odds', '{"value":2,"from":"decimal","to":["hk"]}', '{"value":0,"from":"decimal","to":["hk"]}'],
    ['handicap', '{"line":0.25}', '{"line":0.1}'],
  ] as const) {
    const kept = await convert(path, good);
    expect(kept.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect((await convert(path, good)).text).toBe(kept.text);
    expect((await convert(path, bad)).headers.get('cache-control')).toBe('no-store');
  }
});
