import * as assert from 'uvu/assert'
import { loadDefinitionTexts } from '../../../engine/definition/load/load.ts'
import { DefinitionErrors } from '../../../engine/definition/yaml/problems.ts'
import type { SourceFile } from '../../../engine/definition/yaml/source.ts'
import { VOCABULARY } from '../../helpers/vocabulary.ts'

/** Stands in a text right before the place where a mistake is expected. */
const MARK = '→'

/** The rest of a valid DocType file around some keys. */
export function thing(keys: string, doctype = 'Thing'): string {
  return `doctype: ${doctype}\nmodule: crm\ntier: free\n${keys}\n`
}

/** Files without their marks, and `file:line:column` of each mark in order. */
function unmark(texts: readonly string[]): { files: SourceFile[]; places: string[] } {
  const places: string[] = []
  const files = texts.map((marked, index) => {
    const path = `${'abcdef'[index]}.yaml`
    let text = ''
    for (const [at, part] of marked.split(MARK).entries()) {
      if (at > 0) {
        const lines = text.split('\n')
        places.push(`${path}:${lines.length}:${lines[lines.length - 1]!.length + 1}`)
      }
      text += part
    }
    return { path, text }
  })
  return { files, places }
}

/** The mistakes of these texts as `file:line:column: message`; empty when they load. */
export function mistakesOf(files: readonly SourceFile[]): string[] {
  try {
    loadDefinitionTexts(files, VOCABULARY)
    return []
  } catch (error) {
    if (!(error instanceof DefinitionErrors)) throw error
    assert.is(error.message.split('\n').length, error.problems.length)
    return error.message.split('\n')
  }
}

/** The marked places have exactly these mistakes, in the order of the marks, and there are no others. */
export function assertMistakes(texts: readonly string[], ...messages: readonly string[]): void {
  const { files, places } = unmark(texts)
  assert.is(places.length, messages.length, 'one mark for each message')
  const expected = messages.map((message, index) => `${places[index]}: ${message}`)
  assert.equal(mistakesOf(files), expected)
}
