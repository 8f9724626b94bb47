/**
 * Exact decimals as scaled BigInts (rules.md §3): a `currency` is an integer number of 1/10⁴, a `float`
 * or `percent` of 1/10⁶. Nothing here ever computes with a binary fraction.
 */

const POWERS = Array.from({ length: 31 }, (_, n) => 10n ** BigInt(n))

/** 10ⁿ as a BigInt. */
export function pow10(n: number): bigint {
  return POWERS[n] ?? 10n ** BigInt(n)
}

export type DecimalProblem = 'not-a-number' | 'too-many-decimals' | 'too-many-digits'
export type DecimalResult =
  | { readonly ok: true; readonly value: bigint }
  | { readonly ok: false; readonly problem: DecimalProblem }

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/
const MAX_SIGNIFICANT = 15

/** Digits that are looked at one by one; who writes more means no number. */
const MAX_WRITTEN = 1000

/**
 * Reads a JSON number (or its text) as a scaled integer. At most 15 significant digits are taken,
 * because only those survive a JSON number (rules.md §3); noise of client-side binary arithmetic such
 * as 4.1230000000000001 is removed with `toPrecision(15)`, decimals beyond `scale` are never rounded away.
 */
export function parseDecimal(input: number | string, scale: number): DecimalResult {
  if (typeof input === 'number') {
    if (!Number.isFinite(input)) return { ok: false, problem: 'not-a-number' }
    if (Number.isSafeInteger(input)) {
      if (Math.abs(input) >= 1e15) return { ok: false, problem: 'too-many-digits' }
      return { ok: true, value: BigInt(input) * pow10(scale) }
    }
    const exact = parseText(String(input), scale)
    return exact.ok ? exact : parseText(input.toPrecision(MAX_SIGNIFICANT), scale)
  }
  return parseText(input.trim(), scale)
}

function parseText(text: string, scale: number): DecimalResult {
  const match = DECIMAL.exec(text)
  if (!match) return { ok: false, problem: 'not-a-number' }
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  if (whole === '' && fraction === '') return { ok: false, problem: 'not-a-number' }
  // The zeros at the end of a text without end would be looked for from each of its digits on.
  if (whole.length + fraction.length > MAX_WRITTEN) return { ok: false, problem: 'too-many-digits' }
  const digits = (whole + fraction).replace(/^0+/, '')
  if (digits === '') return { ok: true, value: 0n }
  const significant = digits.replace(/0+$/, '')
  if (significant.length > MAX_SIGNIFICANT) return { ok: false, problem: 'too-many-digits' }
  const trailing = digits.length - significant.length
  const shift = Number(exponent) - fraction.length + trailing + scale
  if (shift < 0) return { ok: false, problem: 'too-many-decimals' }
  if (significant.length + shift - scale > MAX_SIGNIFICANT)
    return { ok: false, problem: 'too-many-digits' }
  const value = BigInt(significant) * pow10(shift)
  return { ok: true, value: sign === '-' ? -value : value }
}

/** Powers of ten that doubles hold exactly. */
const DOUBLE_POWERS: readonly number[] = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent)

/** The JSON number of a scaled integer: the nearest double, which prints as the exact decimal up to 15 digits. */
export function decimalToNumber(value: bigint, scale: number): number {
  const number = Number(value)
  // What is beyond 2⁵³ never comes out of the conversion as a safe one.
  if (Number.isSafeInteger(number)) return number / DOUBLE_POWERS[scale]!
  return Number(formatDecimal(value, scale))
}

/** Exact text of a scaled integer without trailing zeros, e.g. `93.99`. */
export function formatDecimal(value: bigint, scale: number): string {
  const negative = value < 0n
  const digits = (negative ? -value : value).toString().padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '')
  return `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** Brings a scaled integer to another scale, half away from zero where digits are lost (rules.md §3). */
export function rescale(value: bigint, from: number, to: number): bigint {
  if (to >= from) return value * pow10(to - from)
  return divideRounded(value, pow10(from - to))
}

/** Integer division, half away from zero. Throws RangeError on division by zero. */
export function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const negative = dividend < 0n !== divisor < 0n
  const a = dividend < 0n ? -dividend : dividend
  const b = divisor < 0n ? -divisor : divisor
  const rounded = (a * 2n + b) / (b * 2n)
  return negative ? -rounded : rounded
}
