import type { Random } from '../../helpers/random.ts'

const BITS = [
  '#',
  ' #',
  ': ',
  ':',
  '- ',
  '-',
  '"',
  "'",
  '[',
  ']',
  '{',
  '}',
  ',',
  '\n',
  '\n  ',
  ' ',
  '  ',
  '&a ',
  '*a',
  '!x ',
  '|',
  '>',
  '?',
  '? ',
  'null',
  '~',
  'true',
  '1',
  '0x1',
  '.5',
  '1e3',
  '007',
  '\t',
  '%',
  '@',
  '`',
  '<<: ',
  '---\n',
  '...',
  'a: 1',
  '\\',
  'é',
  "''",
  '-1',
  '=',
  '\u00a0',
  '\u2028',
  '+1',
  '1_0',
  'yes',
  '__proto__: 1\n',
  '\0',
  '\ud800',
  '\ufeff',
  '\r\n',
  '🚀',
  '.inf',
]

/** A text with a few slips of the hand in it: something put in, left out, written over, or the end cut off. */
export function withSlips(text: string, random: Random): string {
  let slipped = text
  for (let slips = 1 + random.below(3); slips > 0; slips -= 1) {
    const at = random.below(slipped.length)
    const bit = random.one(BITS)
    const kind = random.next()
    if (kind < 0.5) slipped = slipped.slice(0, at) + bit + slipped.slice(at)
    else if (kind < 0.7) slipped = slipped.slice(0, at) + slipped.slice(at + 1)
    else if (kind < 0.9) slipped = slipped.slice(0, at) + bit + slipped.slice(at + bit.length)
    else slipped = slipped.slice(0, at)
  }
  return slipped
}
