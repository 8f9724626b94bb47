import { check } from './check.ts'
import { date, datetime, time } from './date.ts'
import { currency, float, percent, rating } from './decimal.ts'
import type { FieldType } from './field-type.ts'
import { json } from './json.ts'
import { dynamicLink, link } from './link.ts'
import { duration, int } from './number.ts'
import { select } from './select.ts'
import { tableType } from './table.ts'
import {
  attach,
  attachImage,
  code,
  color,
  data,
  email,
  fileName,
  html,
  longText,
  markdown,
  password,
  phone,
  smallText,
  text,
  timeZone,
  url,
} from './text.ts'

/** Every type a field can have, by name, in the order of contract §1. */
export const fieldTypes: ReadonlyMap<string, FieldType> = new Map(
  [
    data,
    smallText,
    text,
    longText,
    markdown,
    html,
    code,
    int,
    float,
    currency,
    percent,
    check,
    select,
    link,
    dynamicLink,
    tableType(fieldType),
    date,
    datetime,
    time,
    duration,
    json,
    attach,
    attachImage,
    rating,
    color,
    phone,
    email,
    url,
    timeZone,
    fileName,
    password,
  ].map((type) => [type.name, Object.freeze(type)]),
)

/** The type of that name. Throws an Error that lists the known ones; definitions are checked at load. */
export function fieldType(name: string): FieldType {
  const type = fieldTypes.get(name)
  if (!type)
    throw new Error(
      `expected a field type (${[...fieldTypes.keys()].join(' ')}), got ${JSON.stringify(name)}`,
    )
  return type
}
