/*
 * `strip-sources.js FOLDER`: writes all TypeScript of the program without its types into one file of the folder; what has
 * not changed is taken from the one that is there. Started by stripped-sources.js.
 */
import { globSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FOLDERS, FORMAT, HEAD_BYTES, readSources, sourcesFile, sumOf } from './stripped-sources.js'

const [, , folder] = process.argv
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** What was made for another version of Node, or not finished, is removed when it is older than this many ms. */
const KEPT_FOR = 30 * 24 * 60 * 60 * 1000

writeSources(sourcesFile(folder))
removeOld()

function writeSources(file) {
  const known = readSources(file)
  const index = {}
  const texts = []
  let at = 0
  for (const name of globSync(`{${FOLDERS.join(',')}}/**/*.ts`, { cwd: ROOT })) {
    const path = join(ROOT, name)
    const source = readFileSync(path)
    const sum = sumOf(source)
    const stripped = known.textOf(path, sum) ?? strip(source.toString())
    if (stripped === undefined) continue
    const text = Buffer.from(stripped)
    index[path] = { sum, at, length: text.length, text: sumOf(text) }
    texts.push(text)
    at += text.length
  }
  const about = Buffer.from(JSON.stringify(index))
  const head = Buffer.alloc(HEAD_BYTES, ' ')
  head.write(`${FORMAT}\n${about.length}\n`)
  const made = `${file}.${process.pid}`
  writeFileSync(made, Buffer.concat([head, about, ...texts]))
  renameSync(made, file)
}

/**
 * Types become blanks, so that every place stays where it was. Blanks at the end of a line are not kept: there were none in the source, or
 * they mean something. undefined for what is no TypeScript: Node tells of it when somebody loads it.
 */
function strip(source) {
  const text = withoutTypes(source)
  if (text === undefined) return undefined
  const lines = text.split('\n')
  const written = source.split('\n')
  return lines
    .map((line, at) => (/\s$/.test(written[at] ?? ' ') ? line : line.trimEnd()))
    .join('\n')
}

function withoutTypes(source) {
  try {
    return stripTypeScriptTypes(source)
  } catch (error) {
    if (error.code === undefined) throw error
    return undefined
  }
}

function removeOld() {
  for (const name of globSync('sources-*', { cwd: folder })) {
    const { mtimeMs } = statSync(join(folder, name), { throwIfNoEntry: false }) || {
      mtimeMs: Infinity,
    }
    if (mtimeMs < Date.now() - KEPT_FOR) rmSync(join(folder, name), { force: true })
  }
}
