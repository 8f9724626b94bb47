import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isoDateTime } from '../../engine/base/clock.ts'
import { AppError } from '../../engine/base/errors.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import type { ListQuery } from '../../engine/documents/lists/list-query.ts'
import { readListQuery } from '../../server/http/list-params.ts'
import { readQuery } from '../../server/http/query-string.ts'
import { openTestApp, type TestApp } from './test-app.ts'

const test = suite('list parameters')
let app: TestApp
let gadget: DocTypeDefinition
let parcel: DocTypeDefinition
test.before(async () => {
  app = await openTestApp()
  const { registry } = app.engine.services
  gadget = registry.byDoctype('Gadget')!
  parcel = registry.byDoctype('Parcel')!
})
test.after(() => app.close())

function read(query: string, definition = gadget): ListQuery {
  return readListQuery(app.engine.services, definition, readQuery(`/x?${query}`))
}

/** Details of the refusal by field, or what came instead. */
function refused(query: string, definition = gadget): Record<string, string> {
  try {
    read(query, definition)
  } catch (error) {
    assert.instance(error, AppError)
    assert.is((error as AppError).status, 422, (error as AppError).message)
    return Object.fromEntries(
      ((error as AppError).details ?? []).map(({ field, message }) => [field, message]),
    )
  }
  throw new Error(`expected ${query} to be refused`)
}

test('nothing given: 20 newest by modified, with a total; an empty q is none', () => {
  const plain = {
    filters: [],
    sort: 'modified',
    order: 'desc',
    limit: 20,
    offset: 0,
    titles: false,
  }
  assert.equal(read(''), plain)
  assert.equal(read('q='), plain)
  assert.equal(read('q=%20%20'), plain)
})

test('an empty value is none of those that a parameter takes', () => {
  for (const name of ['limit', 'offset', 'sort', 'order', 'fields', '_titles', '_count_by', '_sum'])
    assert.ok(refused(`${name}=`)[name], name)
})

test('limit is 1 to 100, offset 0 to 2^53-1, both whole numbers in digits', () => {
  assert.is(read('limit=100').limit, 100)
  assert.is(read(`offset=${Number.MAX_SAFE_INTEGER}`).offset, Number.MAX_SAFE_INTEGER)
  for (const value of ['0', '-1', '101', '1e2', '1000000000', 'abc', '1.5', '0x10', '%205', '٣']) {
    assert.ok(refused(`limit=${encodeURI(value)}`).limit, value)
  }
  for (const value of ['-1', '9007199254740992', '1e400', 'NaN'])
    assert.ok(refused(`offset=${value}`).offset, value)
})

test('cursor pages without an offset; an empty cursor starts; both together are refused', () => {
  assert.is(read('cursor=').cursor, '')
  assert.is(read('cursor=abc').offset, undefined)
  assert.ok(refused('cursor=&offset=0').offset)
})

test('sort takes every field but tables and secrets, also standard ones; another is named', () => {
  for (const field of ['id', 'name', 'created', 'modified', 'owner', 'price', 'secret_note']) {
    assert.is(read(`sort=${field}`).sort, field)
  }
  assert.is(read('sort=docstatus', parcel).sort, 'docstatus')
  assert.match(refused('sort=titl').sort!, 'did you mean title?')
  for (const field of ['pin', 'docstatus', '__proto__', 'constructor', "title';--"]) {
    assert.ok(refused(`sort=${encodeURIComponent(field)}`).sort, field)
  }
  assert.ok(refused('sort=items', parcel).sort)
  assert.ok(refused('order=up').order)
})

test('days and moments may be named from today on; a text is a text', () => {
  const today = isoDateTime(app.engine.services.clock).slice(0, 10)
  const values = (query: string) => read(query).filters.flatMap((one) => one.values)
  assert.equal(values('made_on__lte=today'), [today])
  assert.equal(values('made_on__between=year,today%2B0'), [`${today.slice(0, 4)}-01-01`, today])
  assert.equal(values('created__gte=month'), [`${today.slice(0, 7)}-01T00:00:00.000Z`])
  assert.equal(values('title=today'), ['today'])
  assert.match(refused('made_on=year-9999').made_on!, 'of the years 1 to 9999, got year-9999')
  assert.match(refused('made_on=tomorrow').made_on!, 'a day as YYYY-MM-DD')
})

test('fields takes any field, tables too; unknown ones are refused', () => {
  assert.equal(read('fields=title,price').fields, ['title', 'price'])
  assert.equal(read('fields=items', parcel).fields, ['items'])
  assert.match(refused('fields=title,prise').fields!, 'did you mean price?')
  assert.ok(refused('fields=__proto__').fields)
})

test('a filter is a filterable field with an operator of its type; its value is of the type', () => {
  assert.equal(read('title=a').filters, [{ field: 'title', operator: 'eq', values: ['a'] }])
  assert.equal(read('stock__gte=5').filters, [{ field: 'stock', operator: 'gte', values: [5] }])
  assert.equal(read('active=false').filters, [{ field: 'active', operator: 'eq', values: [false] }])
  assert.equal(read('made_on__lt=2026-01-02').filters, [
    { field: 'made_on', operator: 'lt', values: ['2026-01-02'] },
  ])
  assert.equal(read('docstatus=1', parcel).filters, [
    { field: 'docstatus', operator: 'eq', values: [1] },
  ])
  assert.equal(read('id__ne=x&created__gt=2026-01-01T00:00').filters, [
    { field: 'id', operator: 'ne', values: ['x'] },
    { field: 'created', operator: 'gt', values: ['2026-01-01T00:00:00.000Z'] },
  ])
})

