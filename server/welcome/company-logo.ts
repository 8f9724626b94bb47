import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { validationError } from '../../engine/base/errors.ts'
import { updateDocument } from '../../engine/documents/operations/update.ts'
import { fieldType } from '../../engine/fields/index.ts'
import type { Engine } from '../../engine/index.ts'
import { firstCompany } from '../../engine/storage/workspace/company.ts'
import type { UploadForm } from '../attach/multipart.ts'
import { typeOfContent } from '../files/content-type.ts'
import type { Files } from '../files/files.ts'
import { keepFile } from '../files/keep.ts'

/** A picture that came with the setup. */
export type Logo = NonNullable<UploadForm['file']>

/** Bytes of the largest logo: a paper takes no larger one. */
export const MOST_OF_LOGO = 2_000_000

const PICTURES = ['image/png', 'image/jpeg']

/** Throws 422 for what is no picture that papers can hold. */
export async function assertLogo({ received: { path } }: Logo): Promise<void> {
  const type = await typeOfContent(path)
  if (PICTURES.includes(type)) return
  const message = `expected a PNG or a JPEG, got ${type}`
  throw validationError([{ field: 'logo', message, code: 'wrong_type' }])
}

/** Makes a picture the logo of the company: the first field of pictures that the DocType of companies has. */
export async function keepLogo(
  engine: Engine,
  files: Files,
  { name, received }: Logo,
): Promise<void> {
  const { registry, database } = engine.services
  const companies = registry.serving('companies')
  const field = companies?.fields.find(({ type }) => fieldType(type).widget === 'attach-image')
  const company = companies && (await firstCompany(database.read, companies))
  if (!companies || !field || company === undefined) return
  const context = engine.context(SYSTEM_ACTOR, await engine.tier())
  const attached = { doctype: companies.doctype, name: company, field: field.name }
  const kept = await keepFile(context, files, received, { name, isPrivate: true, attached })
  const { file_url } = JSON.parse(kept.json) as { file_url: string }
  await updateDocument(context, companies, company, { [field.name]: file_url })
}
