import type { Detail } from '../../engine/base/errors.ts'
import { suggest } from '../../engine/base/suggest.ts'
import { isEmail } from '../../engine/fields/text-format.ts'
import type { KeyEnvironment } from '../../server/auth/key-text.ts'
import { generatePassword, passwordProblem } from '../../server/auth/passwords.ts'
import { readRetention } from '../../server/settings/settings.ts'
import { isYearStart } from './fiscal-years.ts'
import { GENERAL } from './masters.ts'
import {
  type CountryOption,
  countriesLike,
  findCountry,
  type SetupOptions,
  USUAL_CURRENCY,
  USUAL_YEAR_START,
} from './options.ts'
import { type SetupRequest, TEST_COMPANY } from './set-up.ts'

/** Input for a new workspace; what is not said is proposed by the country, or usual. */
export interface SetupInput {
  /** What people call the first person; else their login. */
  readonly full_name?: string | undefined
  readonly email?: string | undefined
  readonly password?: string | undefined
  readonly company?: string | undefined
  readonly country?: string | undefined
  readonly currency?: string | undefined
  readonly chart_of_accounts?: string | undefined
  readonly fiscal_year_start?: string | undefined
  readonly tier?: string | undefined
  /** Days for which the event log keeps an event, as text; 0 keeps all. */
  readonly event_retention?: string | undefined
}

/** Days that are proposed for the event log: a year, and the weeks in which it is closed. */
export const PROPOSED_RETENTION = '400'

/** A whole request, or what is wrong with each value. */
export type CheckedSetup =
  | { readonly request: SetupRequest }
  | { readonly problems: readonly Detail[] }

/** Checks what was said against what there is, and completes it. */
export function checkSetup(
  options: SetupOptions,
  input: SetupInput,
  env: KeyEnvironment,
): CheckedSetup {
  const problems = Object.entries(CHECKS).flatMap(([field, check]): Detail[] => {
    const value = input[field as keyof SetupInput]
    const message = value === undefined ? undefined : check(value, options)
    const code = CHOSEN.has(field) ? 'not_an_option' : 'wrong_type'
    return message === undefined ? [] : [{ field, message, code }]
  })
  if (problems.length > 0) return { problems }
  const { email = null, password, company, tier = null } = input
  const country = input.country === undefined ? undefined : findCountry(options, input.country)
  return {
    request: {
      user: email?.toLowerCase() ?? 'Administrator',
      email,
      fullName: input.full_name?.trim(),
      password: password ?? generatePassword(),
      company: company?.trim() ?? TEST_COMPANY.company,
      country: country?.name ?? null,
      timeZone: country?.time_zone ?? null,
      tier,
      eventRetentionDays: Number(input.event_retention ?? 0),
      env,
      ...proposed(country),
      ...(input.currency === undefined ? {} : { currency: input.currency.toUpperCase() }),
      ...(input.chart_of_accounts === undefined ? {} : { chart: input.chart_of_accounts }),
      ...(input.fiscal_year_start === undefined ? {} : { yearStart: input.fiscal_year_start }),
    },
  }
}

/** Proposals for a company of that country. */
export function proposed(
  country: CountryOption | undefined,
): Pick<SetupRequest, 'currency' | 'chart' | 'yearStart'> {
  return {
    currency: country?.currency ?? USUAL_CURRENCY,
    chart: country?.chart_of_accounts ?? GENERAL,
    yearStart: country?.fiscal_year_start ?? USUAL_YEAR_START,
  }
}

type Check = (value: string, options: SetupOptions) => string | undefined

/** Checks of each value: what is wrong with it; undefined when nothing is. */
export const CHECKS: Readonly<Record<keyof SetupInput, Check>> = {
  full_name: (value) => nameProblem(value),
  email: (value) =>
    isEmail(value)
      ? undefined
      : `expected an address such as ann@example.com, got ${JSON.stringify(value)}`,
  password: (value) => passwordProblem(value),
  company: (value) => nameProblem(value),
  country: (value, options) =>
    findCountry(options, value)
      ? undefined
      : `expected the name of a country or its two letters, got ${JSON.stringify(value)}${meant(options, value)}`,
  currency: (value, { currencies }) => {
    const codes = currencies.map(({ code }) => code)
    return codes.includes(value.toUpperCase())
      ? undefined
      : `expected one of ${codes.join(', ')}, got ${JSON.stringify(value)}`
  },
  chart_of_accounts: (value, { charts }) => {
    const names = charts.map(({ name }) => name)
    return names.includes(value)
      ? undefined
      : `expected one of ${names.join(', ')}, got ${JSON.stringify(value)}`
  },
  fiscal_year_start: (value) =>
    isYearStart(value)
      ? undefined
      : `expected month and day such as 04-01, got ${JSON.stringify(value)}`,
  tier: (value, { tiers }) =>
    tiers.includes(value)
      ? undefined
      : `expected one of ${tiers.join(', ')}, got ${JSON.stringify(value)}`,
  event_retention: (value) => {
    try {
      readRetention(value)
      return undefined
    } catch (error) {
      return `${(error as Error).message}; 0 keeps all events`
    }
  },
}

function nameProblem(value: string): string | undefined {
  const length = value.trim().length
  return length > 0 && length <= 140 ? undefined : `expected a name of 1 to 140 characters`
}

/** What is chosen among what there is. */
const CHOSEN: ReadonlySet<string> = new Set(['country', 'currency', 'chart_of_accounts', 'tier'])

/** At most so many countries are named to somebody who has mistyped one. */
const MOST_NAMED = 5

function meant(options: SetupOptions, value: string): string {
  const near = suggest(
    value,
    options.countries.map(({ name }) => name),
  )
  const like = countriesLike(options, value).map(({ name }) => name)
  const names = [...new Set([...(near === undefined ? [] : [near]), ...like])].slice(0, MOST_NAMED)
  return names.length === 0 ? '' : `; did you mean ${names.join(', ')}?`
}
