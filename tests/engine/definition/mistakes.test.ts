import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { assertMistakes, mistakesOf, thing } from './marked-files.ts'

type Scenario = readonly [name: string, texts: string | readonly string[], ...messages: string[]]

/** Runs a table of scenarios: texts with a mark before each mistake, and what is said about it. */
function scenarios(name: string, table: readonly Scenario[]): void {
  const test = suite(name)
  for (const [title, texts, ...messages] of table) {
    test(title, () => assertMistakes([texts].flat(), ...messages))
  }
  test.run()
}

const TYPES =
  'data small_text text long_text markdown html code int float currency percent check select link dynamic_link table date datetime time duration json attach attach_image rating color phone email url time_zone file_name password'

scenarios('a mistake in the YAML is reported at its place:', [
  [
    'a duplicate field',
    thing('fields:\n  a: {type: data}\n  b: {type: int}\n  →a: {type: int}'),
    'a is there twice; keep one',
  ],
  [
    'a duplicate key of a field',
    thing('fields:\n  a: {type: data, →type: int}'),
    'type is there twice; keep one',
  ],
  [
    'an unclosed bracket',
    `${thing('fields: {a: {type: data}')}→`,
    'Flow map in block collection must be sufficiently indented and end with a }',
  ],
  [
    'an expression that a comma cuts',
    thing('fields:\n  a: {type: int, formula: max(1, →2), min: 0}'),
    'the comma ended the expression: put it in quotes',
  ],
  [
    'an expression that two commas cut',
    thing('fields:\n  a: {type: int, formula: max(1, →b, →3) * 2}'),
    'the comma ended the expression: put it in quotes',
    'the comma ended the expression: put it in quotes',
  ],
  [
    'a value to set that a comma cuts',
    thing('fields: {a: {type: int}}\nactions: {act: {steps: [{set: {a: min(1, →2)}}]}}'),
    'the comma ended the expression: put it in quotes',
  ],
  ['an unknown tag', thing('description: →!env HOME\nfields: {}'), 'Unresolved tag: !env'],
  [
    'a known tag',
    thing('fields: {}\nlabel: !!str →5'),
    'tags (tag:yaml.org,2002:str) are not supported; remove it',
  ],
  [
    'an anchor and its alias',
    thing('label: &a →x\ndescription: →*a\nfields: {}'),
    'anchors (&name) are not supported; write the value out',
    'aliases (*name) are not supported; write the value out',
  ],
  [
    '__proto__ as a key',
    thing('fields:\n  →__proto__: {type: data}'),
    '"__proto__" cannot be a key',
  ],
  [
    'constructor as a key',
    thing('fields:\n  →constructor: {type: data}'),
    '"constructor" cannot be a key',
  ],
  [
    'a key that is no text',
    thing('fields:\n  →1: {type: data}'),
    'expected a text as key; quote it: "1"',
  ],
  [
    'an infinite number',
    thing('fields:\n  a: {type: int, max: →.inf}'),
    'expected a finite number, got Infinity',
  ],
  ['an empty file', '→', 'expected keys and values, got an empty file'],
  [
    'two documents in a file',
    `${thing('fields: {}')}→---\na: 1\n`,
    'Source contains multiple documents; please use YAML.parseAllDocuments()',
  ],
  [
    'a directive',
    `→%YAML 1.1\n---\n${thing('fields: {}')}`,
    'directives (%YAML) are not supported; remove the line',
  ],
])

