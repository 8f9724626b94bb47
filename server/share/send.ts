import type { Router } from 'express'
import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { assertScope } from '../../engine/access/can.ts'
import { AppError } from '../../engine/base/errors.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { createDocument } from '../../engine/documents/operations/create.ts'
import { assertMay } from '../../engine/documents/rights/door.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import { isEmail } from '../../engine/fields/text-format.ts'
import type { Files } from '../files/files.ts'
import { type Answer, sendAnswer } from '../http/answer.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { takes } from '../http/query-parameters.ts'
import type { Handler } from '../http/request-state.ts'
import { enqueueMail, type Mail } from '../mail/mail.ts'
import { type ComposedPaper, composePaper } from '../print/paper.ts'
import type { PdfPrinter } from '../print/pdf.ts'
import { pdfOfPaper } from '../print/pdf-of-paper.ts'
import { pdfName } from '../print/print.ts'
import { countInHour } from '../site/hourly-limit.ts'
import type { Site } from '../site/site.ts'
import { workspaceName } from '../site/workspace-name.ts'
import { callOf, parameter, type V1 } from '../v1/call.ts'
import { makePublicLink, readExpires } from './links.ts'
import { fromTemplate, type WrittenMail } from './mail-template.ts'
import { readSend, type SendInput } from './send-input.ts'

interface Deps extends Pick<V1, 'engine' | 'idempotency'> {
  readonly site: Site
  readonly pdf: PdfPrinter
  readonly files: Files | undefined
}

/** Mails with papers that one person may send in an hour. */
const MOST_AN_HOUR = 200

/** `POST /v1/{resource}/{id}/send`: a mail with the paper, and a record of it (contract §7.5). */
export function sendRoutes(router: Router, deps: Deps): void {
  router.post('/:resource/:id/send', takes(), send(deps))
  router.all('/:resource/:id/send', methodNotAllowed('POST'))
}

function send(deps: Deps): Handler {
  const { engine, idempotency } = deps
  return async (request, response) => {
    const { definition, context } = callOf(engine, request, response)
    assertScope(context.actor, 'write', 'send mail')
    const mails = mailsOf(context)
    assertMay(context, mails, 'create')
    const system = engine.context(SYSTEM_ACTOR, context.tier)
    const id = parameter(request, 'id')
    const paper = await composePaper({ context, system }, definition, id, new Map())
    if (idempotency.replay(response)) return
    const input = readSend(response.locals.body)
    const written = await writtenMail(deps, context, input, paper)
    const pdf = input.withPdf ? await pdfOfPaper({ ...deps, system }, paper) : undefined
    let answer: Answer | undefined
    await createDocument(
      {
        ...context,
        async beforeCommit(tx, result) {
          const { clock, seal } = context.services
          const of = context.actor.user?.login ?? context.actor.id
          await countInHour(tx, context.services, { what: 'mails', of, limit: MOST_AN_HOUR })
          const expires = readExpires(undefined, clock.now())
          const about = { resource: definition.slug, record: String(paper.printed.record.name) }
          const link = input.withLink
            ? await makePublicLink(tx, context, deps.site.baseUrl(), { ...about, expires })
            : null
          const mail = mailOf(input, written, { link: link?.url, pdf, paper, about, context })
          const mailId = await enqueueMail(tx, { clock, seal }, mail)
          const body = JSON.stringify({ mail: mailId, record: result?.record ?? null, link })
          answer = { status: 202, headers: {}, body }
          await idempotency.keep(tx, response, answer, true)
        },
      },
      mails,
      recordOf(mails, definition, paper, input, written),
    )
    if (answer) sendAnswer(response, answer)
  }
}

/** The DocType of mails that were sent. Throws NOT_FOUND where no DocType serves mails. */
function mailsOf({ services }: Context): DocTypeDefinition {
  const definition = services.registry.serving('mails')
  if (definition) return definition
  throw new AppError('NOT_FOUND', 'this workspace keeps no mails: no DocType serves mails')
}

async function writtenMail(
  { site }: Deps,
  context: Context,
  { subject, message, template }: SendInput,
  paper: ComposedPaper,
): Promise<WrittenMail> {
  const { title, number } = paper.sheet
  const usual: WrittenMail = {
    subject: `${title} ${number}: ${await workspaceName(site)}`,
    text: '',
  }
  const written = template === undefined ? usual : await fromTemplate(context, template, paper)
  const own = message === undefined ? written : { subject: written.subject, text: message }
  return { ...own, subject: subject ?? written.subject }
}

interface MailParts {
  readonly link: string | undefined
  readonly pdf: Buffer | undefined
  readonly paper: ComposedPaper
  readonly about: NonNullable<Mail['about']>
  readonly context: Context
}

function mailOf(
  { to: [to = '', ...others], cc }: SendInput,
  { subject, text, html }: WrittenMail,
  { link, pdf, paper, about, context }: MailParts,
): Mail {
  const replyTo = context.actor.user?.email
  const see = link === undefined ? '' : `${text === '' ? '' : '\n\n'}${link}`
  return {
    to,
    kind: 'paper',
    subject,
    text: `${text}${see}\n`,
    ...(html === undefined
      ? {}
      : { html: link === undefined ? html : `${html}<p><a href="${link}">${link}</a></p>` }),
    also: { to: others, cc },
    about,
    ...(context.actor.user ? { sentBy: context.actor.user.login } : {}),
    ...(typeof replyTo === 'string' && isEmail(replyTo) ? { replyTo } : {}),
    attachments: pdf
      ? [{ name: pdfName(paper), type: 'application/pdf', base64: pdf.toString('base64') }]
      : [],
  }
}

/** The record of a mail, as far as its DocType has fields for it; the link is told to who gets the mail alone. */
function recordOf(
  mails: DocTypeDefinition,
  definition: DocTypeDefinition,
  { printed }: ComposedPaper,
  { to, cc }: SendInput,
  { subject, text }: WrittenMail,
): object {
  const about = mails.fields.find(({ linkFrom }) => linkFrom !== undefined)
  const told = { content: text, recipients: [...to, ...cc].join(', ') }
  const known = Object.entries(told).filter(([name]) =>
    mails.fields.some((field) => field.name === name),
  )
  return {
    subject,
    ...Object.fromEntries(known),
    ...(about && { [about.linkFrom!]: definition.doctype, [about.name]: printed.record.name }),
  }
}
