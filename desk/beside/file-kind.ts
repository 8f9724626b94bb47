import { isPicture } from '../together/upload.ts'

/** How a file is shown beside a form: as a paper, as a picture, or by its name alone. */
export type FileKind = 'pdf' | 'picture' | 'other'

/** Bytes at the begin of a file within which a PDF says that it is one. */
const BEGIN = 1_024

/** Whether a file of this name may be shown beside a form. */
export function mayBeShown(name: string): boolean {
  return isPicture(name) || isPdf(name)
}

/** Reads how a file is shown: one that only calls itself a PDF is none. Throws where it cannot be read, as a folder. */
export async function kindOf(content: Blob, name: string): Promise<FileKind> {
  const begin = await content.slice(0, BEGIN).text()
  if (isPicture(name)) return 'picture'
  return isPdf(name) && begin.includes('%PDF-') ? 'pdf' : 'other'
}

function isPdf(name: string): boolean {
  return /\.pdf$/i.test(name)
}
