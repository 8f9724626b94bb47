import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SHIPPED_DOCTYPES } from '../../../cli/package.ts'
import { loadDefinitions } from '../../../engine/definition/load/load.ts'
import type { DocTypeDefinition } from '../../../engine/definition/model/definition.ts'
import { hooks } from '../../../hooks/index.ts'
import { labelProblems, languagesOf, readLabels } from '../../../server/print/labels.ts'
import { temporaryRoot } from '../../helpers/temporary.ts'

const test = suite('labels of papers')

/** Every English text that the paper of a DocType can bear beside values. */
function textsOn({ label, fields, behaviour }: DocTypeDefinition): readonly string[] {
  const { print } = behaviour
  if (!print) return []
  const fieldNamed = (name: string) => fields.find((field) => field.name === name.replace(/^-/, ''))
  const labelled = (name: string): string[] => {
    const field = fieldNamed(name)
    return [print.labels?.[name] ?? field?.label ?? name, ...(field?.options ?? [])]
  }
  const { card, parties = [], tables = [], below = [], totals = [] } = print
  const isDeclared = Object.keys(print).some((key) => key !== 'card')
  return [
    ...(isDeclared ? [print.title ?? label] : []),
    ...Object.values(print.titles ?? {}),
    ...parties.flatMap((party) =>
      typeof party === 'string' ? labelled(party) : [party.label ?? labelled(party.link)[0] ?? ''],
    ),
    ...[...(print.meta ?? []), ...(print.notes ?? []), ...(card?.facts ?? [])].flatMap(labelled),
    ...[...tables, ...below].flatMap(({ table, label: above, columns }) => [
      ...(above === undefined ? [] : [above]),
      ...columns.map((column) => {
        const { field, label: own } =
          typeof column === 'string' ? { field: column, label: undefined } : column
        const found = fieldNamed(table)?.child?.fields.find(({ name }) => name === field)
        return own ?? found?.label ?? field
      }),
    ]),
    ...totals.flatMap((total) =>
      typeof total === 'string' ? labelled(total) : 'field' in total ? labelled(total.field) : [],
    ),
  ]
}

test('are there in every language for all that the shipped DocTypes print', () => {
  const { registry } = loadDefinitions([SHIPPED_DOCTYPES], hooks)
  const texts = new Set(registry.all.flatMap(textsOn))
  assert.ok(texts.size > 80)
  const languages = languagesOf([SHIPPED_DOCTYPES])
  assert.equal(languages, ['en', 'de', 'es', 'fr'])
  for (const language of languages.slice(1)) {
    const labels = readLabels([SHIPPED_DOCTYPES], language)
    assert.equal(
      [...texts].filter((text) => !labels.has(text)),
      [],
      language,
    )
  }
})

test('come from every folder, later ones first', () => {
  const own = mkdtempSync(join(temporaryRoot(), 'svc-labels-'))
  mkdirSync(join(own, 'labels'))
  writeFileSync(join(own, 'labels/de.yaml'), 'Invoice: Faktura\n')
  writeFileSync(join(own, 'labels/it.yaml'), 'Invoice: Fattura\n')
  const folders = [SHIPPED_DOCTYPES, own]
  assert.equal(languagesOf(folders), ['en', 'de', 'es', 'fr', 'it'])
  const german = readLabels(folders, 'de')
  assert.equal([german.get('Invoice'), german.get('Quotation')], ['Faktura', 'Angebot'])
  assert.equal([...readLabels(folders, 'it')], [['Invoice', 'Fattura']])
  writeFileSync(join(own, 'labels/it.yaml'), 'Invoice: [Fattura]\n')
  assert.throws(() => readLabels(folders, 'it'), /expected a text for "Invoice"/)
  writeFileSync(join(own, 'labels/it.yaml'), 'Tax: Imposta\nInvoice: [Fattura]\nItem: 3\n')
  writeFileSync(join(own, 'labels/es.yaml'), '- Factura\n')
  writeFileSync(join(own, 'labels/french.yml'), 'Invoice: Facture\n')
  const told = labelProblems(folders).map(
    ({ file, line, column, message }) => `${basename(file)}:${line}:${column}: ${message}`,
  )
  assert.equal(told.sort(), [
    'es.yaml:1:1: expected English label: label in this language',
    'french.yml:1:1: expected a language in two small letters as its name, e.g. de.yaml',
    'it.yaml:2:10: expected a text for "Invoice"',
    'it.yaml:3:7: expected a text for "Item"',
  ])
  rmSync(own, { recursive: true })
})

test.run()
