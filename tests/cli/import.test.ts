import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { importPlace } from './import-place.ts'
import { VOYAGES } from './voyages.ts'

const importing = suite('svc import')
const { data, file, run, exported, values } = importPlace(importing, VOYAGES)

importing(
  'reads a table: labels, tables side by side, continuation lines, every kind of cell',
  async () => {
    await run(
      'captains',
      file('captains.jsonl', '{"name":"C1","full_name":"Ann Lee"}\n{"id":"C2"}\n'),
    )
    const table = file(
      'voyages.csv',
      [
        '\ufeffTitle;captain;tonnage;price;sails_on;Mood;Is Fast;notes;extra;legs.port;Legs.Days;legs.pilot;crew.hand;crew.wage;leg_count',
        'First;Ann Lee;0.125;999999999999.99;2026-02-28;calm;no;"a ""b""\nc";"{""a"":[1]}";Rome;3;C2;Bo;12.5;7',
        ';;;;;;;;;Oslo;;Ann Lee;;;',
        ';;;;;;;;;;;;Cy;;',
        '',
        'Second;;;;;;;;;;;;;;',
      ].join('\r\n'),
    )
    const { code, stdout, stderr } = await run('voyages', table)
    assert.is(code, 0, stderr)
    assert.is(stdout, '2 created\n')
    assert.is(stderr, 'not imported, the workspace sets it: leg_count\n')
    const fields = [
      'id',
      'title',
      'captain',
      'tonnage',
      'price',
      'sails_on',
      'mood',
      'is_fast',
      'notes',
    ]
    assert.equal(await values('voyages', ...fields, 'extra', 'legs', 'crew', 'leg_count'), [
      [
        ...['VOY-0001', 'First', 'C1', 0.125, 999999999999.99, '2026-02-28', 'Calm', false],
        'a "b"\nc',
        { a: [1] },
        [
          ['Rome', 3, 'C2'],
          ['Oslo', null, 'C1'],
        ],
        [
          ['Bo', 12.5],
          ['Cy', null],
        ],
        2,
      ],
      ['VOY-0002', 'Second', null, null, null, null, null, true, null, null, [], [], 0],
    ])
  },
)

importing('takes rows as JSON in one cell, and lists of JSON as the API has them', async () => {
  const table = file('voyages.csv', 'title,legs\nA,"[{""port"":""Rome"",""days"":2}]"\nB,\nC,[\n')
  const done = await run('voyages', table)
  assert.is(done.code, 1)
  assert.match(
    done.stderr,
    `${table}:4: legs: expected a list of rows as JSON, [{…}, …], got "["\n`,
  )
  const list = file('more.json', '[{"title":"D","legs":[{"port":"Kiel"}]},\n{"titl":"E"}, 7]')
  const more = await run('voyages', list)
  assert.match(more.stderr, `${list}:2: titl: unknown field; did you mean title?\n`)
  assert.match(more.stderr, `${list}:2: title: is required\n`)
  assert.match(more.stderr, `${list}:2: expected an object of fields, {…}, got 7\n`)
  assert.equal(await values('voyages', 'title', 'legs'), [
    ['A', [['Rome', 2, null]]],
    ['B', []],
    ['D', [['Kiel', null, null]]],
  ])
})

