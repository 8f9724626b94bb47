import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError } from '../../base/errors.ts'
import { isCarried } from '../../base/packaged-files.ts'

/**
 * Writes a new file of definitions into the workspace's own folder, the last of its folders, and gives back what takes it away again.
 * Throws CONFLICT where there is one of that name, UNAVAILABLE where the folder cannot be written.
 *
 * @param name its path in the folder: `reports/invoices-by-customer.yaml`
 */
export function addOwnFile(folders: readonly string[], name: string, text: string): () => void {
  const own = folders.at(-1)
  if (own === undefined || isCarried(own)) throw notWritable(name, 'there is none')
  const path = join(own, name)
  try {
    mkdirSync(dirname(path), { recursive: true })
    // Never over one that is there: it may have been written by hand.
    writeFileSync(path, text, { flag: 'wx' })
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'EEXIST')
      throw new AppError('CONFLICT', `there is a file ${name} already; choose another name`)
    if (['EACCES', 'EPERM', 'EROFS', 'ENOSPC'].includes(code)) throw notWritable(name, code)
    throw error
  }
  return () => rmSync(path, { force: true })
}

function notWritable(name: string, why: string): AppError {
  return new AppError(
    'UNAVAILABLE',
    `${name} cannot be written into the workspace's folder of definitions (${why}); put the YAML there by hand`,
  )
}
