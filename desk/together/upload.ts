import { type Client, recordPath } from '../data/client.ts'

/** A file as the workspace keeps it. */
export interface KeptFile {
  readonly id: string
  readonly file_name: string
  readonly file_url: string
  readonly file_size?: number | null
}

/** What a file belongs to. */
export interface FileOf {
  readonly slug: string
  readonly id: string
  readonly field?: string
}

/** Sends a file to be kept; `onShare` hears how much of it has gone, 0 to 1. Throws ApiError. */
export async function uploadFile(
  client: Client,
  files: string,
  file: File,
  of: FileOf | undefined,
  onShare: (share: number) => void,
): Promise<KeptFile> {
  const form = new FormData()
  if (of) {
    form.set('resource', of.slug)
    form.set('id', of.id)
    if (of.field !== undefined) form.set('field', of.field)
  }
  form.set('file', file, file.name)
  return (await client.send<KeptFile>(`/v1/${files}`, form, onShare)).body
}

/** Takes a file away. Throws ApiError. */
export async function removeFile(client: Client, files: string, id: string): Promise<void> {
  await client.ask(recordPath(files, id), { method: 'DELETE' })
}

/** Whether browsers show such a file as a picture. */
export function isPicture(name: string): boolean {
  return /\.(png|jpe?g|gif|webp|avif)$/i.test(name)
}

/** Address of a small picture of a file. */
export function thumbOf(address: string): string {
  return address.startsWith('/') ? `${address}?size=thumb` : address
}

/** Size of a file for people: `1.2 MB`. */
export function sizeText(bytes: number, locale: string): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const
  const step = Math.min(3, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return (bytes / 1000 ** step).toLocaleString(locale, {
    style: 'unit',
    unit: units[step] ?? 'byte',
    unitDisplay: 'short',
    maximumFractionDigits: 1,
  })
}