importing(
  'imports the good rows, names each bad one by line and field, and keeps it whole',
  async () => {
    const rows = [
      'title,notes,tonnage,sails_on,captain,legs.port,legs.days',
      'good,"two\nlines",1,,,,',
      'bad number,,1.5e,31.12.2026,,,',
      'bad row,,,,,Rome,1',
      ',,,,,Oslo,-1',
      'bad link,,,,Nobody,Rome,x',
      'uneven,,',
      'also good,,,,,Rome,2',
    ]
    const table = file('voyages.csv', rows.join('\n'))
    const done = await run('voyages', table, '--json')
    assert.is(done.code, 1)
    const { errors, error_file, ...counts } = JSON.parse(done.stdout)
    assert.equal(counts, {
      ...{ created: 2, updated: 0, unchanged: 0, submitted: 0, failed: 4, dry_run: false },
    })
    assert.equal(errors, [
      { line: 4, field: 'tonnage', message: 'expected a number, got "1.5e"' },
      { line: 4, field: 'sails_on', message: 'expected a day as YYYY-MM-DD, got "31.12.2026"' },
      { line: 6, field: 'legs[1].days', message: 'expected at least 0, got -1' },
      { line: 7, field: 'legs[0].days', message: 'expected a whole number, got "x"' },
      {
        line: 7,
        field: 'captain',
        message: 'expected the name or full_name of an existing Captain, got "Nobody"',
      },
      { line: 8, field: '', message: 'expected 7 cells, got 3' },
    ])
    for (const { line, field, message } of errors)
      assert.match(done.stderr, `${table}:${line}: ${field === '' ? '' : `${field}: `}${message}\n`)
    assert.equal(await values('voyages', 'title'), [['good'], ['also good']])

    assert.is(error_file, join(data, 'voyages.errors.csv'))
    const kept = readFileSync(error_file, 'utf8')
    assert.match(kept, /^_line,_error,title,notes,/)
    assert.match(
      kept,
      '\r\n5,"legs[1].days: expected at least 0, got -1",bad row,,,,,Rome,1\r\n,,,,,,,Oslo,-1\r\n',
    )
    const again = await run('voyages', table)
    assert.is(again.code, 1)
    assert.match(again.stderr, `${error_file} is there from an earlier import`)

    const mended = kept
      .replace('1.5e,31.12.2026', '1.5,2026-12-31')
      .replace(',Oslo,-1', ',Oslo,1')
      .replace('Nobody,Rome,x', ',Rome,1')
      .replace('uneven,,', 'uneven,,,,,,')
    const second = await run('voyages', file('voyages.errors.csv', mended))
    assert.is(second.stdout, '4 created\n', second.stderr)
    assert.is((await exported('voyages')).length, 6)
  },
)

importing('tells a terminal of ten bad rows and counts the others', async () => {
  const rows = Array.from({ length: 300 }, (_, at) => `t${at},many`)
  const done = await run('voyages', file('many.csv', ['title,tonnage', ...rows].join('\n')))
  assert.is(done.stdout, '0 created, 300 failed\n')
  const lines = done.stderr.trimEnd().split('\n')
  assert.is(lines.length, 12)
  assert.is(lines[10], '… and 290 more')
  assert.is(readFileSync(join(data, 'many.errors.csv'), 'utf8').split('\r\n').length, 302)
})

importing('imports what stands before a broken end and says where it breaks off', async () => {
  for (const [name, text, line] of [
    ['open.csv', 'title\na\n"b\nc\n', 3],
    ['cut.json', '[{"title":"d"},\n\n{"title":', 3],
    ['cut.jsonl', '{"title":"e"}\n{"title":', 2],
  ] as const) {
    const path = file(name, text)
    const { code, stdout, stderr } = await run('voyages', path)
    assert.is(code, 1)
    assert.is(stdout, '1 created, 1 failed\n')
    assert.match(stderr, `${path}:${line}: `)
  }
  assert.equal(await values('voyages', 'title'), [['a'], ['d'], ['e']])
  const rows = file('rows.csv', 'title,legs.port\nf,Rome\ng,Kiel\n,"Oslo\n')
  assert.match((await run('voyages', rows)).stderr, `${rows}:3: the file breaks off behind it`)
  assert.equal((await values('voyages', 'title', 'legs')).at(-1), ['f', [['Rome', null, null]]])
})

