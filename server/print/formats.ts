import { minorUnit } from '../../engine/base/currency.ts'
import type { Field } from '../../engine/fields/field.ts'
import type { ExpressionKind } from '../../engine/fields/field-type.ts'
import { fieldType } from '../../engine/fields/index.ts'
import { type Labels, SOURCE_LANGUAGE } from './labels.ts'

/** Ways in which values are written on one paper. */
export interface Formats {
  readonly language: string
  /** An English text in the language of the paper; one that has no translation stays as it is. */
  label(text: string): string
  /** An amount with the sign of its currency, or as a bare number with its decimals. */
  money(amount: number, currency: string | undefined, bare?: boolean): string
  percent(value: number): string
  /** Name of the country of these two letters. */
  region(code: string): string | undefined
  /** A value of a field as a text; empty where it is unset. */
  value(field: Field, value: unknown, currency?: string): string
}

/** Decimals of a number that is no amount: quantities, exchange rates. */
const MOST_DECIMALS = 9

/**
 * Writes numbers as the country of the company does, whatever the language: a German one writes `1.234,50 €` in
 * English, too. Dates are written as people of the language do in that country (CLDR).
 */
export function formatsOf(language: string, country: string | undefined, labels: Labels): Formats {
  const label = (text: string): string => labels.get(text) ?? text
  const locale = country === undefined ? language : `${language}-${country}`
  const numbers = numbersOf(language, country)
  const number = new Intl.NumberFormat(numbers, { maximumFractionDigits: MOST_DECIMALS })
  const share = new Intl.NumberFormat(numbers, { style: 'percent', maximumFractionDigits: 4 })
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const moment = new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  })
  const regions = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' })
  const amounts = new Map<string, Intl.NumberFormat>()

  function amountsOf(currency: string | undefined, bare: boolean): Intl.NumberFormat {
    const key = `${currency}${bare}`
    const known = amounts.get(key)
    if (known) return known
    const digits = minorUnit(currency ?? null)
    const made = new Intl.NumberFormat(numbers, {
      minimumFractionDigits: digits,
      // A price may be finer than the smallest coin, a sum never is.
      maximumFractionDigits: bare ? Math.max(digits, 6) : digits,
      ...(currency === undefined || bare ? {} : { style: 'currency', currency }),
    })
    amounts.set(key, made)
    return made
  }

  const money: Formats['money'] = (amount, currency, bare = false) =>
    amountsOf(isCode(currency) ? currency : undefined, bare).format(amount)

  const byKind: Partial<Record<ExpressionKind, (value: unknown, currency?: string) => string>> = {
    money: (value, currency) => money(Number(value), currency),
    decimal: (value) => number.format(Number(value)),
    int: (value) => number.format(Number(value)),
    bool: (value) => label(value === true ? 'Yes' : 'No'),
    date: (value) => day.format(Date.parse(`${value}T00:00:00Z`)),
    datetime: (value) => moment.format(Date.parse(String(value))),
    json: (value) => JSON.stringify(value),
    rows: () => '',
  }

  return {
    language,
    label,
    money,
    percent: (value) => share.format(value / 100),
    region: (code) => (/^[A-Z]{2}$/.test(code) ? regions.of(code) : undefined),
    value(field, value, currency) {
      if (value === null || value === undefined || value === '') return ''
      const { kind, widget } = fieldType(field.type)
      if (widget === 'percent') return share.format(Number(value) / 100)
      const write = byKind[kind]
      if (write) return write(value, currency)
      return field.options ? label(String(value)) : String(value)
    },
  }
}

function isCode(currency: string | undefined): currency is string {
  return currency !== undefined && /^[A-Z]{3}$/.test(currency)
}

/**
 * Locale of a country's numbers: in Canada those of the French or English speakers, in Germany those of Germans
 * only. Always in Latin digits, as the labels are in Latin script.
 */
function numbersOf(language: string, country: string | undefined): string {
  if (country === undefined) return language
  const home = new Intl.Locale(`und-${country}`).maximize()
  const own = `${language}-${country}`
  // English is known of many countries that do not speak it, with commas and points from here and there.
  const isSpoken =
    language !== SOURCE_LANGUAGE && new Intl.NumberFormat(own).resolvedOptions().locale === own
  return isSpoken ? own : `${home.language}-${country}-u-nu-latn`
}
