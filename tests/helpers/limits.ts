import { posix } from 'node:path'
import { functionsOf } from './functions.ts'
import { tokenize } from './tokens.ts'

/** How long things may be. Whoever reaches a limit finds the seam and gives the parts names. */
export const LIMITS = { fileLines: 400, functionLines: 80, folderFiles: 25 } as const

interface Measured {
  /** Path from the root (`engine/base/errors.ts`) → text. */
  readonly files: ReadonlyMap<string, string>
  /** Functions that may be too long for now, as `path function`. */
  readonly exceptions?: readonly string[]
}

/** All that is too long or too full, as `file:line: what and what to do`, and exceptions that no longer are. */
export function findExcess({ files, exceptions = [] }: Measured): string[] {
  const needed = new Set<string>()
  const problems = [...files].flatMap(([path, text]) => [
    ...fileProblems(path, text),
    ...functionProblems(path, text, exceptions, needed),
  ])
  const idle = exceptions.filter((one) => !needed.has(one))
  return [
    ...problems,
    ...folderProblems([...files.keys()]),
    ...idle.map((one) => `${one}: is short enough; take it from the exceptions`),
  ]
}

function fileProblems(path: string, text: string): string[] {
  const lines = text.trimEnd().split('\n').length
  if (lines <= LIMITS.fileLines) return []
  return [`${path}:1: has ${lines} lines, at most ${LIMITS.fileLines}; make a file of each concept`]
}

function functionProblems(
  path: string,
  text: string,
  exceptions: readonly string[],
  needed: Set<string>,
): string[] {
  return functionsOf(tokenize(text)).flatMap(({ name, line, lines }) => {
    if (lines <= LIMITS.functionLines) return []
    const key = `${path} ${name}`
    if (exceptions.includes(key)) {
      needed.add(key)
      return []
    }
    return [
      `${path}:${line}: ${name} has ${lines} lines, at most ${LIMITS.functionLines}; cut it into functions with names`,
    ]
  })
}

/**
 * A folder is read as a list: of files, or, where there are many, of groups that sort together by the first word of
 * their names (`tax-rules.ts`, `tax-shares.ts`).
 */
function folderProblems(paths: readonly string[]): string[] {
  const names = new Map<string, string[]>()
  for (const path of paths) {
    const folder = posix.dirname(path)
    names.set(folder, [...(names.get(folder) ?? []), posix.basename(path)])
  }
  return [...names].flatMap(([folder, files]) => {
    if (files.length <= LIMITS.folderFiles) return []
    const groups = new Set(files.map((file) => file.split(/[-.]/)[0])).size
    if (groups <= LIMITS.folderFiles) return []
    return [
      `${folder}: has ${files.length} files in ${groups} groups by the first word of their names, at most ${LIMITS.folderFiles}; make rooms in it`,
    ]
  })
}