scenarios('a mistake in the keys is reported at its place:', [
  [
    'an unknown key, with what was meant',
    thing('fields: {}\n→submitable: true'),
    'unknown key submitable; did you mean submittable?',
  ],
  [
    'an unknown key of a field',
    thing('fields:\n  a: {type: data, →requird: true}'),
    'unknown key requird; did you mean required?',
  ],
  [
    'an unknown key of a row field',
    thing('fields:\n  rows:\n    type: table\n    fields:\n      a: {type: data, →lenght: 3}'),
    'unknown key lenght; did you mean length?',
  ],
  [
    'an unknown field type, with all known',
    thing('fields:\n  a: {type: →curency}'),
    `expected one of ${TYPES}, got "curency"; did you mean currency?`,
  ],
  [
    'serving users without what that needs',
    thing(
      `serves: →→→users
fields:
  email: {type: data}
  full_name: {type: int}
  enabled: {type: data}
  roles: {type: table, fields: {role: {type: data}}}`,
    ),
    'needs the field enabled, a check, to serve users',
    'needs the field full_name, a text, to serve users',
    'needs the field roles, a table with a link `role`, to serve users',
  ],
  ['a field without a type', thing('fields:\n  →a: {label: A}'), 'needs the key type'],
  [
    'a row field without a type',
    thing('fields:\n  rows:\n    type: table\n    fields:\n      →a: {label: A}'),
    'needs the key type',
  ],
  ['a field that is no map', thing('fields:\n  a: →data'), 'expected a map of keys, got "data"'],
  [
    'a field without anything',
    thing('fields:\n  →a:\n  b: {type: data}'),
    'expected a map of keys, got nothing',
  ],
  [
    'a flag that is no boolean',
    thing('fields:\n  a: {type: data, required: →yes}'),
    'expected true or false, got "yes"',
  ],
  ['a missing module', '→doctype: Thing\ntier: free\nfields: {}\n', 'needs the key module'],
  ['a missing name', '→module: crm\ntier: free\nfields: {}\n', 'needs the key doctype'],
  [
    'an unknown module',
    'doctype: Thing\nmodule: →crn\ntier: free\nfields: {}\n',
    'expected one of crm sales billing purchasing stock banking accounts hr projects manufacturing support assets setup (declared in modules.yaml), got "crn"; did you mean crm?',
  ],
  [
    'an unknown tier',
    'doctype: Thing\nmodule: crm\ntier: →gold\nfields: {}\n',
    'expected one of free pro business (declared in plans.yaml), got "gold"',
  ],
  [
    'a name with signs',
    thing('fields: {}').replace('Thing', '→Thing__X'),
    'expected text like ^[A-Za-z][A-Za-z0-9]*(?:[ -][A-Za-z0-9]+)*$, got "Thing__X"',
  ],
  [
    'a field name with capitals',
    thing('fields:\n  →dueDate: {type: date}'),
    'expected a name of small letters, digits and _ (at most 50), got "dueDate"',
  ],
  [
    'no field that is unique',
    thing('fields:\n  note: {type: data}\nunique: [{fields: →[]}]'),
    'expected at least 1 entry, got an empty list',
  ],
  [
    'a field that is unique with itself',
    thing('fields:\n  note: {type: data}\nunique: [{fields: →[note, note]}]'),
    'expected entries that differ ("note" is there twice), got a list',
  ],
  ['a file that is a list', '→- a\n- b\n', 'expected a map of keys, got a list'],
  [
    'a status with neither rules nor flow',
    thing('fields: {}\n→status: {field: status}'),
    'needs either derive, or flow and initial',
  ],
  [
    'an expression that is no text',
    thing('fields:\n  a: {type: int, formula: →[5]}'),
    'expected a text (quote it) or a number or true or false, got a list',
  ],
  [
    'a right that does not exist',
    thing('fields: {}\npermissions: {roles: {Clerk: [read, →writ]}}'),
    'expected text like ^(?:all|read|create|update|delete|submit|cancel|amend|action|report|export|action:[a-z][a-z0-9_]*)$, got "writ"',
  ],
])

scenarios('a name that is taken is reported at its place:', [
  [
    'a standard field',
    thing('fields:\n  →owner: {type: data}'),
    'a field cannot be called owner: every record has it by itself',
  ],
  [
    'a column of the engine',
    thing('fields:\n  →rid: {type: int}'),
    'a field cannot be called rid: the engine uses it',
  ],
  [
    'a parameter of lists',
    thing('fields:\n  →limit: {type: int}'),
    'a field cannot be called limit: it is a parameter of lists',
  ],
  [
    'a word of the expressions',
    thing('fields:\n  →for: {type: int}'),
    'a field cannot be called for: expressions keep the word for themselves',
  ],
  [
    'a column of the database',
    thing('fields:\n  →xmin: {type: int}'),
    'a field cannot be called xmin: databases have a column of that name',
  ],
  [
    'a double underscore',
    thing('fields:\n  →a__b: {type: int}'),
    'a field name cannot contain __, got a__b',
  ],
  [
    'an underscore in front',
    thing('fields:\n  →_a: {type: int}'),
    'expected a name of small letters, digits and _ (at most 50), got "_a"',
  ],
  [
    'a row field of that name',
    thing('fields:\n  rows:\n    type: table\n    fields:\n      →parent: {type: data}'),
    'a field cannot be called parent: the engine uses it',
  ],
])

const child = (keys: string): string => thing(`child: true\n${keys}`, 'Line')

