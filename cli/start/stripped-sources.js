/*
 * Gives Node our TypeScript without its types, from one file. Node keeps that by itself, but as a file for each of a thousand, and in
 * memory for as long as the process lives; and where it has nothing yet it loads a compiler, which stays as well. JavaScript,
 * because it comes before all else.
 */
import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { accessSync, constants, existsSync, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const STRIPPER = fileURLToPath(new URL('strip-sources.js', import.meta.url))
/** Stripping all takes a second; where it hangs, a start goes without. */
const MOST_STRIPPING_MS = 60000
/** Folders of the program whose files are stripped. */
export const FOLDERS = ['cli', 'demo', 'engine', 'hooks', 'mcp', 'server', 'webhooks']
/** First line of the file, another one where its form changes; with the length of the index it has so many bytes. */
export const FORMAT = 'svc sources 1'
export const HEAD_BYTES = 64

/** The file of sources in a folder, for this version of Node. */
export function sourcesFile(folder) {
  return join(folder, `sources-${process.versions.node}.txt`)
}

/** What a text is known by. */
export function sumOf(bytes) {
  return hash('sha256', bytes, 'base64url').slice(0, 22)
}

/**
 * A function that gives the text of a file without types, by its path; undefined for Node to strip it. The file itself is read each
 * time, so nothing old is ever given. The first that is not known lets all be stripped that are not, by a process of its own.
 */
export function strippedSources(folder) {
  const file = sourcesFile(folder)
  let known = readSources(file)
  let isTried = false
  return (path) => {
    const sum = sumOf(readFileSync(path))
    const text = known.textOf(path, sum)
    if (text !== undefined || isTried) return text
    isTried = true
    if (!strip(folder)) return undefined
    known = readSources(file)
    return known.textOf(path, sum)
  }
}

function strip(folder) {
  if (!existsSync(folder)) return false
  accessSync(folder, constants.W_OK)
  const args = [STRIPPER, folder]
  const { status } = spawnSync(process.execPath, args, {
    stdio: 'ignore',
    timeout: MOST_STRIPPING_MS,
  })
  return status === 0
}

/** The sources in a file, of which each is read when it is asked for; none where there is no such file, or it is damaged. */
export function readSources(file) {
  try {
    return openSources(openSync(file, 'r'))
  } catch (_unusable) {
    // Missing, unreadable and damaged are all one: it is made again.
    return { paths: [], sumOf: () => undefined, textOf: () => undefined }
  }
}

function openSources(fd) {
  const [format, length] = read(fd, 0, HEAD_BYTES).toString().split('\n')
  if (format !== FORMAT) throw new Error(`expected ${FORMAT}, got ${format}`)
  const index = JSON.parse(read(fd, HEAD_BYTES, Number(length)).toString())
  const begin = HEAD_BYTES + Number(length)
  return {
    paths: Object.keys(index),
    sumOf: (path) => index[path]?.sum,
    textOf(path, sum) {
      const known = index[path]
      if (known === undefined || known.sum !== sum) return undefined
      const text = read(fd, begin + known.at, known.length)
      return sumOf(text) === known.text ? text.toString() : undefined
    },
  }
}

function read(fd, at, length) {
  const bytes = Buffer.alloc(length)
  const count = readSync(fd, bytes, 0, length, at)
  return bytes.subarray(0, count)
}
