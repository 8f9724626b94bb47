import { join } from 'node:path'
import type { ContentStore } from './content-store.ts'
import { folderStore, incomingFolder } from './folder-store.ts'
import { type Receiving, receivingInto } from './receive.ts'
import { type S3Options, s3Store } from './s3-store.ts'
import { type Thumbnails, thumbnailsIn } from './thumbnails.ts'

/** Uploaded files of a workspace: where they arrive, where they stay, and what is made of them. */
export interface Files {
  readonly contents: ContentStore
  readonly receiving: Receiving
  readonly thumbnails: Thumbnails
}

export interface FilesOptions {
  /** Data folder of the workspace: files arrive there, wherever they stay. */
  readonly data: string
  /** The S3-compatible store; without one they stay in `files` in the data folder. */
  readonly store?: S3Options | undefined
}

/** Opens the place of files; nothing is made before the first one comes. */
export function openFiles({ data, store }: FilesOptions): Files {
  const folder = filesFolder(data)
  const contents = store ? s3Store(store) : folderStore(folder)
  return {
    contents,
    receiving: receivingInto(incomingFolder(folder)),
    thumbnails: thumbnailsIn(contents),
  }
}

/** Folder of files in a data folder. */
export function filesFolder(data: string): string {
  return join(data, 'files')
}
