import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadDefinitionTexts } from '../../../engine/definition/load/load.ts'
import type { Reference } from '../../../engine/definition/model/registry.ts'
import { thing } from './marked-files.ts'

const TEXTS = [
  thing(
    'child: true\nfields:\n  kind: {type: data}\n  party: {type: dynamic_link, options: kind}',
    'Party',
  ),
  thing(
    'aliases: [stuff]\nsubmittable: true\nfields: {box: {type: link, options: Box}, parties: {type: table, options: Party}}',
  ),
  thing(
    'fields:\n  rows:\n    type: table\n    fields:\n      thing: {type: link, options: Thing}\n      row: {type: link, options: Box.rows}',
    'Box',
  ),
]
const load = (texts: readonly string[]) =>
  loadDefinitionTexts(texts.map((text, index) => ({ path: `${index}.yaml`, text }))).registry
const registry = load(TEXTS)
const thingDefinition = registry.byDoctype('Thing')!
const box = registry.byDoctype('Box')!

const lookups = suite('the registry')

lookups('lists what has records of its own by slug, and finds by slug, alias and name', () => {
  assert.equal(
    registry.all.map(({ slug }) => slug),
    ['boxes', 'things'],
  )
  assert.is(registry.bySlug('stuff'), thingDefinition)
  assert.is(registry.bySlug('things'), thingDefinition)
  assert.ok(registry.byDoctype('Party')?.isChild)
  assert.is(registry.bySlug(''), undefined)
  assert.is(registry.bySlug('constructor'), undefined)
})

lookups('finds rows by the name of their DocType', () => {
  assert.equal(
    registry.child('Party')?.fields.map(({ name }) => name),
    ['kind', 'party'],
  )
  assert.equal(
    registry.child('Box Row')?.fields.map(({ name }) => name),
    ['thing', 'row'],
  )
  assert.is(registry.child('Thing'), undefined)
})

lookups(
  'knows standard fields like declared ones; two of them are for submittable DocTypes',
  () => {
    assert.is(registry.fieldOf(thingDefinition, 'box')?.type, 'link')
    assert.is(registry.fieldOf(thingDefinition, 'modified')?.type, 'datetime')
    assert.is(registry.fieldOf(thingDefinition, 'amended_from')?.link, 'Thing')
    assert.ok(registry.fieldOf(thingDefinition, 'docstatus')?.filterable)
    assert.is(registry.fieldOf(box, 'docstatus'), undefined)
    assert.is(registry.fieldOf(box, 'constructor'), undefined)
  },
)

const shown = ({ def, table, field, dynamic }: Reference): string =>
  `${def.slug}.${table ?? ''}.${field}${dynamic ? `(${dynamic})` : ''}`

lookups('knows who can link to a record: links, links in rows, and every dynamic link', () => {
  assert.equal(registry.linksTo('Box').map(shown), ['things..box', 'things.parties.party(kind)'])
  assert.equal(registry.linksTo('Thing').map(shown), [
    'boxes.rows.thing',
    'things.parties.party(kind)',
  ])
  assert.equal(registry.linksTo('Party').map(shown), ['things.parties.party(kind)'])
})

lookups('knows links to rows apart from links to records', () => {
  assert.equal(
    registry.rowLinksTo('Box').map(({ targetTable, ...at }) => [shown(at), targetTable]),
    [['boxes.rows.row', 'rows']],
  )
  assert.equal(registry.rowLinksTo('Thing'), [])
})

lookups('has a checksum of its content alone, whatever its files look like', () => {
  const written = TEXTS.map((text) => `# A remark.\n${text.replaceAll('\n', '\n\n')}`)
  assert.is(load(written).checksum, registry.checksum)
  assert.is(load(TEXTS).checksum, registry.checksum)
  assert.is(load(TEXTS.toReversed()).checksum, registry.checksum)
  assert.is.not(
    load(TEXTS.map((text) => text.replace('data', 'small_text'))).checksum,
    registry.checksum,
  )
})

lookups.run()
