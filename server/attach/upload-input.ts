import { type AppError, type Detail, validationError } from '../../engine/base/errors.ts'
import { suggest } from '../../engine/base/suggest.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { Field } from '../../engine/fields/field.ts'
import { fieldType } from '../../engine/fields/index.ts'
import { isShownInPlace } from '../files/content-type.ts'
import type { FileInput } from '../files/keep.ts'

/** Fields of the form beside the file (contract §7.5). */
export const UPLOAD_FIELDS = ['resource', 'id', 'field', 'is_private', 'folder'] as const

type About = Omit<FileInput, 'name'>

/** What the fields of a form say of its file. Throws 422 with every problem; whether the record is there asks the create. */
export function readUploadFields(context: Context, fields: ReadonlyMap<string, string>): About {
  const problems: Detail[] = []
  const say = (field: string, message: string, code: Detail['code']): void =>
    void problems.push({ field, message, code })
  for (const name of fields.keys())
    if (!UPLOAD_FIELDS.some((known) => known === name)) {
      const near = suggest(name.slice(0, 60), UPLOAD_FIELDS)
      const hint = near === undefined ? '' : ` (did you mean ${near}?)`
      say(
        name,
        `is no field of an upload${hint}; expected ${UPLOAD_FIELDS.join(', ')}`,
        'unknown_field',
      )
    }
  const text = (name: (typeof UPLOAD_FIELDS)[number]): string | undefined =>
    fields.get(name) || undefined
  const [slug, id, field] = [text('resource'), text('id'), text('field')]
  const definition = slug === undefined ? undefined : context.services.registry.bySlug(slug)
  if (slug !== undefined && !definition)
    say('resource', 'expected the slug of a resource', 'not_an_option')
  if (slug !== undefined && id === undefined) say('id', 'is missing beside resource', 'required')
  if (slug === undefined && (id ?? field) !== undefined)
    say('resource', 'is missing beside id', 'required')
  const column = definition && field !== undefined ? fileField(definition, field) : undefined
  if (definition && field !== undefined && !column)
    say('field', `expected a field of ${definition.label} that holds a file`, 'not_an_option')
  const flag = text('is_private') ?? '1'
  const isPrivate = ['1', 'true', 'on'].includes(flag)
  if (!isPrivate && !['0', 'false', 'off'].includes(flag))
    say('is_private', 'expected 1 or 0', 'wrong_type')
  if (problems.length > 0) throw validationError(problems)
  return {
    isPrivate,
    folder: text('folder'),
    ...(definition && id !== undefined
      ? { attached: { doctype: definition.doctype, name: id, field } }
      : {}),
    ...(column ? { assertType: typeFor(column) } : {}),
  }
}

/** A field of a DocType, or the table that has one, that holds the address of a file. */
function fileField({ fields }: DocTypeDefinition, name: string): Field | undefined {
  const holds = ({ type }: Field): boolean => /^attach/.test(fieldType(type).widget)
  return fields.find((one) => one.name === name && (holds(one) || one.child?.fields.some(holds)))
}

/** A field of pictures takes what browsers show as one. */
function typeFor({ name, label, type }: Field): NonNullable<FileInput['assertType']> {
  return (found) => {
    if (fieldType(type).widget !== 'attach-image') return
    if (found.startsWith('image/') && isShownInPlace(found)) return
    throw noPicture(name, label, found)
  }
}

function noPicture(field: string, label: string, found: string): AppError {
  const message = `${label} takes a picture (PNG, JPEG, GIF, WebP or AVIF), got ${found}`
  return validationError([{ field, message, code: 'wrong_type' }])
}
