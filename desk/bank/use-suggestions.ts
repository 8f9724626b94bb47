import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type DeskState, useDesk } from '../boot/desk-context.ts'
import { recordPath } from '../data/client.ts'
import { formatDate, formatValue } from '../data/format.ts'
import { resourceQuery } from '../data/queries.ts'
import type { ActionInfo, FieldInfo, ListAnswer, RecordData, ResourceInfo } from '../data/types.ts'
import type { BankLine, Suggestion } from './bank-types.ts'
import { useActions } from './use-lines.ts'

/** Documents that are looked at for a line, of each kind. */
const MOST_OF_KIND = 3

/** Name of the field by which a document says what is still to be paid of it. */
const OPEN = 'outstanding_amount'

/**
 * What a line may stand for, the likeliest first: the payment that the line itself suggests, then documents of which this very
 * amount is to be paid. Which kinds there are says the action that books a payment; each was tried before it is offered.
 */
export function useSuggestions(
  resource: ResourceInfo,
  line: BankLine | undefined,
): UseQueryResult<readonly Suggestion[]> {
  const desk = useDesk()
  const { wouldDo } = useActions(resource.slug)
  async function fitting(
    { id }: BankLine,
    all: readonly Suggestion[],
  ): Promise<readonly Suggestion[]> {
    const tried = await Promise.all(all.map(({ action, input }) => wouldDo(id, action, input)))
    return all.filter((_, at) => tried[at])
  }
  return useQuery({
    queryKey: ['bank suggestions', resource.slug, line?.id, line?.modified],
    queryFn: async () => {
      if (!line) return []
      const [payment, documents] = await Promise.all([
        suggestedPayment(desk, resource, line),
        openDocuments(desk, resource, line),
      ])
      const first = [...payment, ...(await fitting(line, documents))]
      return first.length > 0 ? first : fitting(line, await vouchersOf(desk, resource, line))
    },
    enabled: line !== undefined,
    staleTime: 60_000,
  })
}

/** The payment that the line suggests. */
async function suggestedPayment(
  { client, formats }: DeskState,
  resource: ResourceInfo,
  line: BankLine,
): Promise<readonly Suggestion[]> {
  const field = resource.fields.find(({ name }) => name === 'suggested_payment')
  const action = resource.actions.find(
    ({ name, input }) => name === 'match_suggested' && input.length === 0,
  )
  const id = line.suggested_payment
  if (!id || !action || field?.resource === undefined) return []
  const [{ body }, info] = await Promise.all([
    client.ask<RecordData>(`${recordPath(field.resource, id)}?_titles=1`),
    client.ask<ResourceInfo>(`/v1/resources/${field.resource}`),
  ])
  return [
    {
      key: `suggested ${id}`,
      title: titleOf(info.body, body),
      hint: hintOf(info.body, body, formats),
      action: action.name,
      input: {},
      href: `/${field.resource}/${encodeURIComponent(id)}`,
    },
  ]
}

/** Documents of which the amount of the line is to be paid, by the action that books a payment for one. */
async function openDocuments(
  desk: DeskState,
  resource: ResourceInfo,
  line: BankLine,
): Promise<readonly Suggestion[]> {
  const found = await Promise.all(
    resource.actions.flatMap((action) =>
      action.input.flatMap((input) =>
        input.type === 'link' &&
        input.resource !== undefined &&
        desk.entryOf(input.resource)?.locked === false
          ? [documentsOf(desk, action, input, input.resource, line)]
          : [],
      ),
    ),
  )
  return found.flat()
}

async function documentsOf(
  { client, slugOf, formats }: DeskState,
  action: ActionInfo,
  input: FieldInfo,
  slug: string,
  line: BankLine,
): Promise<readonly Suggestion[]> {
  const info = await resourceQuery(client, slug).queryFn()
  if (!info.fields.some(({ name }) => name === OPEN)) return []
  const query = new URLSearchParams({
    [OPEN]: String(line.unallocated_amount),
    docstatus: '1',
    limit: String(MOST_OF_KIND),
    _titles: '1',
  })
  const { body } = await client.ask<ListAnswer>(`/v1/${slug}?${query}`)
  const texts = [line.description, line.reference_number, line.bank_party_name]
    .join(' ')
    .toLowerCase()
  return body.data
    .map((record) => ({ record, title: titleOf(info, record) }))
    .sort((one, other) => likeness(other, texts) - likeness(one, texts))
    .map(({ record, title }) => ({
      key: `${slug} ${record.id}`,
      title,
      hint: hintOf(info, record, formats),
      action: action.name,
      input: { ...partyOf(action, info, record, slugOf), [input.name]: record.id },
      books: true,
      href: `/${slug}/${encodeURIComponent(record.id)}`,
    }))
}

