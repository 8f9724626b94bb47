import { counted } from '../terminal/output.ts'
import {
  countDifferences,
  type Differences,
  type DocTypeChange,
  type DocTypeNote,
  type FactChange,
  type FactNote,
  type GroupChange,
} from './compare.ts'
import { GROUPS, type Group } from './facts.ts'
import type { Aspects } from './texts.ts'

/** Differences as Markdown for a release note; whatever is in a name or an expression stays text. */
export function differencesMarkdown(differences: Differences): string {
  if (countDifferences(differences) === 0) return 'No differences.\n'
  const { added, removed, changed } = differences
  return [
    ...notes('New', added),
    ...notes('Removed', removed),
    ...(changed.length === 0 ? [] : ['## Changed', '', ...changed.flatMap(changeLines)]),
  ].join('\n')
}

function notes(heading: string, docTypes: readonly DocTypeNote[]): readonly string[] {
  if (docTypes.length === 0) return []
  const lines = docTypes.map(({ doctype, label, description, fields }) => {
    const name =
      label === doctype ? `**${escaped(doctype)}**` : `**${escaped(label)}** (${escaped(doctype)})`
    const what = description === null ? '' : `: ${escaped(description)}`
    return `- ${name}, ${counted(fields, 'field')}${what}`
  })
  return [`## ${heading}`, '', ...lines, '']
}

function changeLines({ doctype, label, groups }: DocTypeChange): readonly string[] {
  const name = label === doctype ? escaped(doctype) : `${escaped(label)} (${escaped(doctype)})`
  return [
    `### ${name}`,
    '',
    ...GROUPS.flatMap((group) => {
      const change = groups[group]
      return change ? [`${group}:`, '', ...groupLines(change, namedIn(group)), ''] : []
    }),
  ]
}

/** Names of a group as Markdown: code where they are names of the YAML, else words. */
function namedIn(group: Group): (note: Pick<FactNote, 'name' | 'label'>) => string {
  const isName = group === 'Fields' || group === 'Actions' || group === 'Events'
  const name = isName ? code : escaped
  return ({ name: key, label }) =>
    label === null || label === key ? name(key) : `${escaped(label)} (${name(key)})`
}

function groupLines(
  { added, removed, changed }: GroupChange,
  nameOf: ReturnType<typeof namedIn>,
): readonly string[] {
  return [
    ...added.map((note) => `- new: ${nameOf(note)}${said(note.is)}`),
    ...removed.map((note) => `- removed: ${nameOf(note)}`),
    ...changed.map((change) => `- ${nameOf(change)}${becomes(change)}`),
  ]
}

function said(aspects: Aspects): string {
  const words = Object.entries(aspects)
    .filter(([name]) => name !== 'label')
    .map(([name, is]) => (is === 'yes' ? escaped(name) : `${wordFor(name)}${code(is)}`))
  return words.length === 0 ? '' : `; ${words.join(', ')}`
}

function becomes({ was, aspects }: FactChange): string {
  const words = Object.entries(aspects).map(([name, { from, to }]) => {
    if (to === null)
      return `no longer ${from === 'yes' ? escaped(name) : `${wordFor(name)}${code(from!)}`}`
    if (from === null) return `now ${to === 'yes' ? escaped(name) : `${wordFor(name)}${code(to)}`}`
    return `${wordFor(name)}${code(from)} → ${code(to)}`
  })
  const renamed = was === null ? [] : [`was called ${code(was)}`]
  return `: ${[...renamed, ...words].join('; ')}`
}

/** Word before a value; what a fact simply is needs none. */
function wordFor(aspect: string): string {
  return aspect === 'is' ? '' : `${escaped(aspect)} `
}

/** A text of one line in which nothing is Markdown or HTML. */
function escaped(text: string): string {
  return oneLine(text).replace(/[\\`*_{}[\]<>#|~&!@$]|(?<=:)\/|(?<=www)\./gi, '\\$&')
}

/** A text as code, whatever backticks are in it. */
function code(text: string): string {
  const line = oneLine(text)
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  const gap = longest > 0 || line.trim() === '' ? ' ' : ''
  return `${fence}${gap}${line}${gap}${fence}`
}

/** Without what breaks a line, or hides on a terminal. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
}
