import { posix } from 'node:path'
import { importsOf } from '../helpers/imports.ts'
import { type Token, tokenize } from '../helpers/tokens.ts'

/** Sources by their path from the root (`engine/base/money.ts`), YAML and Markdown among them. */
export type Sources = ReadonlyMap<string, string>

/** Files that every test stands on. */
const ALL = /^(package(-lock)?\.json|tsconfig\.json|\.npmrc|tests\/(run\.js|runner\/.*))$/

const IS_CODE = /\.[cm]?[jt]s$/
const IS_TEST = /^tests\/.*\.test\.ts$/

/** DocType files are read by all tests of a whole workspace; these ask of each one, whatever its name. */
const EVERY_DOCTYPE = /SHIPPED_DOCTYPES|every-doctype|doctypes\//

/**
 * The test files that a change of these files can reach, sorted: those that import one, whatever the way, that name
 * its path in a text (`new URL('../../cli/svc.js', …)`, `docs/api.md`), or that name the DocType a YAML file
 * declares or one whose YAML file names it.
 */
export function testsReachedBy(changed: readonly string[], sources: Sources): string[] {
  const tests = [...sources.keys()].filter((path) => IS_TEST.test(path)).sort()
  if (changed.some((path) => ALL.test(path))) return tests
  const reached = new Set<string>()
  follow(changed, readersOf(sources), reached)
  const names = changed.flatMap((path) => namesAround(path, sources))
  for (const path of tests) {
    const text = textsOf(path, sources)
    if (names.some((name) => text.includes(name))) reached.add(path)
  }
  if (changed.some((path) => path.startsWith('doctypes/')))
    for (const path of tests) if (EVERY_DOCTYPE.test(sources.get(path) ?? '')) reached.add(path)
  return tests.filter((path) => reached.has(path))
}

/** Adds `paths` and all that read them, directly or not. */
function follow(
  paths: readonly string[],
  readers: ReadonlyMap<string, readonly string[]>,
  reached: Set<string>,
): void {
  for (const path of paths) {
    if (reached.has(path)) continue
    reached.add(path)
    follow(readers.get(path) ?? [], readers, reached)
  }
}

/** Path → the code files that import it or name it. */
function readersOf(sources: Sources): ReadonlyMap<string, readonly string[]> {
  const readers = new Map<string, string[]>()
  for (const [path, text] of sources) {
    if (!IS_CODE.test(path)) continue
    for (const target of targetsOf(path, tokenize(text), sources)) {
      const known = readers.get(target)
      if (known) known.push(path)
      else readers.set(target, [path])
    }
  }
  return readers
}

/** What is loaded or named, types left out: they are gone when the program runs. */
function targetsOf(path: string, tokens: readonly Token[], sources: Sources): Set<string> {
  const types = importsOf(tokens).flatMap(({ specifier, typeOnly }) =>
    typeOnly ? [specifier] : [],
  )
  const folder = posix.dirname(path)
  const named = tokens
    .filter(({ kind, text }) => kind === 'text' && text.includes('/') && !types.includes(text))
    .flatMap(({ text }) => [text, posix.join(folder, text)])
  return new Set(named.filter((target) => sources.has(target)))
}

/** The DocType that a YAML file declares and those whose files name it, with their slugs; none for other files. */
function namesAround(path: string, sources: Sources): string[] {
  const name = doctypeIn(path, sources)
  if (name === undefined) return []
  const naming = new RegExp(`\\b${name}\\b`)
  const others = [...sources].flatMap(([other, text]) =>
    other.startsWith('doctypes/') && naming.test(text) ? [other] : [],
  )
  return [path, ...others].flatMap((one) => {
    const declared = doctypeIn(one, sources)
    const slug = posix.basename(one, '.yaml')
    return declared === undefined ? [] : [`'${declared}'`, `${slug}s`, slug]
  })
}

function doctypeIn(path: string, sources: Sources): string | undefined {
  if (!path.startsWith('doctypes/')) return undefined
  return /^doctype: *(.+?) *$/m.exec(sources.get(path) ?? '')?.[1]
}

/** A test file with the helpers beside it that it imports. */
function textsOf(path: string, sources: Sources): string {
  const text = sources.get(path) ?? ''
  const beside = [...targetsOf(path, tokenize(text), sources)].filter(
    (other) => posix.dirname(other) === posix.dirname(path) && !IS_TEST.test(other),
  )
  return [text, ...beside.map((other) => sources.get(other) ?? '')].join('\n')
}
