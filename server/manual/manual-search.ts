import { anchorOf } from './manual-html.ts'
import type { Manual, ManualPage } from './manual-pages.ts'

/** Most sections that are found. */
const MOST = 60

/** A section of a page: the text between one heading and the next. */
export interface Section {
  readonly page: ManualPage
  /** Its heading; that of the page for what stands before the first. */
  readonly title: string
  /** Address within the page; empty for its beginning. */
  readonly anchor: string
  readonly text: string
}

/** Sections that have all of the words, those with them in their headings first. A word in quotes stands for all in it. */
export function findSections(manual: Manual, asked: string): readonly Section[] {
  const words = wordsOf(asked)
  if (words.length === 0) return []
  const found: { readonly section: Section; readonly rank: number }[] = []
  for (const pages of manual.values())
    for (const page of pages)
      for (const section of sectionsOf(page)) {
        const whole = `${section.title}\n${section.text}`.toLowerCase()
        if (!words.every((word) => whole.includes(word))) continue
        const title = section.title.toLowerCase()
        found.push({ section, rank: words.filter((word) => title.includes(word)).length })
      }
  found.sort((a, b) => b.rank - a.rank)
  return found.slice(0, MOST).map(({ section }) => section)
}

/** The first sentence or so of a section, without its marks. */
export function beginningOf({ text }: Section): string {
  const plain = text
    .replace(/```[\s\S]*?```|^\|.*$/gm, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*`]|^[#>-]+ /gm, '')
    .replace(/\s+/g, ' ')
    .trim()
  return plain.length <= 180 ? plain : `${plain.slice(0, 180).replace(/\s\S*$/, '')} …`
}

function wordsOf(asked: string): readonly string[] {
  return [...asked.toLowerCase().matchAll(/"([^"]+)"|(\S+)/g)].map(([, all, one]) => (all ?? one)!)
}

function sectionsOf(page: ManualPage): readonly Section[] {
  const seen = new Map<string, number>()
  const sections: { page: ManualPage; title: string; anchor: string; text: string }[] = []
  let isCode = false
  for (const line of page.text.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode
    const [, marks, heading] = (!isCode && /^(#{1,6}) (.+)$/.exec(line)) || []
    if (heading === undefined) {
      const last = sections.at(-1)
      if (last) last.text += `${line}\n`
      continue
    }
    const anchor = anchorOf(heading, seen)
    const title = heading.replaceAll('`', '')
    sections.push({ page, title, anchor: marks === '#' ? '' : anchor, text: '' })
  }
  return sections
}
