import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SHIPPED_DOCTYPES } from '../../cli/package.ts'
import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { createDocument } from '../../engine/documents/operations/create.ts'
import { openEngine } from '../../engine/index.ts'
import { hooks } from '../../hooks/index.ts'
import { writeDoctypes } from '../engine/documents/workspace.ts'
import { prepareData } from '../helpers/prepared.ts'
import { runHere } from './in-process.ts'
import { type Folder, temporaryFolder } from './process.ts'

const DOCTYPES = `
doctype: Basket
module: crm
tier: free
naming: prompt
fields:
  eggs: {type: int, rollup: {from: Egg, match: basket, count: true}}
  worth: {type: currency, formula: eggs * 0.5}
---
doctype: Egg
module: crm
tier: free
naming: "EGG-{###}"
fields:
  basket: {type: link, options: Basket}
`

const explain = suite('svc explain')
let folder: Folder
let doctypes = ''
let where: string[] = []

explain.before(async () => {
  folder = temporaryFolder()
  await prepareData(folder.path)
  doctypes = writeDoctypes(DOCTYPES)
  where = ['--data', folder.path, '--doctypes', doctypes]
  assert.is((await runHere(['migrate', ...where])).code, 0)
  const engine = await openEngine({
    hooks,
    database: { kind: 'sqlite', file: join(folder.path, 'workspace.db') },
    doctypes: [SHIPPED_DOCTYPES, doctypes],
    secretKey: Buffer.alloc(32),
  })
  const context = engine.context(SYSTEM_ACTOR, 'free')
  const { registry } = engine.services
  await createDocument(context, registry.byDoctype('Basket')!, { name: 'Blue' })
  for (const basket of ['Blue', 'Blue'])
    await createDocument(context, registry.byDoctype('Egg')!, { basket })
  await engine.close()
})
explain.after(() => {
  rmSync(doctypes, { recursive: true })
  folder.remove()
})

explain('prints a tree', async () => {
  const { code, stdout } = await runHere(['explain', 'baskets/Blue', 'worth', ...where])
  assert.is(code, 0)
  assert.is(
    stdout,
    `worth = 1
│ formula, doctype-0.yaml:7: eggs * 0.5
└─ eggs = 2
   │ rollup, doctype-0.yaml:6: from: Egg, match: basket, count: true
   ├─ eggs/EGG-001: 1
   └─ eggs/EGG-002: 1
`,
  )
})

explain('prints what the API answers as JSON', async () => {
  const { code, stdout } = await runHere([
    ...['explain', 'baskets/Blue', 'worth', '--depth', '1', '--json'],
    ...where,
  ])
  assert.is(code, 0)
  const { value, how, inputs } = JSON.parse(stdout)
  assert.equal([value, how], [1, 'formula'])
  assert.equal(inputs, [{ field: 'eggs', label: 'Eggs', value: 2 }])
})

explain('says what is wrong with what it was given', async () => {
  for (const [args, said, status] of [
    [['baskets', 'worth'], 'expected a resource and an id', 2],
    [['basket/Blue', 'worth'], 'did you mean baskets?', 2],
    [['baskets/Blue', 'wort'], 'did you mean worth?', 1],
    [['baskets/Red', 'worth'], 'does not exist', 1],
    [['baskets/Blue', 'worth', '--depth', '9'], 'expected a number from 1 to 5', 2],
  ] as const) {
    const { code, stderr } = await runHere(['explain', ...args, ...where])
    assert.equal([code, stderr.split('\n').length], [status, 2], stderr)
    assert.match(stderr, said)
  }
})

explain.run()
