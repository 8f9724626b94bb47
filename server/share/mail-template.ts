import { type Detail, validationError } from '../../engine/base/errors.ts'
import { getDocument } from '../../engine/documents/operations/get.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import { publicFields } from '../../engine/fields/public-fields.ts'
import { html } from '../http/html.ts'
import { formatsOf } from '../print/formats.ts'
import { readLabels } from '../print/labels.ts'
import type { ComposedPaper } from '../print/paper.ts'

/** Subject and text of a mail. */
export interface WrittenMail {
  readonly subject: string
  readonly text: string
  readonly html?: string
}

/** Where a template says that a value of the record stands: `{{ customer_name }}`, `{{ doc.name }}`. */
const PLACE = /\{\{\s*(?:doc\.)?(\w+)\s*\}\}/g

/**
 * A mail as a template has it, with the values of the record in their places, as they stand on its paper. Throws 422 for a
 * template that is not there, and for a place that no field of the record fills.
 */
export async function fromTemplate(
  context: Context,
  id: string,
  paper: ComposedPaper,
): Promise<WrittenMail> {
  const { registry, folders } = context.services
  const templates = registry.serving('mail_templates')
  if (!templates) throw problem('template', 'this workspace has no templates')
  const { record } = await getDocument(context, templates, id).catch(() => {
    throw problem('template', `there is no template ${JSON.stringify(id)}`)
  })
  const { definition, record: shown, titles } = paper.printed
  const { language } = paper.sheet
  const formats = formatsOf(language, undefined, readLabels(folders, language))
  const writtenOf = (name: string): string => {
    if (name === 'name') return String(shown.name)
    const field = publicFields(definition).find((one) => one.name === name && !one.child)
    if (!field) throw problem('template', `names {{ ${name} }}, which ${definition.label} lacks`)
    const currency = shown[field.currencyField ?? '']
    const value = titles[name] ?? shown[name]
    return formats.value(field, value, typeof currency === 'string' ? currency : undefined)
  }
  const filled = (text: unknown, asShown: (value: string) => string): string =>
    String(text ?? '').replace(PLACE, (_, name: string) => asShown(writtenOf(name)))
  const plain = (value: string): string => value
  const subject = filled(record.subject, plain)
  if (record.use_html !== true) return { subject, text: filled(record.response, plain) }
  const body = filled(record.response_html, (value) => html`${value}`.html)
  return {
    subject,
    html: body,
    text: body
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  }
}

function problem(field: string, message: string): Error {
  const detail: Detail = { field, message, code: 'no_such_record' }
  return validationError([detail])
}
