import { isDeepStrictEqual } from 'node:util'
import type { Document, Node, Pair, YAMLMap, YAMLSeq } from 'yaml'
import { yamlLibrary } from '../../base/lazy-libraries.ts'
import { isMap, type YamlMap } from '../yaml/source.ts'

/** Longest map or list that is written on one line, in characters. */
const LINE = 110

/**
 * The text of a YAML file that says `wanted`, in its order. What stood `before` and says the same stays as it was written, with its
 * comments and quotes; the text before has to be one that `parseYaml` reads.
 */
export function yamlText(before: string | undefined, wanted: YamlMap): string {
  const { parseDocument, Document } = yamlLibrary()
  const document = before === undefined ? new Document({}) : parseDocument(before)
  document.contents = written(document, document.contents as Node | null, wanted, 0) as never
  return document.toString({ lineWidth: 0, flowCollectionPadding: false })
}

function written(document: Document, node: unknown, wanted: unknown, depth: number): Node {
  const { isMap: isMapNode, isSeq, isScalar } = yamlLibrary()
  if (isMap(wanted) && isMapNode(node)) return mapOf(document, node, wanted, depth)
  if (Array.isArray(wanted) && isSeq(node)) return listOf(document, node, wanted, depth)
  if (isScalar(node) && !Array.isArray(wanted) && !isMap(wanted)) {
    if (node.value !== wanted) node.value = wanted
    return node
  }
  return made(document, wanted, depth)
}

function mapOf(document: Document, node: YAMLMap, wanted: YamlMap, depth: number): Node {
  const known = new Map(node.items.map((pair) => [keyOf(pair), pair]))
  node.items = Object.entries(wanted).map(([key, value]) => {
    const pair = known.get(key)
    if (!pair) return document.createPair(key, made(document, value, depth + 1))
    pair.value = written(document, pair.value, value, depth + 1)
    return pair
  })
  // A map that was empty was written on one line; the first map of a file never is.
  if (depth === 0 || !fits(wanted)) node.flow = false
  return node
}

function listOf(
  document: Document,
  node: YAMLSeq,
  wanted: readonly unknown[],
  depth: number,
): Node {
  const left: unknown[] = [...node.items]
  const kept = wanted.map((value) => {
    const at = left.findIndex((item) => isDeepStrictEqual(plain(item), value))
    return at < 0 ? undefined : left.splice(at, 1)[0]
  })
  node.items = wanted.map((value, at) => {
    const same = kept[at]
    if (same !== undefined) return same
    const there = left.indexOf(node.items[at])
    const old = there < 0 ? undefined : left.splice(there, 1)[0]
    return written(document, old, value, depth + 1)
  })
  if (!fits(wanted)) node.flow = false
  return node
}

/** A new node: short maps below the first ones, and short lists, stand on one line. */
function made(document: Document, value: unknown, depth: number): Node {
  const { isCollection, visit } = yamlLibrary()
  const node = document.createNode(value) as Node
  visit(node, {
    Collection(_key, one, path) {
      const isList = yamlLibrary().isSeq(one)
      const level = depth + path.filter(isCollection).length
      const isEmpty = one.items.length === 0
      if (isEmpty || (level >= (isList ? 1 : 2) && fits(plain(one)))) {
        one.flow = true
        return visit.SKIP
      }
      return undefined
    },
  })
  return node
}

function fits(value: unknown): boolean {
  return JSON.stringify(value).length <= LINE
}

function plain(node: unknown): unknown {
  const { isNode } = yamlLibrary()
  return isNode(node) ? node.toJS(new (yamlLibrary().Document)()) : node
}

function keyOf({ key }: Pair): string {
  return String(yamlLibrary().isScalar(key) ? key.value : key)
}