/**
 * Vouchers that were booked already and are found by who the line names, of every kind that an action takes: those in another
 * currency too, whose amount alone tells nothing.
 */
async function vouchersOf(
  { client, slugOf, formats, entryOf }: DeskState,
  resource: ResourceInfo,
  line: BankLine,
): Promise<readonly Suggestion[]> {
  const sought = line.bank_party_name ?? line.reference_number ?? ''
  if (sought === '') return []
  const asked = resource.actions.flatMap((action) =>
    action.input.flatMap((link) => {
      const kind = action.input.find(
        ({ name, type }) => name === link.resource_from && type === 'select',
      )
      if (!kind || !link.required) return []
      return valuesOf(kind).flatMap((value) => {
        const slug = slugOf(value)
        return entryOf(slug)?.locked === false ? [{ action, link, kind, value, slug }] : []
      })
    }),
  )
  const found = await Promise.all(
    asked.map(async ({ action, link, kind, value, slug }) => {
      const info = await resourceQuery(client, slug).queryFn()
      const query = new URLSearchParams({
        q: sought.slice(0, 60),
        docstatus: '1',
        limit: String(MOST_OF_KIND),
        _titles: '1',
      })
      const { body } = await client.ask<ListAnswer>(`/v1/${slug}?${query}`)
      return body.data.map((record) => ({
        key: `voucher ${slug} ${record.id}`,
        title: titleOf(info, record),
        hint: hintOf(info, record, formats),
        action: action.name,
        input: { [kind.name]: value, [link.name]: record.id },
        href: `/${slug}/${encodeURIComponent(record.id)}`,
      }))
    }),
  )
  return found.flat()
}

function valuesOf({ options }: FieldInfo): readonly string[] {
  const all = (options ?? []) as readonly (string | { readonly value: string })[]
  return all.map((one) => (typeof one === 'string' ? one : one.value))
}

/** How much of a document the line tells: its number, and words of who it is for. */
function likeness(
  { record, title }: { readonly record: RecordData; readonly title: string },
  texts: string,
): number {
  const isNamed = texts.includes(record.id.toLowerCase())
  const words = title
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word.length > 3)
  return Number(isNamed) * 10 + words.filter((word) => texts.includes(word)).length
}

/** Whom a document is for, as the action asks for it: a kind, and one of that kind. */
function partyOf(
  { input }: ActionInfo,
  info: ResourceInfo,
  record: RecordData,
  slugOf: (doctype: unknown) => string,
): Readonly<Record<string, unknown>> {
  for (const link of input) {
    const kind = input.find(({ name, type }) => name === link.resource_from && type === 'select')
    for (const value of kind ? valuesOf(kind) : []) {
      const field = info.fields.find(
        ({ resource, required }) => required && resource !== '' && resource === slugOf(value),
      )
      if (kind && field && record[field.name])
        return { [kind.name]: value, [link.name]: record[field.name] }
    }
  }
  return {}
}

function titleOf({ title_field }: ResourceInfo, record: RecordData): string {
  return String(record._titles?.[title_field] ?? record[title_field] ?? record.id)
}

/** What tells a record from others: its number, its day and its amount. */
function hintOf(info: ResourceInfo, record: RecordData, formats: DeskState['formats']): string {
  const day = info.fields.find(
    ({ name, type }) => type === 'date' && info.list_fields.includes(name),
  )
  const amount = info.fields.find(
    ({ name, type }) => type === 'currency' && info.list_fields.includes(name),
  )
  return [
    info.label,
    record.id,
    day && formatDate(String(record[day.name] ?? ''), formats),
    amount && formatValue(amount, record, formats),
  ]
    .filter(Boolean)
    .join(' · ')
}
