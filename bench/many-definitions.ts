import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { flatYaml } from '../cli/flat-yaml.ts'
import { loadDefinitions, writtenDocTypes } from '../engine/definition/load/load.ts'
import type { DocTypeDefinition } from '../engine/definition/model/definition.ts'
import { hooks } from '../hooks/index.ts'

/** Folder of the shipped DocTypes. */
export const SHIPPED = fileURLToPath(new URL('../doctypes', import.meta.url))
/** One for each further copy, behind the name of the DocType. */
const SUFFIXES = 'BCDEFGHIJK'

interface Source {
  readonly doctype: string
  readonly text: string
}

/**
 * Makes a folder with `count` definitions and returns how many there are: the shipped ones, all of them, then
 * copies under other names whose links lead to the copies, the longest first. Each is as large and as
 * entangled as a real one.
 */
export function writeDefinitions(folder: string, count: number): number {
  // Flat, since the blocks that two share speak of one and the same DocType.
  const shipped = [...writtenDocTypes([SHIPPED])].map(
    ([doctype, written]): Source => ({ doctype, text: flatYaml(written, [SHIPPED]) }),
  )
  const rename = renamer(loadDefinitions([SHIPPED], hooks).registry.all, shipped)
  const longest = shipped.toSorted((a, b) => b.text.length - a.text.length)
  const files = [...shipped]
  for (const suffix of SUFFIXES) {
    if (files.length < count) files.push(...rename(longest.slice(0, count - files.length), suffix))
  }
  mkdirSync(folder, { recursive: true })
  for (const [index, { text }] of files.entries())
    writeFileSync(join(folder, `${String(index).padStart(3, '0')}.yaml`), text)
  return files.length
}

/** Copies files under other names: of the DocTypes, of their rows, in their slugs and in all that names them. */
function renamer(
  definitions: readonly DocTypeDefinition[],
  shipped: readonly Source[],
): (files: readonly Source[], suffix: string) => readonly Source[] {
  const doctypes = shipped.map(({ doctype }) => doctype)
  const rows = definitions
    .flatMap(({ fields }) => fields.map(({ child }) => child?.name ?? ''))
    .filter((name) => name !== '' && !doctypes.includes(name))
  const all = new Set([...doctypes, ...rows])
  // Longest first, so that `Item Group` is not taken for `Item`.
  const names = [...all].toSorted((a, b) => b.length - a.length)
  const pattern = new RegExp(`\\b(?:${names.join('|')})\\b`, 'g')

  return (files, suffix) => {
    const copied = new Set([...rows, ...files.map(({ doctype }) => doctype)])
    const renamed = (name: string): string => (copied.has(name) ? `${name} ${suffix}` : name)
    const slug = (name: string): string => `${name}-${suffix.toLowerCase()}`
    return files.map(({ doctype, text }) => ({
      doctype: renamed(doctype),
      text: text
        .replace(/^(?:aliases|resource):.*$/gm, (line) =>
          line.replace(/(?<=[:[,] *)[a-z][a-z0-9-]*/g, slug),
        )
        .replace(pattern, renamed),
    }))
  }
}