scenarios('a mistake in a field is reported at its place:', [
  [
    'a select without options',
    thing('fields:\n  →a: {type: select}'),
    'expected the list of values to select from, e.g. options: [Low, High]',
  ],
  [
    'a select with a value twice',
    thing('fields:\n  a: {type: select, options: →[A, B, A]}'),
    'has "A" twice',
  ],
  [
    'a select whose options are no list',
    thing('fields:\n  a: {type: select, options: →A}'),
    'expected a list, got "A"',
  ],
  [
    'options of a field that has none',
    thing('fields:\n  a: {type: int, →options: [A]}'),
    'options means nothing for the type int; remove it',
  ],
  [
    'min above max',
    thing('fields:\n  a: {type: float, min: →3, max: 2}'),
    'expected min to be at most max (2), got 3',
  ],
  [
    'a scale that is too large',
    thing('fields:\n  a: {type: float, scale: →12}'),
    'expected 0 to 9 decimal places, got 12',
  ],
  [
    'a length of a number',
    thing('fields:\n  a: {type: int, length: →12}'),
    'length means nothing for the type int; remove it',
  ],
  [
    'a pattern that does not compile',
    thing("fields:\n  a: {type: data, pattern: →'[A-Z'}"),
    'expected a regular expression, got "[A-Z": Unterminated character class',
  ],
  [
    'a catastrophic pattern',
    thing("fields:\n  a: {type: data, pattern: →'^(a+)+$'}"),
    '"^(a+)+$" can take very long on some texts; do not repeat what repeats or has alternatives inside, begin with ^, or give the field a smaller length',
  ],
  [
    'a link without a DocType',
    thing('fields:\n  →a: {type: link}'),
    'expected the DocType to link to, e.g. options: Fleet Vehicle',
  ],
  [
    'a dynamic link without its field',
    thing('fields:\n  →a: {type: dynamic_link}'),
    'expected the field that names the DocType, e.g. options: party_type',
  ],
  [
    'two sources of a value',
    thing(
      'fields:\n  b: {type: int}\n  a: {type: int, formula: b + 1, →rollup: {from: Thing, match: a, count: true}}',
    ),
    'a value has one source, got formula and rollup; remove one',
  ],
  [
    'a default beside a formula',
    thing('fields:\n  a: {type: int, formula: 1 + 1, →default: 3}'),
    'never used: the field has formula; remove one',
  ],
  [
    'a required formula',
    thing('fields:\n  a: {type: int, →required: true, formula: 1 + 1}'),
    'callers cannot send it: the field has formula; remove required',
  ],
  [
    'a fetch that fills a gap at a moment',
    thing(
      'fields:\n  b: {type: link, options: Thing}\n  a: {type: data, fetch: {from: b.owner, →at: always, when: empty}}',
    ),
    'means nothing beside when: empty; remove one',
  ],
  [
    'a fetch of nothing',
    thing('fields:\n  a: {type: data, →fetch: {when: empty}}'),
    'needs the key from',
  ],
  [
    'a moment where a gap is meant',
    thing(
      'fields:\n  b: {type: link, options: Thing}\n  a: {type: data, fetch: {from: b.owner, when: →always}}',
    ),
    'expected one of empty, got "always"',
  ],
  [
    'a default that is an option and a field',
    thing(
      'fields:\n  email: {type: email}\n  by: {type: select, options: [email, phone], default: →email}',
    ),
    `bad default: email is an option of by and a field; write '"email"' for the option, (email) for the field`,
  ],
  [
    'a default that is no DocType',
    thing(
      'fields:\n  kind: {type: data, default: →Thingy}\n  it: {type: dynamic_link, options: kind}',
    ),
    'bad default: expected the name of a DocType, or an expression, got "Thingy"',
  ],
  [
    'a rollup of nothing',
    thing('fields:\n  a: {type: int, →rollup: {from: Thing, match: a}}'),
    'needs one of sum, min, max or count: true, got none',
  ],
  [
    'a rollup of two things',
    thing('fields:\n  a: {type: int, →rollup: {from: Thing, match: a, sum: b, count: true}}'),
    'needs one of sum, min, max or count: true, got sum and count',
  ],
  [
    'an index on a long text',
    thing('fields:\n  a: {type: long_text, →filterable: true}'),
    'a field of the type long_text cannot be filterable; remove it',
  ],
  [
    'an index on too long a line',
    thing('fields:\n  a: {type: data, length: 900, →unique: true}'),
    'too long a text for an index; give it a length of at most 600, or remove unique',
  ],
  [
    'an index on a password',
    thing('fields:\n  a: {type: password, →unique: true}'),
    'a field of the type password cannot be unique; remove it',
  ],
  [
    'an index on rows',
    thing(
      'fields:\n  rows:\n    type: table\n    fields:\n      a: {type: data, →filterable: true}',
    ),
    'rows of a table cannot be filterable; remove it',
  ],
  [
    'a former name that is in use',
    thing('fields:\n  b: {type: int}\n  a: {type: int, renamed_from: →b}'),
    'there still is a field b; remove it or renamed_from',
  ],
  [
    'a currency that is no field',
    thing('fields:\n  curency: {type: data}\n  a: {type: currency, currency: →currency}'),
    'no field "currency"; did you mean curency?',
  ],
])

