import fc from 'fast-check'

/** Texts that have broken a program before: SQL, patterns, prototypes, Unicode, numbers as text. */
export const HOSTILE_TEXTS: readonly string[] = [
  ...[
    '',
    ' ',
    '%',
    '_',
    '\\',
    "'",
    '"',
    "''",
    '`',
    ';',
    '--',
    "'; drop table svc_events; --",
    '%00',
  ],
  ...[
    "' or 1=1 --",
    '") or 1=1 --',
    '$1',
    '$\u007b1}',
    '{{7*7}}',
    '?',
    ':name',
    '/*',
    '*/',
    '..',
    '../..',
  ],
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'null', 'undefined'],
  ...['true', '0', '-1', '1e400', '-1e400', 'NaN', 'Infinity', '0x10', '1_000', '9007199254740993'],
  ...[
    '99999999999999999999',
    '-9223372036854775809',
    '1.0000001',
    '0.1e1',
    '+1',
    '1,2',
    '1\\,2',
    ',',
  ],
  ...['2026-02-30', '0000-00-00', '9999-12-31', '2026-03-01T25:00:00Z', '24:00:00', '10000-01-01'],
  ...[
    'é',
    'e\u0301',
    'ß',
    'İ',
    'ﬀ',
    '😀',
    '👩‍👩‍👧',
    '\u202e',
    '\ufeff',
    '\u2028',
    '\u0085',
    '\u00a0',
  ],
  ...[
    '\u0001',
    '\t',
    '\n',
    '\r\n',
    '\u007f',
    '*',
    'a*',
    '"a" OR "b"',
    'NEAR(a b)',
    '^a',
    'col:a',
    '(a',
  ],
  ...[
    'a'.repeat(141),
    'x'.repeat(3000),
    '😀'.repeat(141),
    '%'.repeat(50),
    '_'.repeat(50),
    '"'.repeat(9),
  ],
]

/** A text of any kind that is well-formed Unicode. */
export const hostileText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 12 }).map((text) => text.toWellFormed()),
)

/** Pieces of JSON text, also of JSON that is none. */
const RAW_VALUES: readonly string[] = [
  ...['null', 'true', 'false', '0', '-0', '1', '-1', '1.5', '1e400', '-1e400', '1e-400', '1e15'],
  ...[
    '9007199254740991',
    '9007199254740993',
    '-9007199254740993',
    '123456789012345678901234567890',
  ],
  ...['0.1234567', '0.30000000000000004', '1e21', '[]', '{}', '[null]', '[{}]', '[[]]', '{"a":{}}'],
  ...['"\\u0000"', '"\\ud800"', '"\\udc00\\ud800"', '"a\\u0000b"', '"\\uD83D\\uDE00"', '"\\/"'],
  ...['{"__proto__":{"a":1}}', '[{"__proto__":1}]', '{"constructor":{"prototype":{"a":1}}}'],
  ...[
    '[{"row_id":"x"}]',
    '[{"row_id":1}]',
    '[{"row_id":null}]',
    '[{"row_id":"__proto__"}]',
    '[1,2]',
  ],
  ...['{"length":1}', '{"toJSON":1}', '{"then":1}', '{"$gt":""}', '[[[[[[]]]]]]'],
  ...['['.repeat(40) + ']'.repeat(40), `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`],
  ...[`[${'{},'.repeat(600)}{}]`, `"${'x'.repeat(200_000)}"`],
  ...['01', 'NaN', "'a'", '"\u0001"', '"', '[', '{', 'undefined', '1e', '+1', '"\\x"', '//', ''],
]

/** The text of a JSON value, mostly a valid one. */
export const rawValue = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...RAW_VALUES) },
  { weight: 3, arbitrary: hostileText.map((text) => JSON.stringify(text)) },
  fc.json({ maxDepth: 3 }),
)

/** What may stand in a path, encoded or not, and what cannot be decoded. */
export const pathPart = fc.oneof(
  { weight: 3, arbitrary: hostileText.map((text) => encodeURIComponent(text)) },
  fc.constantFrom(
    '%',
    '%zz',
    '%00',
    '%ff',
    '%c0%80',
    '%ed%a0%80',
    '..',
    '.',
    '%2e%2e',
    '%2F',
    '~',
    "'",
  ),
)

/** Header values that Node sends as they are. */
export const headerValue = fc.oneof(
  fc.constantFrom(
    '',
    '*',
    '"',
    '""',
    'W/"a"',
    '"a", "b"',
    'a,b',
    'é',
    '\t',
    'null',
    '-1',
    'x'.repeat(5000),
  ),
  fc.string({ maxLength: 30 }).map((text) => text.replace(/[^\x20-\x7e\x80-\xff]/g, '')),
)
