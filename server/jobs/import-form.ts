import { extname } from 'node:path'
import { type Detail, validationError } from '../../engine/base/errors.ts'
import { isObject } from '../../engine/base/json-text.ts'
import { nearest } from '../../engine/base/suggest.ts'
import type { Mapping } from '../import/columns.ts'
import { FORMATS } from '../import/format.ts'
import type { UploadedText } from '../import/upload.ts'
import type { ImportInput } from './import-file.ts'

/** What the form of an import says. */
export interface ImportForm {
  /** Slug of the resource. */
  readonly resource: string
  readonly input: ImportInput
}

const FIELDS = ['resource', 'mapping', 'dry_run', 'upsert', 'key', 'submit', 'format'] as const
const CHECKS: Readonly<Record<string, boolean>> = { 1: true, true: true, 0: false, false: false }

/** Reads the form beside its file. Throws 422 with all that is wrong. */
export function readImportForm({ fields, name }: UploadedText): ImportForm {
  const details: Detail[] = []
  const wrong = (field: string, message: string, code: Detail['code'] = 'wrong_type'): void => {
    details.push({ field, message, code })
  }
  for (const field of fields.keys())
    if (!FIELDS.some((known) => known === field))
      wrong(
        field,
        `unknown field${nearest(field, FIELDS)}; expected ${FIELDS.join(', ')}`,
        'unknown_field',
      )
  const check = (field: (typeof FIELDS)[number]): boolean => {
    const text = fields.get(field) ?? ''
    if (text === '') return false
    const value = CHECKS[text]
    if (value === undefined)
      wrong(field, `expected true or false, got ${JSON.stringify(text.slice(0, 60))}`)
    return value ?? false
  }
  const resource = fields.get('resource') ?? ''
  if (resource === '') wrong('resource', 'is required: the slug of a resource', 'required')
  const asked = fields.get('format') ?? extname(name).slice(1).toLowerCase()
  const format = FORMATS.find((one) => one === asked)
  if (!format)
    wrong('format', `expected ${FORMATS.join(', ')}, where the name of the file does not say it`)
  const mapping = readMapping(fields.get('mapping') ?? '')
  if (!mapping) wrong('mapping', 'expected an object: {"heading": "field", "other": null}')
  else if (format !== 'csv' && Object.keys(mapping).length > 0)
    wrong('mapping', 'expected none: only a table has columns')
  const [dry_run, upsert, submit] = [check('dry_run'), check('upsert'), check('submit')]
  const key = fields.get('key') || null
  if (key !== null && !upsert) wrong('key', 'expected none: only with upsert records are found')
  if (details.length > 0) throw validationError(details)
  const file = name.slice(0, 200)
  return {
    resource,
    input: { file, format: format!, dry_run, submit, upsert, key, mapping: mapping! },
  }
}

function readMapping(text: string): Mapping | undefined {
  if (text === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    const isMapping =
      isObject(value) &&
      Object.values(value).every((one) => one === null || typeof one === 'string')
    return isMapping ? (value as Mapping) : undefined
  } catch {
    return undefined
  }
}