scenarios('a bad default is reported at its place:', [
  [
    'of the wrong type',
    thing('fields:\n  a: {type: int, default: →1.5}'),
    'bad default: expected a whole number, got 1.5',
  ],
  [
    'a boolean for a number',
    thing('fields:\n  a: {type: float, default: →true}'),
    'bad default: expected a number, got true',
  ],
  [
    'a text for a number',
    thing('fields:\n  a: {type: int, default: →\'"abc"\'}'),
    'bad default: expected a whole number, got "abc"',
  ],
  [
    'a number for a text',
    thing('fields:\n  a: {type: data, default: →5}'),
    'bad default: expected text, got 5',
  ],
  [
    'not one of the options',
    thing('fields:\n  a: {type: select, options: [Low, High], default: →Lwo}'),
    'bad default: expected one of Low, High, got "Lwo"',
  ],
  [
    'a quoted text that is no option',
    thing('fields:\n  a: {type: select, options: [Low, High], default: →\'"Mid"\'}'),
    'bad default: expected one of Low, High, got "Mid"',
  ],
  [
    'out of bounds',
    thing('fields:\n  a: {type: percent, default: →120}'),
    'bad default: expected at most 100, got 120',
  ],
  [
    'too long',
    thing('fields:\n  a: {type: data, length: 2, default: →\'"abc"\'}'),
    'bad default: expected at most 2 characters, got 3',
  ],
  [
    'no real day',
    thing('fields:\n  a: {type: date, default: →\'"2026-02-30"\'}'),
    'bad default: expected a day as YYYY-MM-DD, got "2026-02-30"',
  ],
  [
    'against the pattern',
    thing("fields:\n  a: {type: data, pattern: '^[A-Z]+$', default: →'\"abc\"'}"),
    'bad default: expected text that matches ^[A-Z]+$, got "abc"',
  ],
  [
    'of a table',
    thing('fields:\n  rows: {type: table, →default: 1, fields: {a: {type: int}}}'),
    'a table has no default; remove it',
  ],
  [
    'in a row',
    thing('fields:\n  rows:\n    type: table\n    fields:\n      a: {type: check, default: →1}'),
    'bad default: expected true or false, got 1',
  ],
])

scenarios('a mistake in a table is reported at its place:', [
  [
    'no fields and no DocType of rows',
    thing('fields:\n  →rows: {type: table}'),
    'a table needs fields, or options that name a DocType with child: true',
  ],
  [
    'an unknown DocType of rows',
    [child('fields: {a: {type: data}}'), thing('fields:\n  rows: {type: table, options: →Lines}')],
    'no DocType "Lines" with child: true; did you mean Line? (or give the table its fields here)',
  ],
  [
    'a DocType that is not for rows',
    [thing('fields: {}', 'Other'), thing('fields:\n  rows: {type: table, options: →Other}')],
    'no DocType "Other" with child: true (or give the table its fields here)',
  ],
  [
    'a table in a table',
    thing(
      'fields:\n  rows:\n    type: table\n    fields:\n      a: {type: →table, fields: {b: {type: data}}}',
    ),
    'a table cannot be inside a table',
  ],
  [
    'fewer rows than none',
    thing('fields:\n  rows: {type: table, min: →-1, fields: {a: {type: data}}}'),
    'expected a number of rows, got -1',
  ],
  [
    'more rows than a table takes',
    thing('fields:\n  rows: {type: table, max: →100000, fields: {a: {type: data}}}'),
    'expected a number of rows from 1 to 5000, got 100000',
  ],
  [
    'rows called as another DocType',
    [
      thing('fields: {}', 'Thing Row'),
      thing('fields:\n  rows: →{type: table, fields: {a: {type: data}}}'),
    ],
    'its rows would be called Thing Row as the DocType Thing Row already is; give it options: with another name',
  ],
  [
    'keys that rows have no use for',
    thing('child: true\n→naming: uuid\n→title: a\nfields: {a: {type: data}}'),
    'means nothing for rows of tables (child: true); remove naming',
    'means nothing for rows of tables (child: true); remove title',
  ],
  [
    'shared rows whose currency the record lacks',
    [
      child('fields: {a: {type: currency, currency: currency}}'),
      thing('fields:\n  rows: {type: table, options: →Line}'),
    ],
    "the rows' field a has its currency in currency, which this DocType lacks",
  ],
])

