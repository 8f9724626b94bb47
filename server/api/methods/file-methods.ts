import { Readable } from 'node:stream'
import { validationError } from '../../../engine/base/errors.ts'
import { createDocument } from '../../../engine/documents/operations/create.ts'
import { assertMay } from '../../../engine/documents/rights/door.ts'
import type { Context } from '../../../engine/documents/work/context.ts'
import { cleanFileName } from '../../../engine/fields/clean-file-name.ts'
import { readUploadForm } from '../../attach/multipart.ts'
import { keeping, wholeFile } from '../../attach/upload.ts'
import type { Files } from '../../files/files.ts'
import { type Attached, filesOf, keepFile, largestFile } from '../../files/keep.ts'
import type { Received } from '../../files/receive.ts'
import { isMultipart } from '../../http/body.ts'
import { countWritten } from '../../limits/written-bytes.ts'
import { doctypeNamed, recordDoctype, recordName } from '../call.ts'
import { FrappeError } from '../frappe-error.ts'
import { saveDocument } from '../save.ts'
import { shownFor } from '../shown-record.ts'
import type { MethodCall, Methods } from './method.ts'

type Fields = Readonly<Record<string, unknown>>

/** The methods by which Frappe's clients bring files (erp-semantics.md §1.2). */
export function fileMethods(files: Files | undefined): Methods {
  return {
    upload_file: { verbs: ['POST'], access: 'user', run: (call) => upload(files, call) },
    'frappe.client.attach_file': {
      verbs: ['POST'],
      access: 'user',
      run: (call) => attach(files, call),
    },
  }
}

/** A form with a file and what it is of, or a `file_url` of one that is elsewhere. */
async function upload(files: Files | undefined, call: MethodCall): Promise<unknown> {
  const { request, context, args } = call
  assertMay(context, filesOf(context.services), 'create')
  if (!isMultipart(request)) return linked(call, args)
  const form = await readUploadForm(request, (stream) =>
    keeping(files).receiving.take(stream, largestFile(context)),
  )
  const fields = { ...args, ...Object.fromEntries(form.fields) }
  try {
    if (!form.file) return await linked(call, fields)
    const { name, received } = wholeFile(form)
    return await kept(files, call, received, { ...fields, file_name: fields.file_name || name })
  } finally {
    form.file?.received.drop()
  }
}

/** A file in the arguments themselves, as text or in base64. */
async function attach(files: Files | undefined, call: MethodCall): Promise<unknown> {
  const { context, args } = call
  assertMay(context, filesOf(context.services), 'create')
  const { filename, filedata, docfield } = args
  if (typeof filename !== 'string' || typeof filedata !== 'string')
    throw new FrappeError('ValidationError', 'expected filename and filedata')
  const bytes = isOn(args.decode_base64)
    ? Buffer.from(filedata.replace(/^data:[^,]*,/, ''), 'base64')
    : Buffer.from(filedata, 'utf8')
  const received = await keeping(files).receiving.take(Readable.from([bytes]), largestFile(context))
  try {
    const shown = await kept(files, call, received, {
      ...args,
      file_name: filename,
      fieldname: docfield,
    })
    if (typeof docfield === 'string' && docfield !== '') {
      const definition = recordDoctype(context, call.response, args.doctype)
      const url = (shown as { readonly file_url?: unknown }).file_url
      await saveDocument(context, definition, recordName(definition, args.docname), {
        [docfield]: url,
      })
    }
    return shown
  } finally {
    received.drop()
  }
}

async function kept(
  files: Files | undefined,
  call: MethodCall,
  received: Received,
  fields: Fields,
): Promise<unknown> {
  const { context } = call
  const { clock } = context.services
  const definition = filesOf(context.services)
  const { record } = await keepFile(
    {
      ...context,
      beforeCommit: (tx) => countWritten(tx, context.actor, received.size, clock.now()),
    },
    keeping(files),
    received,
    {
      name: String(fields.file_name ?? ''),
      isPrivate: isOn(fields.is_private),
      ...folderOf(fields),
      attached: attachedTo(call, fields),
    },
  )
  return shownFor(context, definition, record)
}

/** A record of a file that is elsewhere. */
async function linked({ context, ...call }: MethodCall, fields: Fields): Promise<unknown> {
  const { file_url, file_name } = fields
  if (typeof file_url !== 'string' || file_url === '')
    throw validationError([
      { field: 'file', message: 'is missing: expected a file, or file_url', code: 'required' },
    ])
  const attached = attachedTo({ context, ...call }, fields)
  const definition = filesOf(context.services)
  const last = file_url.split('/').at(-1)
  const { record } = await createDocument(context, definition, {
    file_name: cleanFileName(
      typeof file_name === 'string' && file_name !== '' ? file_name : last || file_url,
    ),
    file_url,
    is_private: isOn(fields.is_private),
    ...folderOf(fields),
    ...(attached && {
      attached_to_doctype: attached.doctype,
      attached_to_name: attached.name,
      ...(attached.field === undefined ? {} : { attached_to_field: attached.field }),
    }),
  })
  return shownFor(context, definition, record)
}

function attachedTo(
  { context, response }: Pick<MethodCall, 'context' | 'response'>,
  { doctype, docname, fieldname }: Fields,
): Attached | undefined {
  if (typeof doctype !== 'string' || doctype === '') return undefined
  const definition = doctypeNamed(context satisfies Context, response, doctype)
  return {
    doctype: definition.doctype,
    name: recordName(definition, docname),
    field: typeof fieldname === 'string' && fieldname !== '' ? fieldname : undefined,
  }
}

/** The folder, which keeps a file that belongs to nothing. */
function folderOf({ folder }: Fields): { readonly folder?: string } {
  return typeof folder === 'string' && folder !== '' ? { folder } : {}
}

/** Frappe's clients send flags as 1, "1" and true. */
function isOn(value: unknown): boolean {
  return value === true || Number(value) === 1
}