test('several operators of one field combine; the same parameter twice is refused', () => {
  assert.is(read('stock__gte=1&stock__lt=9').filters.length, 2)
  assert.match(refused('title=a&title=b').title!, 'more than once')
  assert.match(refused('limit=1&limit=2').limit!, 'more than once')
})

test('an empty value means unset, for = and __ne only', () => {
  assert.equal(read('price=').filters, [{ field: 'price', operator: 'eq', values: [null] }])
  assert.equal(read('price__ne=').filters, [{ field: 'price', operator: 'ne', values: [null] }])
  for (const operator of ['gt', 'in'])
    assert.ok(refused(`price__${operator}=`)[`price__${operator}`])
})

test('__in splits at commas, a backslash escapes one; at most 500 values, none of them empty', () => {
  assert.equal(read('title__in=a%5C,b,c%5C%5C').filters[0]?.values, ['a,b', 'c\\'])
  assert.equal(read('stock__in=1,2').filters[0]?.values, [1, 2])
  assert.is(read(`stock__in=${Array(500).fill(1)}`).filters[0]?.values.length, 500)
  assert.match(refused(`stock__in=${Array(501).fill(1)}`).stock__in!, '500')
  assert.ok(refused('stock__in=1,,2').stock__in)
})

test('__like takes a part of a value that has a form, such as an address', () => {
  assert.equal(read('contact__like=%40exa%25').filters[0]?.values, ['@exa%'])
})

test('_list stands in fields for what a list shows: id, title, list fields, state and last change', () => {
  const { titleField, listFields } = parcel
  const shown = read('fields=_list', parcel).fields ?? []
  assert.equal(shown.slice(0, 2), ['id', titleField])
  for (const name of [...listFields, 'docstatus', 'modified']) assert.ok(shown.includes(name), name)
  assert.is(new Set(shown).size, shown.length)
  assert.ok(read('fields=_list,items', parcel).fields?.includes('items'))
})

test('fields that are not filterable, unknown parameters, operators and values name what is possible', () => {
  assert.match(refused('story=x').story!, 'not filterable; filters are')
  assert.match(refused('pin=1').pin!, 'not filterable')
  assert.match(refused('titl=x').titl!, 'did you mean title?')
  const long = 'titl'.repeat(20)
  assert.not.match(refused(`${long}=x`)[long]!, 'did you mean')
  assert.match(refused('stock__like=1').stock__like!, 'stock__gte')
  assert.match(refused('stock__eq=1').stock__eq!, 'no such operator')
  assert.match(refused('stock=abc').stock!, 'expected')
  assert.match(refused('made_on=2026-02-30').made_on!, 'expected')
  for (const name of [
    '__proto__',
    'constructor',
    '__proto____in',
    'title__constructor',
    '_',
    '_x',
    '__',
    'price[gte]',
  ]) {
    assert.ok(refused(`${encodeURIComponent(name)}=1`)[name], name)
  }
})

test('every problem is reported at once', () => {
  const fields = Object.keys(refused('limit=0&sort=x&order=x&nope=1&stock=a'))
  assert.equal(fields.sort(), ['limit', 'nope', 'order', 'sort', 'stock'])
})

test('at most 50 filters, 60 characters and 8 words of q, 140 of a part of a text', () => {
  const operators = ['', '__ne', '__gt', '__gte', '__lt', '__lte', '__in', '__like']
  const fields = ['id', 'name', 'code', 'title', 'created', 'modified', 'contact']
  const all = fields.flatMap((field) =>
    operators.map((operator) => `${field}${operator}=2026-01-01T00:00`),
  )
  assert.match(refused(all.join('&')).filters!, '50')
  assert.is(read(`q=${'x'.repeat(60)}`).q?.length, 60)
  assert.match(refused(`q=${'x'.repeat(61)}`).q!, 'at most 60 characters')
  assert.is(read('q=a+b+c+d+e+f+g+h').q, 'a b c d e f g h')
  assert.match(refused('q=a+b+c+d+e+f+g+h+i').q!, 'at most 8 words')
  read(`title__like=${'x'.repeat(140)}`)
  assert.match(refused(`title__like=${'x'.repeat(141)}`).title__like!, 'at most 140 characters')
})

test('_titles is the one parameter with an underscore', () => {
  assert.is(read('_titles=1').titles, true)
  assert.is(read('_titles=0').titles, false)
  assert.ok(refused('_titles=yes')._titles)
})

test('a bad encoding is 400 and NUL is 422, in names and values', () => {
  for (const query of ['title=%', 'title=%zz', 'title=%E0%A4', '%C3=1', 'q=%ED%A0%80']) {
    try {
      read(query)
      assert.unreachable(query)
    } catch (error) {
      assert.is((error as AppError).code, 'BAD_REQUEST', query)
    }
  }
  assert.ok(Object.keys(refused('title=a%00b')).length)
  assert.equal(read('title=a+b%2Bc').filters[0]?.values, ['a b+c'])
})

test.run()