importing('stops before the first row for columns and files that cannot be meant', async () => {
  for (const [name, text, why] of [
    ['a.csv', 'titl,title\nx,y\n', 'unknown column "titl"; did you mean title?'],
    ['b.csv', 'title,legs.prt\nx,y\n', 'unknown column "legs.prt"; did you mean legs.port?'],
    ['c.csv', 'title,Title\nx,y\n', 'columns "title" and "Title" are the same field'],
    ['d.csv', 'title,legs,legs.port\nx,,\n', 'legs is there whole and as legs.… columns'],
    ['e.csv', '', 'the file is empty'],
    ['f.csv', '"title\nx\n', 'f.csv:1: a quoted cell that begins here is not closed'],
    ['g.json', '{"title":"x"}', 'g.json:1: expected a list of records'],
    ['h.csv', Buffer.from('title\nx\nGr\xfc\xdfe\n', 'latin1'), 'is not UTF-8'],
    ['i.csv', Buffer.from('\ufefftitle\nx\n', 'utf16le'), 'is UTF-16, expected UTF-8'],
  ] as const) {
    const { code, stderr } = await run('voyages', file(name, text))
    assert.is(code, 1, name)
    assert.match(stderr, why)
  }
  const good = file('good.csv', 'title\nx\n')
  for (const [args, why] of [
    [['voyage', good], 'did you mean voyages?'],
    [['voyages', join(data, 'good')], '--format: expected csv, json, jsonl'],
    [['voyages', good, '--key', 'title'], '--key: only --upsert'],
    [['captains', good, '--submit'], '--submit: Captains are not submitted'],
    [['voyages', good, '--upsert', '--key', 'titel'], 'has no field "titel"'],
    [['voyages', file('z.csv', 'notes\nx\n'), '--upsert'], 'no id and no unique field'],
  ] as const) {
    const { code, stderr } = await run(...args)
    assert.is(code, 2, stderr)
    assert.match(stderr, why)
  }
  assert.match((await run('gl-entries', good)).stderr, 'are written by the workspace itself')
  assert.match(
    (await run('voyages', join(data, 'none.csv'))).stderr,
    /^svc: cannot read .*none\.csv: there is no such file or folder\n$/,
  )
  assert.equal(await exported('voyages'), [])
})

importing(
  'links to records of the same file, and says which titles are not one record',
  async () => {
    const table = file(
      'captains.csv',
      'name,full_name,mentor\nC1,Ann,\nC2,Bo,Ann\nC3,Cy,Bo\nC4,Cy,C3\nC5,Di,Cy\nC6,Ed,Fay\nC7,Fay,C1\n',
    )
    const dry = await run('captains', table, '--dry-run')
    assert.match(dry.stdout, 'nothing was changed; it would be: ')
    assert.equal(await exported('captains'), [])
    assert.not.ok(existsSync(join(data, 'captains.errors.csv')))
    const { stdout, stderr } = await run('captains', table)
    assert.is(stdout, '5 created, 2 failed\n')
    assert.match(
      stderr,
      '6: mentor: 2 Captains have the title "Cy" (C3, C4); expected the name of one',
    )
    assert.match(
      stderr,
      '7: mentor: expected the name or full_name of an existing Captain, got "Fay"',
    )
    assert.equal(await values('captains', 'id', 'mentor'), [
      ['C1', null],
      ['C2', 'C1'],
      ['C3', 'C2'],
      ['C4', 'C3'],
      ['C7', 'C1'],
    ])
  },
)

importing('a dry run finds what the real one would and leaves nothing', async () => {
  const table = file('voyages.csv', 'title,tonnage\na,1\nb,x\nc,\n')
  const dry = await run('voyages', table, '--dry-run', '--submit', '--json')
  const { created, submitted, failed, dry_run } = JSON.parse(dry.stdout)
  assert.equal([created, submitted, failed, dry_run], [2, 2, 1, true])
  await run('voyages', table)
  assert.equal(await values('voyages', 'id', 'title', 'docstatus'), [
    ['VOY-0001', 'a', 0],
    ['VOY-0002', 'c', 0],
  ])
})

importing('submits what it creates, or leaves neither', async () => {
  const table = file('voyages.csv', 'title,captain\na,\nb,Nobody\n')
  assert.is((await run('voyages', table, '--submit')).stdout, '1 created, 1 submitted, 1 failed\n')
  assert.equal(await values('voyages', 'title', 'docstatus'), [['a', 1]])
  const changed = await run(
    'voyages',
    file('v2.csv', 'title,notes\na,new\n'),
    '--upsert',
    '--submit',
  )
  assert.match(changed.stderr, 'cancel and amend it')
  const same = await run('voyages', file('v3.csv', 'title\na\n'), '--upsert', '--submit')
  assert.is(same.stdout, '0 created, 1 unchanged\n')
})

importing.run()
