import request from 'supertest'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { conditionInWords } from '../../../engine/rules/base/condition-words.ts'
import { resourceDetail } from '../../../engine/schema/catalogue/catalog.ts'
import { toldDetail, toldField } from '../../../engine/schema/catalogue/told.ts'
import { type ResourceField, resourceField } from '../../../engine/schema/shapes/resource-field.ts'
import { messageTeller } from '../../../server/http/error-words.ts'
import { type Labels, readLabels } from '../../../server/print/labels.ts'
import { bearer, openTestApp, type TestApp } from '../test-app.ts'

const LANGUAGES = ['de', 'fr', 'es']

/** DocTypes of the test app, which have no labels in other languages. */
const OWN = new Set(['Gadget', 'Parcel', 'Turbine'])

/** The shipped labels of a language, read once. */
const kept = new Map<string, Labels>()
function labelsIn(language: string): Labels {
  const labels = kept.get(language) ?? readLabels([], language)
  kept.set(language, labels)
  return labels
}

const test = suite('languages')

let app: TestApp
test.before(async () => {
  app = await openTestApp()
})
test.after(() => app.close())

const ask = (method: 'get' | 'post', path: string, language?: string) => {
  const asked = request(app.app)[method](path).set('Authorization', bearer(app.keys.admin))
  return language ? asked.set('Accept-Language', language) : asked
}

/** Labels, sections, options, states, actions and reports of what is shipped: everything that a screen shows, without descriptions. */
function termsOfAll(): ReadonlySet<string> {
  const { registry } = app.engine.services
  const terms = new Set<string>()
  const telling = {
    label(text: string) {
      terms.add(text)
      return text
    },
    color: () => undefined,
  }
  const plain = ({ description: _, placeholder: __, fields, ...field }: ResourceField): object => ({
    ...field,
    ...(fields ? { fields: fields.map(plain) } : {}),
  })
  for (const definition of registry.all) {
    if (OWN.has(definition.doctype)) continue
    const { description: _, fields, actions, ...detail } = resourceDetail(registry, definition)
    toldDetail(
      {
        ...detail,
        fields: fields.map(plain),
        actions: actions.map(({ description: __, input, ...action }) => ({
          ...action,
          input: input.map(plain),
        })),
      } as Parameters<typeof toldDetail>[0],
      telling,
    )
  }
  for (const heading of registry.vocabulary.modules.values()) terms.add(heading)
  for (const { label, cards, shortcuts, charts } of app.engine.workspaces())
    for (const text of [label, ...[...cards, ...shortcuts, ...charts].map((one) => one.label)])
      terms.add(text)
  for (const { doctype, label, labelPlural } of registry.all)
    if (OWN.has(doctype)) for (const text of [label, labelPlural]) terms.delete(text)
  for (const { label, params, main, summary } of app.engine.reports().all) {
    terms.add(label)
    for (const { field } of params)
      toldField(plain(resourceField(registry, field)) as ResourceField, telling)
    for (const { field, hidden } of main.columns) if (!hidden) terms.add(field.label)
    for (const { field } of summary) terms.add(field.label)
  }
  return terms
}

