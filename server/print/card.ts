import type { WrittenCard } from '../../engine/definition/model/print.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { Field } from '../../engine/fields/field.ts'
import { sameOriginPath } from '../http/same-origin-path.ts'
import type { Formats } from './formats.ts'
import { type Printed, readLinked, readPointing } from './printed.ts'
import type { Card, Fact } from './sheet.ts'

/** Scene of a card: whose rights it is read by, and how values and addresses are written. */
export interface CardScene {
  readonly context: Context
  readonly formats: Formats
  /** Two letters of the country that needs no mention in addresses. */
  readonly home: string | undefined
}

/**
 * A record as its DocType's `print.card` writes it: its title, and its address as the post wants it; `written` says what
 * the paper itself has kept of that.
 */
export async function cardOf(
  scene: CardScene,
  printed: Printed,
  written: WrittenCard = {},
  paper?: Printed,
): Promise<Card> {
  const { record, print } = printed
  const said = paper && textIn(paper.record[written.address ?? ''])
  const { card = {} } = print
  const postal =
    card.postal || said !== undefined
      ? printed
      : card.address && (await readPointing(scene.context, printed, card.address))
  const logo = card.logo === undefined ? undefined : sameOriginPath(textIn(record[card.logo]))
  const reach = (card.reach ?? []).map((name) => textIn(record[name]) ?? '')
  return {
    name: titleOf(printed),
    lines:
      said === undefined
        ? postal
          ? await postalLines(scene, postal)
          : []
        : keptLines(scene, said),
    reach: reach.filter((text) => text !== ''),
    facts: keptFacts(scene, printed, written, paper),
    ...(logo === undefined ? {} : { logo }),
  }
}

/** Two letters of the country of a record; undefined where it has none. */
export async function regionOf(context: Context, printed: Printed): Promise<string | undefined> {
  const { country } = printed.print.card ?? {}
  const found = country === undefined ? undefined : await readLinked(context, printed, country)
  const region = found?.print.card?.region
  const code = found && region !== undefined ? textIn(found.record[region]) : undefined
  return code !== undefined && /^[A-Z]{2}$/.test(code) ? code : undefined
}

/** Labels and values of those fields that are set. */
export function factsOf(
  formats: Formats,
  printed: Printed,
  fields: readonly Field[],
): readonly Fact[] {
  return fields
    .map((field) => ({
      field: field.name,
      label: labelOf(formats, printed, field),
      value: textOf(formats, printed, field),
    }))
    .filter(({ value }) => value !== '')
}

/** Label of a field on paper. */
export function labelOf({ label }: Formats, { print }: Printed, field: Field): string {
  return label(print.labels?.[field.name] ?? field.label)
}

/** The value of a field; of a link the title of what it leads to. */
export function textOf(formats: Formats, { record, titles }: Printed, field: Field): string {
  const currency = textIn(record[field.currencyField ?? ''])
  return formats.value(field, titles[field.name] ?? record[field.name], currency)
}

/** The fields of these names, in their order. */
export function fieldsNamed(
  fields: readonly Field[],
  names: readonly string[] = [],
): readonly Field[] {
  return names.flatMap((name) => fields.find((field) => field.name === name) ?? [])
}

export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function titleOf({ definition, record }: Printed): string {
  return textIn(record[definition.titleField]) ?? String(record.name)
}

/** Facts of a card; those that a paper has kept of it bear the labels of the card's. */
function keptFacts(
  { formats }: CardScene,
  printed: Printed,
  { facts }: WrittenCard,
  paper: Printed | undefined,
): readonly Fact[] {
  const own = fieldsNamed(printed.definition.fields, printed.print.card?.facts)
  if (!paper || !facts) return factsOf(formats, printed, own)
  return fieldsNamed(paper.definition.fields, facts)
    .map((field, index) => {
      const named = own[index]
      const label = named ? labelOf(formats, printed, named) : labelOf(formats, paper, field)
      return { label, value: textOf(formats, paper, field) }
    })
    .filter(({ value }) => value !== '')
}

/** Lines of an address that a document has kept. */
export function keptLines({ formats, home }: Pick<CardScene, 'formats' | 'home'>, text: string) {
  const lines = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
  const last = lines.at(-1) ?? ''
  if (!/^[A-Z]{2}$/.test(last)) return lines
  return [...lines.slice(0, -1), ...(last === home ? [] : [formats.region(last) ?? last])]
}

async function postalLines(
  { context, formats, home }: CardScene,
  address: Printed,
): Promise<readonly string[]> {
  const { card = {} } = address.print
  const region = await regionOf(context, address)
  const lines = (region && card.postal_in?.[region]) || (card.postal ?? [])
  const partOf = (name: string): string => {
    if (name !== card.country) return textIn(address.record[name]) ?? ''
    if (region !== undefined && region === home) return ''
    return (region && formats.region(region)) || (textIn(address.record[name]) ?? '')
  }
  return lines
    .map((line) => line.replace(/\{([a-z0-9_]+)\}/g, (_, name: string) => partOf(name)))
    .map((line) => line.replace(/\s+/g, ' ').replace(/^[\s,]+|[\s,]+$/g, ''))
    .filter((line) => line !== '')
}