scenarios('a link to nowhere is reported at its place:', [
  [
    'to an unknown DocType',
    [thing('fields: {}', 'Customer'), thing('fields:\n  a: {type: link, options: →Custmer}')],
    'no DocType "Custmer"; did you mean Customer?',
  ],
  [
    'to a DocType of rows',
    [child('fields: {a: {type: data}}'), thing('fields:\n  a: {type: link, options: →Line}')],
    'Line has child: true, so it has no records to name; expected a DocType with records, or Doctype.table',
  ],
  [
    'to rows by their name',
    thing(
      'fields:\n  a: {type: link, options: →Thing Row}\n  rows: {type: table, fields: {b: {type: data}}}',
    ),
    '"Thing Row" are rows of a table; write Thing.rows',
  ],
  [
    'to an unknown table',
    thing(
      'fields:\n  a: {type: link, options: →Thing.row}\n  rows: {type: table, fields: {b: {type: data}}}',
    ),
    'Thing has no table "row"; expected one of rows',
  ],
  [
    'to a field that is no table',
    thing('fields:\n  a: {type: link, options: →Thing.b}\n  b: {type: data}'),
    'Thing has no table "b"; expected a DocType with tables',
  ],
  [
    'from a row',
    thing(
      'fields:\n  rows:\n    type: table\n    fields:\n      a: {type: link, options: →Nowhere}',
    ),
    'no DocType "Nowhere"',
  ],
  [
    'a dynamic link by an unknown field',
    thing('fields:\n  kind: {type: data}\n  a: {type: dynamic_link, options: →kinds}'),
    'no field "kinds"; did you mean kind?',
  ],
  [
    'a dynamic link by a number',
    thing('fields:\n  kind: {type: int}\n  a: {type: dynamic_link, options: →kind}'),
    'a field of the type int cannot name a DocType (expected text), got "kind"',
  ],
  [
    'fetch through an unknown link',
    thing(
      'fields:\n  a: {type: data, fetch: →custmer.label}\n  customer: {type: link, options: Thing}',
    ),
    'no field "custmer"; did you mean customer?',
  ],
  [
    'fetch through what is no link',
    thing('fields:\n  a: {type: data, fetch: →b.label}\n  b: {type: data}'),
    'expected a link to a record before the dot, got b (data)',
  ],
  [
    'fetch of an unknown field',
    thing(
      'fields:\n  a: {type: data, fetch: →other.subjekt}\n  other: {type: link, options: Thing}\n  subject: {type: data}',
    ),
    'Thing has no field "subjekt"; did you mean subject?',
  ],
  [
    'fetch without a dot',
    thing('fields:\n  a: {type: data, fetch: →other}'),
    'expected text like ^[a-z][a-z0-9_]*\\.[a-z][a-z0-9_]*$, got "other"',
  ],
  [
    'a rollup from nowhere',
    thing('fields:\n  a: {type: int, rollup: {from: →Nowhere, match: b, count: true}}'),
    'no DocType "Nowhere"',
  ],
  [
    'a rollup from an unknown table',
    thing('fields:\n  a: {type: int, rollup: {from: →Thing.rows, match: b, count: true}}'),
    'Thing has no table "rows"; expected a DocType with tables',
  ],
  [
    'a lookup from nowhere',
    thing('fields:\n  a: {type: int, lookup: {from: →Nowhere, match: b, value: c}}'),
    'no DocType "Nowhere"',
  ],
  [
    'a lookup of an unknown field',
    thing('fields:\n  a: {type: int, lookup: {from: Thing, match: a, value: →beta}}'),
    'Thing has no field "beta"',
  ],
  [
    'a lookup from a table that is none',
    thing('fields:\n  a: {type: int, lookup: {from: →Thing.rows, where: b, value: c}}'),
    'Thing has no table "rows"; expected a DocType with tables',
  ],
  [
    'a lookup of a field that the rows lack',
    thing(
      'fields:\n  a: {type: int, lookup: {from: Thing.rows, where: "true", value: →bota}}\n  rows: {type: table, fields: {beta: {type: int}}}',
    ),
    'no field "bota"; did you mean beta?',
  ],
  [
    'a lookup of a field that the record of the rows lacks',
    thing(
      'fields:\n  a: {type: int, lookup: {from: Thing.rows, where: "true", value: beta, latest: →document.beta}}\n  rows: {type: table, fields: {beta: {type: int}}}',
    ),
    'Thing has no field "beta"',
  ],
  [
    'a lookup of two things',
    thing(
      'fields:\n  a: {type: int, →lookup: {from: Thing, where: "true", value: a, count: true}}',
    ),
    'needs one of value, sum, min, max or count: true, got value and count',
  ],
  [
    'a lookup of nothing',
    thing('fields:\n  a: {type: int, →lookup: {from: Thing, match: a}}'),
    'needs one of value, sum, min, max or count: true, got none',
  ],
  [
    'a lookup that adds up one record',
    thing('fields:\n  a: {type: int, lookup: {from: Thing, →match: a, sum: a}}'),
    'names one record, and sum is over all of a where',
  ],
  [
    'a lookup that adds up without a condition',
    thing('fields:\n  a: {type: int, →lookup: {from: Thing, sum: a}}'),
    'needs where',
  ],
  [
    'a lookup of the latest sum',
    thing('fields:\n  a: {type: int, lookup: {from: Thing, where: "true", sum: a, →latest: a}}'),
    'means nothing with sum; remove it',
  ],
  [
    'a lookup that counts into a text',
    thing('fields:\n  a: {type: data, lookup: {from: Thing, where: "true", count: →true}}'),
    'count needs a field of numbers, got data',
  ],
  [
    'a unique field that is none',
    thing('fields: {alpha: {type: int}}\nunique: [{fields: [alpha, →beta]}]'),
    'no field "beta"',
  ],
  [
    'a unique table',
    thing(
      'fields:\n  alpha: {type: table, fields: {b: {type: int}}}\nunique: [{fields: [→alpha]}]',
    ),
    'a field of the type table cannot be unique, got "alpha"',
  ],
  [
    'unique texts that fit no index',
    thing(
      'fields: {alpha: {type: data, length: 400}, beta: {type: data, length: 300}}\nunique: [{fields: →[alpha, beta]}]',
    ),
    'too long texts for an index, 700 characters together; give them a length, at most 600 in all',
  ],
  ['records made of nothing', thing('fields: {}\nupsert_from: →Nowhere'), 'no DocType "Nowhere"'],
  [
    'mirror rows of nothing',
    thing('fields: {}\nledger: {keep_date: [→Nowhere]}'),
    'no DocType "Nowhere"',
  ],
])

