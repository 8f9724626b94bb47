const IN_WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of its path is a file, expected a folder',
  EISDIR: 'it is a folder, expected a file',
  EEXIST: 'it is there already',
  EACCES: 'this user may not (its mode or that of its folder)',
  EPERM: 'this user may not',
  EROFS: 'its file system can only be read',
  ENOSPC: 'the disk is full',
  EDQUOT: 'this user may use no more of the disk',
  EMFILE: 'this process has too many files open',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its links lead in a circle',
}

/**
 * Reason why a file could not be read or written, in words: the system's own `ENOENT: …, stat '…'` names its call,
 * and leaves the reader to guess. An error that is not of the system tells its message.
 */
export function fileProblem(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, syscall } = error as NodeJS.ErrnoException
  const known = code === undefined ? undefined : IN_WORDS[code]
  return known !== undefined && syscall !== undefined ? known : error.message
}
