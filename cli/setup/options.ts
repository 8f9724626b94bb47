import type { Plans } from '../../engine/access/plans.ts'
import { listRecordSets, type RecordSet } from '../../engine/definition/load/record-sets.ts'
import { GENERAL } from './masters.ts'

/** A country, and what is proposed to a company there. */
export interface CountryOption {
  readonly name: string
  /** Two letters of ISO 3166-1. */
  readonly code: string
  /** ISO 4217. */
  readonly currency: string
  readonly chart_of_accounts: string
  /** MM-DD. */
  readonly fiscal_year_start: string
  /** Time zone of most people there; undefined where none is known. */
  readonly time_zone: string | undefined
  /** What its usual sales taxes are called: `VAT 20 % / 13 % / 10 %`; null where no tax templates come with it. */
  readonly taxes: string | null
}

/** Choices of a setup. */
export interface SetupOptions {
  readonly countries: readonly CountryOption[]
  readonly currencies: readonly { readonly code: string; readonly name: string }[]
  readonly charts: readonly { readonly name: string; readonly description: string }[]
  /** Lowest first. */
  readonly tiers: readonly string[]
}

/** Choices that the files below `setup/` and plans.yaml offer. Throws DefinitionErrors for what is wrong in them. */
export function setupOptions(folders: readonly string[], { plans }: Plans): SetupOptions {
  const charts = listRecordSets(folders, 'charts')
  const taxes = new Map(listRecordSets(folders, 'taxes').map((set) => [set.name, usualOf(set)]))
  const records = listRecordSets(folders, 'records')
  const all = (doctype: string): readonly Readonly<Record<string, unknown>>[] =>
    records.flatMap((set) => set.records[doctype] ?? [])
  return {
    countries: all('Country').map((country) => {
      const name = String(country.country_name)
      const chart = charts.find(({ countries }) => countries.includes(name))
      return {
        name,
        code: String(country.code ?? ''),
        currency: String(country.currency ?? USUAL_CURRENCY),
        chart_of_accounts: chart?.name ?? GENERAL,
        fiscal_year_start: String(country.fiscal_year_start ?? USUAL_YEAR_START),
        time_zone: String(country.time_zones ?? '').split('\n')[0] || undefined,
        taxes: taxes.get(name) ?? null,
      }
    }),
    currencies: all('Currency').map((currency) => ({
      code: String(currency.currency_name),
      name: String(currency.description ?? currency.currency_name),
    })),
    charts: charts.map(({ name, description = '' }) => ({ name, description })),
    tiers: plans.map(({ slug }) => slug),
  }
}

/** Title of the first template that is taken by itself, which is that of sales; else of the first there is. */
function usualOf({ records }: Pick<RecordSet, 'records'>): string | null {
  const titled = Object.values(records)
    .flat()
    .filter(({ title }) => typeof title === 'string')
  const usual = titled.find((one) => one.is_default === true) ?? titled[0]
  return usual === undefined ? null : String(usual.title)
}

export const USUAL_CURRENCY = 'USD'
export const USUAL_YEAR_START = '01-01'

/** The country of that name or code, in letters of any case; undefined for none. */
export function findCountry(
  { countries }: Pick<SetupOptions, 'countries'>,
  text: string,
): CountryOption | undefined {
  const wanted = folded(text)
  return (
    countries.find(({ name }) => folded(name) === wanted) ??
    countries.find(({ code }) => folded(code) === wanted)
  )
}

/** Countries that somebody may mean who types this: those that begin so before those that contain it. */
export function countriesLike(
  { countries }: Pick<SetupOptions, 'countries'>,
  text: string,
): readonly CountryOption[] {
  const wanted = folded(text)
  if (wanted === '') return []
  const begins = countries.filter(({ name }) => folded(name).startsWith(wanted))
  const contains = countries.filter(
    ({ name }) => folded(name).includes(wanted) && !folded(name).startsWith(wanted),
  )
  return [...begins, ...contains]
}

function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase()
}