/** Codes, formats and names of parameters, which are the same in every language. */
const SAME = /^(?:[^a-z]*|[#.,'\d ]+|(?:[\d–]|\{\w+\})+)$/

test('have a word for everything that screens show', () => {
  const terms = [...termsOfAll()].filter((text) => !SAME.test(text))
  assert.ok(terms.length > 1900, String(terms.length))
  for (const language of LANGUAGES) {
    const labels = labelsIn(language)
    assert.equal([language, terms.filter((text) => !labels.has(text))], [language, []])
    const lost = [...labels].filter(
      ([text, told]) => told.trim() === '' || rangesIn(text) !== rangesIn(told),
    )
    assert.equal([language, lost], [language, []])
  }
})

/** What a label takes from the parameters of its report. */
function rangesIn(text: string): string {
  return (text.match(/\{range\d\}/g) ?? []).join()
}

test('are those of the caller in catalogue, boot and reports', async () => {
  const german = (await ask('get', '/v1/resources/sales-invoices', 'de-AT')).body
  assert.equal([german.label, german.label_plural], ['Rechnung', 'Rechnungen'])
  const named = (name: string) =>
    german.fields.find((field: { name: string }) => field.name === name)
  assert.is(named('due_date').label, 'Fällig am')
  const option = named('status').options.find(({ value }: { value: string }) => value === 'Draft')
  assert.equal([option.value, option.label], ['Draft', 'Entwurf'])
  const french = (await ask('get', '/v1/boot', 'fr')).body
  const invoices = french.resources.find(({ slug }: { slug: string }) => slug === 'sales-invoices')
  assert.is(invoices.label_plural, 'Factures')
  const spanish = (await ask('get', '/v1/reports/trial-balance?company=X', 'es')).body
  assert.match(JSON.stringify(spanish), /no existe|Balance|se esperaba|obligatorio/)
  const reports = (await ask('get', '/v1/reports', 'es')).body.data
  const balance = reports.find(({ slug }: { slug: string }) => slug === 'balance-sheet')
  assert.is(balance.label, 'Balance de situación')
})

test('tell refusals, the codes of which stay; who asks for no language gets English', async () => {
  const refuse = async (language?: string) =>
    (await ask('post', '/v1/gadgets', language)).body.error
  const english = await refuse()
  assert.match(english.message, /expected a JSON object/)
  const german = await refuse('de')
  assert.equal(
    [german.code, german.message],
    [english.code, 'erwartet wird ein JSON-Objekt, es kam keines'],
  )
  const { details, message } = (
    await ask('post', '/v1/gadgets', 'fr').send({ code: 'X', nonsense: 1 })
  ).body.error
  const told = new Map(
    details.map((one: { field: string; message: string }) => [one.field, one.message]),
  )
  assert.equal([told.get('title'), told.get('nonsense')], ['est obligatoire', 'champ inconnu'])
  assert.match(message, 'voir details')
})

/** A message of the YAML, as labels have it: numbers for what it computes. */
function asPattern(message: string): string {
  let number = 0
  return message.replaceAll(/(?:\{[^{}]*\})+/g, () => {
    number += 1
    return `{${number}}`
  })
}

test('have what the rules of what is shipped say, and why actions are not possible', () => {
  const own = app.engine.services.registry.all.filter(({ doctype }) => !OWN.has(doctype))
  const texts = new Set<string>()
  const conditions = new Set<string>()
  for (const definition of own) {
    const { validate = [], actions = {}, unique = [] } = definition.behaviour
    for (const { message } of [...validate, ...Object.values(actions), ...unique])
      if (message !== undefined) texts.add(asPattern(message))
    for (const { when, message } of Object.values(actions)) {
      const words = when === undefined || message ? undefined : conditionInWords(when, definition)
      if (words !== undefined) conditions.add(words)
    }
    for (const { requiredWhen } of definition.fields) {
      const words =
        requiredWhen === undefined ? undefined : conditionInWords(requiredWhen, definition)
      if (words !== undefined) conditions.add(words)
    }
  }
  assert.ok(texts.size > 400 && conditions.size > 80, `${texts.size} ${conditions.size}`)
  for (const language of LANGUAGES) {
    const labels = labelsIn(language)
    assert.equal([language, [...texts].filter((text) => !labels.has(text))], [language, []])
    const tell = messageTeller(labels)
    const english = [...conditions]
      .map((words) => tell(`is required when ${words}`))
      .filter((told) => / (?:is|and|above|below|most|least|empty|it) /.test(` ${told} `))
    assert.equal([language, english], [language, []])
  }
  const tell = messageTeller(labelsIn('de'))
  assert.is(
    tell('it is possible only while it is submitted and Closed is off; it is Draft now'),
    'das geht nur, solange es gebucht ist und Geschlossen aus ist; der Zustand ist jetzt Entwurf',
  )
})

test('say why something is not possible, what a preview finds, and refusals of surface A', async () => {
  await ask('post', '/v1/gadgets').send({ code: 'T1', title: 'Tool' })
  const parcel = (await ask('post', '/v1/parcels').send({ receiver: 'Kim' })).body
  const can = (await ask('get', `/v1/parcels/${parcel.id}?_can=1`, 'de')).body._can
  assert.match(can.cancel, /^nicht möglich \(.*\): Zustand/)
  assert.is((await ask('get', `/v1/parcels/${parcel.id}?_can=1`)).body._can.delete, true)
  const preview = (await ask('post', '/v1/gadgets?_preview=1', 'fr').send({ code: 'X' })).body
  assert.is(preview.problems[0].message, 'est obligatoire')
  const refused = (await ask('post', '/api/resource/Gadget?_lang=es').send({ code: 'X' })).body
  assert.match(refused._server_messages, 'Error: falta un valor en Gadget: ')
})

test('find the most particular message, and tell its parts', () => {
  const tell = messageTeller(
    new Map([
      ['expected {1}, got {2}', 'statt {2}: {1}'],
      ['expected one of {1}, got {2}', 'eines von {1}, nicht {2}'],
      ['a number', 'eine Zahl'],
    ]),
  )
  assert.is(tell('expected a number, got "x"'), 'statt "x": eine Zahl')
  assert.is(tell('expected one of A, B, got "x"'), 'eines von A, B, nicht "x"')
  assert.is(tell('something else'), 'something else')
  assert.is(tell('expected , got '), 'expected , got ')
})

test.run()