scenarios('a mistake in the DocType is reported at its place:', [
  [
    'an unknown token of naming',
    thing('naming: →"T-{YYY}-{###}"\nfields: {}'),
    'bad naming: has the unknown token {YYY}; did you mean {YYYY}? (expected {YYYY} {YY} {MM} {DD} {WW}, a field, or {###})',
  ],
  [
    'an unclosed token',
    thing('naming: →"T-{YYYY"\nfields: {}'),
    'bad naming: has a { without its } in "T-{YYYY"',
  ],
  [
    'two counters',
    thing('naming: →"{##}-{##}"\nfields: {}'),
    'bad naming: has two counters; expected one {###}',
  ],
  [
    'a naming that is none',
    thing('naming: →uid\nfields: {}'),
    'bad naming: expected a naming, got "uid"; did you mean uuid?',
  ],
  [
    'an unknown field in naming',
    thing('naming: →"T-{citty}-{###}"\nfields: {city: {type: data}}'),
    'no field "citty"; did you mean city?',
  ],
  ['naming by an unknown field', thing('naming: →field:code\nfields: {}'), 'no field "code"'],
  [
    'naming by a field that may be unset',
    thing('naming: →field:code\nfields: {code: {type: data}}'),
    'records are named by code, so it has to be required: true',
  ],
  [
    'naming by rows',
    thing('naming: →"{rows}-{#}"\nfields: {rows: {type: table, fields: {a: {type: data}}}}'),
    'a field of the type table cannot be part of a name, got "rows"',
  ],
  ['an unknown title', thing('title: →labl\nfields: {labels: {type: data}}'), 'no field "labl"'],
  [
    'a title that is a number',
    thing('title: →a\nfields: {a: {type: int}}'),
    'a field of the type int cannot be the title (expected text), got "a"',
  ],
  [
    'an unknown field of search',
    thing('search: [a, →beta]\nfields: {a: {type: data}}'),
    'no field "beta"',
  ],
  [
    'a field that cannot be searched',
    thing('search: [→a]\nfields: {a: {type: date}}'),
    'a field of the type date cannot be searched, got "a"',
  ],
  ['an unknown column', thing('list: [name, →bb]\nfields: {a: {type: data}}'), 'no field "bb"'],
  [
    'a column of long texts',
    thing('list: [→a]\nfields: {a: {type: html}}'),
    'a field of the type html cannot be a column of the list, got "a"',
  ],
  [
    'a password as a column',
    thing('list: [→a]\nfields: {a: {type: password}}'),
    'a field of the type password cannot be a column of the list, got "a"',
  ],
  [
    'an arrow of a flow that is for no list of roles',
    thing('fields: {}\nstatus: {field: status, initial: Open, flow: {Open: {Done: →Clerk}}}'),
    'expected a list, got "Clerk"',
  ],
  [
    'a status outside its flow',
    thing('fields: {}\nstatus: {field: status, initial: →New, flow: {Open: [Done], Done: []}}'),
    'expected one of the states of flow (Open, Done), got "New"',
  ],
  [
    'a state of cancelled documents where none are submitted',
    thing('fields: {}\nstatus: {field: status, initial: Open, flow: {Open: []}, →cancelled: Gone}'),
    'is for a chosen status (flow) of a submittable DocType; remove it',
  ],
  [
    'what nothing was taken for taken anew',
    thing('fields:\n  a: {type: int}\n  b: {type: int, →renew: a != old.a}'),
    'is for fields with default, fetch, lookup or call; remove it',
  ],
  [
    'a derived status that moves',
    thing('fields: {}\nstatus: {field: status, derive: {Open: "true"}, →moves: {Done: "true"}}'),
    'is for a chosen status (flow); remove it',
  ],
  [
    'a link to others that shall never lead back',
    thing(
      'fields:\n  thing: {type: link, options: Thing}\n  other: {type: link, options: Thing.rows, →acyclic: true}\n  rows: {type: table, fields: {a: {type: int}}}',
    ),
    'is for links to Thing itself; remove it',
  ],
  [
    'what a record takes that names no row',
    thing('fields:\n  other: {type: link, options: Thing, →takes: {action: make}}'),
    'is for links of a table to rows of another (Doctype.table); remove it',
  ],
  [
    'what rows take of an action that is not there',
    thing(
      'fields:\n  rows: {type: table, fields: {a: {type: link, options: Thing.rows, takes: {action: →make}}}}',
    ),
    'Thing has no action make that creates a Thing',
  ],
  [
    'records that belong to what is no field',
    thing('fields:\n  depot: {type: link, options: Thing}\nbelongs_to: →dpot'),
    'no field "dpot"; did you mean depot?',
  ],
  [
    'records that belong to what is no record',
    thing('fields:\n  depot: {type: data}\nbelongs_to: →depot'),
    'a field of the type data cannot say what a record belongs to (expected a link to a record), got "depot"',
  ],
  [
    'a condition of the rows of a field that is no table',
    thing('fields: {a: {type: int}}\nvalidate: [{each: →a, check: "true", field: a, message: no}]'),
    'a field of the type int cannot be gone through (expected a table), got "a"',
  ],
  [
    'a condition of rows about a field that is no column',
    thing(
      'fields: {a: {type: int}, rows: {type: table, fields: {b: {type: int}}}}\nvalidate: [{each: rows, check: b > 0, field: →a, message: no}]',
    ),
    'no field "a"; did you mean b?',
  ],
  [
    'rows that must differ in what is no column',
    thing(
      'fields: {a: {type: int}, rows: {type: table, fields: {b: {type: int}}}}\nvalidate: [{each: rows, unique: [→a], field: b, message: no}]',
    ),
    'no field "a"; did you mean b?',
  ],
  [
    'records that must differ as if they were rows',
    thing('fields: {a: {type: int}}\nvalidate: [→{unique: [a], field: a, message: no}]'),
    'needs either check, or each and unique',
  ],
  [
    'a status field that lacks states',
    thing(
      'fields:\n  status: {type: select, options: →[Open]}\nstatus: {field: status, initial: Open, flow: {Open: [Done]}}',
    ),
    'lacks the states Done of the status; leave options out to have them all',
  ],
  [
    'a status field that is no select',
    thing('fields:\n  status: {type: →data}\nstatus: {field: status, derive: {Open: "true"}}'),
    'the field of the status holds one of its states; expected select, got data',
  ],
  [
    'a validation about an unknown field',
    thing(
      'fields: {total: {type: int}}\nvalidate:\n  - {check: total > 0, field: →totl, message: no}',
    ),
    'no field "totl"; did you mean total?',
  ],
  [
    'a ledger of unknown fields',
    thing('fields: {debit: {type: currency}}\nledger: {balance: [debit, →credt]}'),
    'no field "credt"',
  ],
  [
    'a tree by what is no link',
    thing('tree: →up\nfields: {up: {type: data}}'),
    'a field of the type data cannot lead to the record above (expected a link to a record), got "up"',
  ],
  [
    'a tree by a link to something else',
    [
      thing('tree: →up\nfields: {up: {type: link, options: Other}}'),
      thing('fields: {a: {type: int}}', 'Other'),
    ],
    'expected a link to Thing itself, got one to Other',
  ],
  [
    'a board by a text, and a sum of texts',
    thing('fields: {a: {type: data}}\nviews: {board: {by: →a, card: [a, →b], sum: →a}}'),
    'a field of the type data cannot be the columns of a board (expected a select, a check or a link), got "a"',
    'no field "b"; did you mean a?',
    'a field of the type data cannot be added up (expected a number), got "a"',
  ],
  [
    'a calendar of numbers',
    thing('fields: {a: {type: int}}\nviews: {calendar: {start: →a, end: →a}}'),
    'a field of the type int cannot say when something is (expected a date or a datetime), got "a"',
    'a field of the type int cannot say when something is (expected a date or a datetime), got "a"',
  ],
  [
    'a view that there is not',
    thing('fields: {a: {type: int}}\nviews: {→kanban: {by: a}}'),
    'unknown key kanban; expected one of board calendar',
  ],
  [
    'an event with unknown data',
    thing('fields: {}\nevents:\n  made: {trigger: create, data: [name, →nam]}'),
    'no field "nam"; did you mean name?',
  ],
  [
    'an event that tells a secret',
    thing(
      'fields: {pin: {type: password}}\nevents:\n  made: {trigger: create, data: [name, →pin]}',
    ),
    'a field of the type password cannot be told of in an event, got "pin"',
  ],
  [
    'an event whose data hides a field',
    thing('fields: {a: {type: int}}\nevents:\n  made: {trigger: create, data: {b: a, →a: a + 1}}'),
    'is a field of the record already, which the event carries; choose another key',
  ],
  [
    'an event whose data hides the id',
    thing('fields: {a: {type: data}}\nevents:\n  made: {trigger: create, data: {→id: a}}'),
    'is a field of the record already, which the event carries; choose another key',
  ],
  [
    'an event whose data has a key that is no name',
    thing('fields: {a: {type: int}}\nevents:\n  made: {trigger: create, data: {→Bad Key: a}}'),
    'expected a name of small letters, digits and _ (at most 50), got "Bad Key"',
  ],
])

