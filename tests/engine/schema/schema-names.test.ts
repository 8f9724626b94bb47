import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadDefinitionTexts } from '../../../engine/definition/load/load.ts'
import { SHARED_SHAPES, schemaNames } from '../../../engine/schema/shapes/schema-names.ts'

const names = suite('the names of shapes')

names('are the DocType in one word, with a capital behind a digit', () => {
  const registry = load('Sales Thing', 'x-ray plate 2b')
  const { record, plural } = schemaNames(registry)
  assert.is(record(registry.byDoctype('Sales Thing')!), 'SalesThing')
  assert.is(plural(registry.byDoctype('Sales Thing')!), 'SalesThings')
  assert.is(record(registry.byDoctype('x-ray plate 2b')!), 'XRayPlate2B')
})

names('differ with all that is appended, from each other and from the shared ones', () => {
  const registry = load(
    'Order',
    'Order Create',
    'Order Filters',
    'OrderUpdate',
    'Error',
    'Resources',
  )
  const { record } = schemaNames(registry)
  const bases = registry.all.map(record)
  const all = bases.flatMap((base) =>
    ['', 'ListItem', 'Create', 'Update', 'Filters'].map((shape) => base + shape),
  )
  assert.is(new Set([...all, ...SHARED_SHAPES]).size, all.length + SHARED_SHAPES.length)
})

names('of rows differ from those of records', () => {
  const registry = loadDefinitionTexts([
    text(
      'Order',
      'order-records',
      'items: {type: table, options: Order Line, fields: {a: {type: data}}}',
    ),
    text('Order Line Create', 'lines', 'a: {type: data}'),
  ]).registry
  const { record, row } = schemaNames(registry)
  const child = registry.byDoctype('Order')!.fields[0]!.child!
  assert.is.not(`${row(child)}Create`, record(registry.byDoctype('Order Line Create')!))
})

names('of actions differ from each other and from those of DocTypes', () => {
  const actions = 'actions: {make_order: {steps: []}, order: {steps: []}}'
  const registry = loadDefinitionTexts([
    text('Sales', 'sales', 'a: {type: data}', actions),
    text('Sales Make', 'sales-makes', 'a: {type: data}', actions),
    text('Sales Order Input', 'inputs', 'a: {type: data}'),
  ]).registry
  const { action, record } = schemaNames(registry)
  const [sales, make, input] = ['Sales', 'Sales Make', 'Sales Order Input'].map(
    (doctype) => registry.byDoctype(doctype)!,
  )
  const all = [
    action(sales!, 'make_order'),
    action(sales!, 'order'),
    action(make!, 'make_order'),
    action(make!, 'order'),
  ]
  assert.is(all[0], 'SalesMakeOrder')
  assert.is(new Set([...all, ...all.map((name) => `${name}Input`), record(input!)]).size, 9)
})

names.run()

function load(...doctypes: string[]) {
  return loadDefinitionTexts(
    doctypes.map((doctype, index) => text(doctype, `slug-${index}`, 'a: {type: data}')),
  ).registry
}

function text(doctype: string, slug: string, field: string, more = '') {
  const resource = doctype === 'Sales Thing' ? '' : `resource: ${slug}\n`
  return {
    path: `${slug}.yaml`,
    text: `doctype: ${doctype}\nmodule: crm\ntier: free\n${resource}fields:\n  ${field}\n${more}`,
  }
}
