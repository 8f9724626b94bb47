import { relative } from 'node:path'
import type { WrittenDocType } from '../engine/definition/load/load.ts'
import type { Path } from '../engine/definition/yaml/parse.ts'
import { isMap } from '../engine/definition/yaml/source.ts'

/** Texts that YAML reads as they stand, and that are neither numbers nor words of it. */
const PLAIN = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[A-Za-z_][A-Za-z0-9_-]*$/i

/**
 * A DocType as one file that loads to the same definition, blocks and overlays merged in; behind each key the file,
 * below its folder of DocTypes, and the line that it is from.
 */
export function flatYaml(written: WrittenDocType, folders: readonly string[]): string {
  return `${linesOf(written.data, [], '', originOf(written, folders)).join('\n')}\n`
}

type OriginOf = (path: Path) => string

function originOf({ placeOf }: WrittenDocType, folders: readonly string[]): OriginOf {
  return (path) => {
    const { file, line } = placeOf(path)
    const folder = folders.find((one) => !relative(one, file).startsWith('..'))
    return `# ${folder === undefined ? file : relative(folder, file)}:${line}`
  }
}

/** The lines of a map or list; a map without keys and a list of texts stand on the line of their key. */
function linesOf(value: object, path: Path, indent: string, origin: OriginOf): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, index) => {
      if (isInline(item)) return [`${indent}- ${inline(item)}`]
      const [first = '', ...rest] = linesOf(item as object, [...path, index], `${indent}  `, origin)
      return [`${indent}- ${first.slice(indent.length + 2)}`, ...rest]
    })
  }
  return Object.entries(value).flatMap(([key, item]: [string, unknown]) => {
    const at = [...path, key]
    const name = `${indent}${inline(key)}:`
    if (isInline(item)) return [`${name} ${inline(item)} ${origin(at)}`]
    return [`${name} ${origin(at)}`, ...linesOf(item as object, at, `${indent}  `, origin)]
  })
}

function isInline(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => !isMap(item) && !Array.isArray(item))
  return !isMap(value) || Object.keys(value).length === 0
}

function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`
  return typeof value === 'string' && PLAIN.test(value) ? value : JSON.stringify(value)
}