scenarios('a mistake in what is handed over is reported at its place:', [
  [
    'a link that is to nobody, and a state there is not',
    thing(
      'fields:\n  a: {type: link, options: Thing}\nstatus: {field: status, initial: Open, flow: {Open: [Done], Done: []}}\npermissions: {hand_over: {a: →[Open, →Opn]}}',
    ),
    'a field of the type link cannot be handed over (expected a link to the people of the workspace that may be changed), got "a"',
    "expected a state of the record's status (Open, Done), got Opn",
  ],
])

scenarios('a clash of names is reported at its place:', [
  [
    'the same DocType twice',
    [thing('fields: {}'), thing('fields: {}').replace('Thing', '→Thing')],
    'Thing is already declared in a.yaml; remove one, or extend it with extend: true',
  ],
  [
    'a service that another DocType has',
    [
      thing('serves: roles\nfields:\n  role_name: {type: data}'),
      thing('serves: →roles\nfields:\n  role_name: {type: data}').replace('Thing', 'Other'),
    ],
    'Thing serves roles already',
  ],
  [
    'a reserved slug',
    thing('fields: {}').replace('Thing', '→Event'),
    'the slug events is taken by the API itself; give the DocType another one with resource:',
  ],
  [
    'a reserved slug by resource',
    thing('resource: →api-keys\nfields: {}'),
    'the slug api-keys is taken by the API itself; give the DocType another one with resource:',
  ],
  [
    'a slug of the system tables',
    thing('resource: →svc-things\nfields: {}'),
    'the slug svc-things is taken by the API itself; give the DocType another one with resource:',
  ],
  [
    'a reserved alias',
    thing('aliases: [stuff, →tiers]\nfields: {}'),
    'the slug tiers is taken by the API itself; give the DocType another one with resource:',
  ],
  [
    'the slug of another',
    [thing('fields: {}', 'Box'), thing('resource: →boxes\nfields: {}')],
    'the slug boxes is already that of Box (a.yaml); choose another with resource:',
  ],
  [
    'an alias that is the slug of another',
    [thing('fields: {}', 'Box'), thing('aliases: [→boxes]\nfields: {}')],
    'the slug boxes is already that of Box (a.yaml); choose another with resource:',
  ],
  [
    'the alias of another',
    [thing('aliases: [stuff]\nfields: {}', 'Box'), thing('aliases: [→stuff]\nfields: {}')],
    'the slug stuff is already that of Box (a.yaml); choose another with resource:',
  ],
  [
    'a slug that is no slug',
    thing('resource: →My_Things\nfields: {}'),
    'expected text like ^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$, got "My_Things"',
  ],
  [
    'nothing to extend',
    thing('extend: true\nfields: {}').replace('Thing', '→Thimg'),
    'no DocType "Thimg" to extend',
  ],
])

