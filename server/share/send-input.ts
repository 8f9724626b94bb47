import { type Detail, validationError } from '../../engine/base/errors.ts'
import { isEmail } from '../../engine/fields/text-format.ts'
import { readBody } from './body-fields.ts'

/** A mail with a paper, as it was asked for. */
export interface SendInput {
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly subject: string | undefined
  readonly message: string | undefined
  readonly template: string | undefined
  readonly withPdf: boolean
  readonly withLink: boolean
}

const FIELDS = ['to', 'cc', 'subject', 'message', 'template', 'attach', 'link'] as const

/** Addresses of one mail, and the longest subject and message. */
const MOST = 20
const LONGEST_SUBJECT = 500
const LONGEST_MESSAGE = 20_000

/** Reads the body of `POST …/send`. Throws 422 with every problem. */
export function readSend(body: unknown): SendInput {
  const sent = readBody(body, FIELDS)
  const details: Detail[] = []
  const say = (field: string, message: string, code: Detail['code'] = 'wrong_type'): void =>
    void details.push({ field, message, code })

  function addresses(field: 'to' | 'cc'): readonly string[] {
    const value = sent[field] ?? []
    const list = typeof value === 'string' ? value.split(',').map((one) => one.trim()) : value
    const isList = Array.isArray(list) && list.length <= MOST
    if (isList && list.every((one) => typeof one === 'string' && isEmail(one)))
      return list as readonly string[]
    say(field, `expected at most ${MOST} e-mail addresses`)
    return []
  }

  function text(field: 'subject' | 'message' | 'template', longest: number): string | undefined {
    const value = sent[field]
    if (value === undefined || value === null || value === '') return undefined
    if (typeof value === 'string' && value.length <= longest && !value.includes('\0')) return value
    say(field, `expected a text of at most ${longest} characters`)
    return undefined
  }

  const to = addresses('to')
  if (to.length === 0 && details.length === 0) say('to', 'is required', 'required')
  const attach = sent.attach ?? ['pdf']
  if (!Array.isArray(attach) || attach.some((one) => one !== 'pdf'))
    say('attach', 'expected ["pdf"], or none', 'not_an_option')
  const link = sent.link ?? true
  if (typeof link !== 'boolean') say('link', 'expected true or false')
  const input: SendInput = {
    to,
    cc: addresses('cc'),
    subject: text('subject', LONGEST_SUBJECT),
    message: text('message', LONGEST_MESSAGE),
    template: text('template', 140),
    withPdf: Array.isArray(attach) && attach.length > 0,
    withLink: link === true,
  }
  if (details.length > 0) throw validationError(details)
  return input
}