const all = suite('the mistakes of all files')

all('come at once, sorted by file, line and column, each once', () => {
  const a = thing(
    'fields:\n  b: {type: dat}\n  a: {type: link, options: Nowhere}\nsubmitable: true',
  )
  const b = thing('naming: field:x\nfields:\n  owner: {type: data, default: 5}', 'Other')
  assert.equal(
    mistakesOf([
      { path: 'z.yaml', text: b },
      { path: 'a.yaml', text: a },
    ]).map((line) => line.slice(0, 40)),
    [
      'a.yaml:5:13: expected one of data small_',
      'a.yaml:6:28: no DocType "Nowhere"',
      'a.yaml:7:1: unknown key submitable; did ',
      'z.yaml:4:9: no field "x"',
      'z.yaml:6:3: a field cannot be called own',
      'z.yaml:6:32: bad default: expected text,',
    ],
  )
})

all('are not followed by complaints about what they made unreadable', () => {
  const broken = thing(
    'fields:\n  code: {type: dta}\n  total: {type: flot}\ntitle: code\nsearch: [code]\nlist: [total]',
    'Broken',
  )
  const user = thing(
    'fields:\n  b: {type: link, options: Broken}\n  c: {type: data, fetch: b.code}',
  )
  assert.equal(
    mistakesOf([
      { path: 'a.yaml', text: broken },
      { path: 'b.yaml', text: user },
    ]).map((line) => line.slice(0, 12)),
    ['a.yaml:5:16:', 'a.yaml:6:17:'],
  )
})

all('of an overlay stand in the overlay, those of the base in the base', () => {
  const base = thing('fields:\n  a: {type: int, default: 1}')
  const overlay =
    'doctype: Thing\nextend: true\nfields:\n  a: {default: 1.5}\n  b: {type: link, options: No}\n'
  assert.equal(
    mistakesOf([
      { path: 'base.yaml', text: base },
      { path: 'over.yaml', text: overlay },
    ]),
    [
      'over.yaml:4:16: bad default: expected a whole number, got 1.5',
      'over.yaml:5:28: no DocType "No"',
    ],
  )
})

all.run()
