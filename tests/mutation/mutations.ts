/** One text that a mutation replaces; it has to stand in the file once. */
export interface Edit {
  readonly file: string
  readonly find: string
  readonly replace: string
}

/** A guard that is taken away. */
export interface Mutation {
  /** What nobody would be kept from then. */
  readonly why: string
  readonly edits: readonly Edit[]
  /** Test files of which one has to fail, the fastest first; without `.test.ts`. */
  readonly tests: readonly string[]
}

const MATRIX = 'tests/security/authorization-matrix'
const RIGHTS = 'tests/security/rights-matrix'
const ROWS = 'tests/security/row-conditions'

type Change = readonly [find: string, replace: string]
type Guard = readonly [why: string, change: Change | readonly Edit[], test: string]

/** Where a route and the engine behind it both ask, both are taken away. */
const CALL = 'server/v1/call.ts'
const withCall = (file: string, find: string): readonly Edit[] => [
  { file: CALL, find: '  assertCan(context, definition, action)\n', replace: '' },
  { file, find, replace: '' },
]

/** Every guard by the file it stands in. */
const GUARDS: Readonly<Record<string, readonly Guard[]>> = {
  'engine/access/actor.ts': [
    [
      'everybody is a System Manager',
      ['return roles.includes(SYSTEM_MANAGER)', 'return roles.length >= 0'],
      ROWS,
    ],
    [
      'every scope is enough',
      ['return actor.scope !== undefined && SCOPES', 'return needed !== undefined || SCOPES'],
      RIGHTS,
    ],
  ],
  'engine/access/can.ts': [
    [
      'every tier is open',
      [`if (rights.actor.kind !== 'system' && !unlocks(`, `if (rights === undefined && !unlocks(`],
      RIGHTS,
    ],
    [
      'people and roles need no scope admin',
      ["  if (MANAGED.has(definition.serves)) assertManager(actor, 'admin', what)\n", ''],
      RIGHTS,
    ],
    [
      'records need no scope',
      [`  assertScope(actor, SCOPE_OF_ACTION[action] ?? 'write', what)\n`, ''],
      RIGHTS,
    ],
    [
      'ledgers are written by anybody',
      [
        'if (isWrite(action) && isKeptByEngine(definition)) {',
        'if (isWrite(action) && what === undefined) {',
      ],
      RIGHTS,
    ],
    [
      'records need no role',
      [
        'if (!isManager(actor) && grantingRoles(rights, definition, action).length === 0)',
        'if (what === undefined)',
      ],
      ROWS,
    ],
    ['a write key deletes', [`  delete: 'admin',`, `  delete: 'write',`], MATRIX],
    [
      'a guest is told of scopes',
      [`  if (actor.kind === 'guest') {\n    throw`, `  if (what === undefined) {\n    throw`],
      MATRIX,
    ],
    ['no scope is asked', ['if (!hasScope(actor, needed)) {', 'if (what === undefined) {'], RIGHTS],
    ['no role System Manager is asked', ['  if (isManager(actor)) return\n', '  return\n'], MATRIX],
    [
      'the catalogue shows what one may not read',
      [
        `  return passes(() => assertMay(rights, definition, 'read'))`,
        '  return passes(() => undefined)',
      ],
      RIGHTS,
    ],
  ],
  'engine/access/roles.ts': [
    [
      'every role runs actions',
      [
        `return action.startsWith('action:') && granted.has('action')`,
        `return action.startsWith('action:')`,
      ],
      RIGHTS,
    ],
    [
      'permissions of a DocType do not count',
      ['declaredGrants(definition) ?? modules', 'modules'],
      RIGHTS,
    ],
    [
      'a right is every right',
      [
        `if (granted.has('all') || granted.has(action)) return true`,
        'if (granted.size > 0) return true',
      ],
      RIGHTS,
    ],
  ],
  'engine/access/hidden-resources.ts': [
    [
      'events of what one may not read',
      [`!can(rights, one, 'read') || isLimited(rights, one)`, 'isLimited(rights, one)'],
      RIGHTS,
    ],
    [
      'events of records outside the condition',
      [`!can(rights, one, 'read') || isLimited(rights, one)`, `!can(rights, one, 'read')`],
      ROWS,
    ],
  ],
  'engine/documents/row-rights.ts': [
    [
      'no condition in any query',
      ['  if (!rules) return undefined\n', '  if (rules !== null) return undefined\n'],
      ROWS,
    ],
    [
      'no condition on a record that is read',
      [
        `  if (!meets(context, definition, doc, 'read')) throw recordNotFound(definition.label, doc.name)\n`,
        '',
      ],
      ROWS,
    ],
    [
      'who may read a record may change it',
      [`  if (action !== 'read') assertWrite(context, { definition }, doc, action)\n`, ''],
      ROWS,
    ],
    [
      'no condition on what is written',
      ['  if (meets(context, definition, doc, action)) return\n', '  return\n'],
      ROWS,
    ],
  ],
  'engine/documents/rights.ts': [
    [
      'has_permission does not ask for roles',
      ['  if (!can(context, definition, action)) return false\n', ''],
      RIGHTS,
    ],
    [
      'has_permission does not ask for the record',
      ['    assertRow(context, parts, doc, action)\n', ''],
      ROWS,
    ],
  ],
  'engine/documents/get.ts': [
    [
      'one record is read without a right',
      [`  assertCan(context, definition, 'read')\n`, ''],
      RIGHTS,
    ],
    [
      'one record is read outside the condition',
      [`  assertRow(context, parts, doc, 'read')\n`, ''],
      ROWS,
    ],
  ],
  'engine/documents/list.ts': [
    [
      'a list without a right',
      withCall('engine/documents/list.ts', `  assertCan(context, definition, 'read')\n`),
      ROWS,
    ],
    [
      'a list outside the condition',
      ['      readCondition(context, definition),\n', '      undefined,\n'],
      ROWS,
    ],
    [
      'a count of a search outside the condition',
      [
        'const isLimited = readCondition(context, definition) !== undefined',
        'const isLimited = false',
      ],
      ROWS,
    ],
  ],
  'engine/documents/locked.ts': [
    [
      'a change outside the condition',
      ['  if (work.depth === 0) assertRow(work.context, parts, doc, action)\n', ''],
      ROWS,
    ],
  ],
  'engine/documents/create.ts': [
    [
      'a create without a right',
      withCall('engine/documents/create.ts', `  assertCan(context, definition, 'create')\n`),
      RIGHTS,
    ],
    [
      'a create outside the condition',
      [`  assertWrite(work.context, parts, entry.current!, 'create')\n`, ''],
      ROWS,
    ],
  ],
  'engine/documents/update.ts': [
    ['a change without a right', [`  assertCan(context, definition, 'update')\n`, ''], RIGHTS],
    [
      'a change that leaves the condition',
      [`  assertWrite(work.context, parts, entry.current!, 'update')\n`, ''],
      ROWS,
    ],
  ],
  'engine/documents/save.ts': [
    [
      'surface A creates without a right',
      [`  assertCan(context, definition, 'create')\n`, ''],
      RIGHTS,
    ],
    [
      'surface A submits what it creates',
      [`  if (submit) {\n    assertCan(context, definition, 'submit')\n`, '  if (submit) {\n'],
      RIGHTS,
    ],
    [
      'surface A changes what it submits',
      [`  assertCan(context, definition, 'update')\n  assertCan`, '  assertCan'],
      RIGHTS,
    ],
    [
      'surface A submits what it changes',
      [`  assertCan(context, definition, 'submit')\n  const parts`, '  const parts'],
      RIGHTS,
    ],
  ],
  'engine/documents/submit.ts': [
    ['a submit without a right', [`  assertCan(context, definition, 'submit')\n`, ''], RIGHTS],
  ],
  'engine/documents/cancel.ts': [
    ['a cancel without a right', [`  assertCan(context, definition, 'cancel')\n`, ''], RIGHTS],
  ],
  'engine/documents/amend.ts': [
    ['an amendment without a right', [`  assertCan(context, definition, 'amend')\n`, ''], RIGHTS],
  ],
  'engine/documents/remove.ts': [
    ['a delete without a right', [`  assertCan(context, definition, 'delete')\n`, ''], RIGHTS],
  ],
  'engine/documents/act.ts': [
    [
      'an action without a right',
      [`  assertCan(context, definition, \`action:\${name}\`)\n`, ''],
      RIGHTS,
    ],
    [
      'people run what only the workspace runs',
      [
        `plan.declared.system === true && context.actor.kind !== 'system'`,
        'plan.declared === undefined',
      ],
      RIGHTS,
    ],
  ],
  'engine/documents/hidden-targets.ts': [
    [
      'a link to what one may not read',
      ['if (!readable.has(name)) hidden.add', 'if (name === undefined) hidden.add'],
      ROWS,
    ],
  ],
  'engine/documents/titles.ts': [
    [
      'titles of what one may not read',
      [`if (!target || !can(context, target, 'read')) return`, 'if (!target) return'],
      ROWS,
    ],
    ['titles outside the condition', ['  if (limit) query = query.where(limit)\n', ''], ROWS],
  ],
  'engine/documents/query-scope.ts': [
    ['surface A lists without a right', [`  assertCan(context, definition, 'read')\n`, ''], RIGHTS],
    ['surface A lists rows without a right', [`  assertCan(context, parent, 'read')\n`, ''], ROWS],
    [
      'surface A lists outside the condition',
      ['recordRoot(plan, readCondition(context, definition))', 'recordRoot(plan, undefined)'],
      ROWS,
    ],
    [
      'surface A lists rows outside the condition',
      ['[first, ...more], readCondition(context, parent))', '[first, ...more], undefined)'],
      ROWS,
    ],
    [
      'fields of a link without a right',
      [`        assertCan(context, target, 'read')\n`, ''],
      ROWS,
    ],
    [
      'fields of a link outside the condition',
      [
        'linkedSource(plan, link, alias, readCondition(context, target))',
        'linkedSource(plan, link, alias, undefined)',
      ],
      ROWS,
    ],
  ],
  'server/v1/call.ts': [
    [
      'kept answers go to who has lost the right',
      ['  assertCan(context, definition, action)\n', ''],
      RIGHTS,
    ],
  ],
  'server/idempotency.ts': [
    [
      'kept answers go to other callers',
      ['response.locals.actor.id', 'response.req.method'],
      RIGHTS,
    ],
  ],
  'server/v1/catalog.ts': [
    [
      'the catalogue lists everything',
      [
        'registry.all.filter((definition) => canSee(rights, definition))',
        'registry.all.filter(() => rights !== undefined)',
      ],
      RIGHTS,
    ],
    [
      'the catalogue describes everything',
      [
        'if (definition && !canSee(engine.context(actor, tier), definition)) throw',
        'if (definition && tier === undefined) throw',
      ],
      MATRIX,
    ],
  ],
  'server/v1/tiers.ts': [
    [
      'add-ons name everything',
      ['definition && canSee(rights, definition) ?', 'definition && rights ?'],
      RIGHTS,
    ],
    ['anybody subscribes', ['    assertMayBuy(actor)\n', ''], MATRIX],
  ],
  'server/v1/events.ts': [
    [
      'the event log lists everything',
      ['    hidden: hiddenFrom(services, response),\n', '    hidden: [],\n'],
      RIGHTS,
    ],
    [
      'one event is shown to anybody',
      ['if (!found || hiddenFrom(services, response).includes(found.resource))', 'if (!found)'],
      RIGHTS,
    ],
  ],
  'server/v1/api-keys.ts': [
    [
      'anybody manages keys',
      [`  assertManager(locals.actor, 'admin', 'manage API keys')\n`, ''],
      MATRIX,
    ],
    [
      'a read key manages keys',
      [
        `assertManager(locals.actor, 'admin', 'manage API keys')`,
        `assertManager(locals.actor, 'read', 'manage API keys')`,
      ],
      MATRIX,
    ],
    [
      'every plan has allow lists',
      ['    assertMayCreate(actor, plans, tier, wanted)\n', ''],
      RIGHTS,
    ],
  ],
  'server/v1/webhooks.ts': [
    [
      'anybody changes webhooks',
      [`  assertManager(locals.actor, 'write', 'change webhooks')\n`, ''],
      MATRIX,
    ],
    [
      'a read key changes webhooks',
      [
        `assertManager(locals.actor, 'write', 'change webhooks')`,
        `assertManager(locals.actor, 'read', 'change webhooks')`,
      ],
      MATRIX,
    ],
    [
      'anybody reads webhooks',
      [`  assertManager(locals.actor, 'read', 'read webhooks')\n`, ''],
      MATRIX,
    ],
  ],
  'server/health.ts': [
    [
      'anybody reads the metrics',
      [`      assertManager(actor, 'admin', 'read metrics')\n`, ''],
      MATRIX,
    ],
    [
      'every address is local',
      ['return isIP(ip) !== 0 && LOOPBACK.includes(ip)', 'return isIP(ip) !== 0'],
      MATRIX,
    ],
  ],
  'server/authenticate.ts': [
    [
      'keys of the other environment',
      ['key.env !== env || key.revoked !== null', 'key.revoked !== null'],
      MATRIX,
    ],
    ['revoked keys', ['key.env !== env || key.revoked !== null', 'key.env !== env'], MATRIX],
    [
      'expired keys',
      ['return key.expires === null || Date.parse(key.expires) > now', 'return now > 0'],
      MATRIX,
    ],
    [
      'keys of who is disabled or gone',
      ['  if (key.login !== null && !maker?.enabled) throw unauthorized()\n', ''],
      MATRIX,
    ],
    ['keys from any address', ['if (list.includes(address)) return\n', 'return\n'], MATRIX],
    [
      'one of two keys',
      [`if (credential.kind === 'differing') {`, 'if (credential === undefined) {'],
      MATRIX,
    ],
    [
      'a credential that nobody knows is none',
      [`    if (credential.kind === 'unknown') throw unauthorized()\n`, ''],
      MATRIX,
    ],
    [
      'a wrong pair is none',
      ['      if (!person) throw unauthorized()\n', '      if (!person) return undefined\n'],
      MATRIX,
    ],
    ['a key has all roles', ['roles: maker.roles,', 'roles: [SYSTEM_MANAGER],'], MATRIX],
    [
      'a guest gets behind the door of /v1',
      ['      if (!principal && !guests) throw unauthorized()\n', ''],
      MATRIX,
    ],
    [
      'a session works from anywhere',
      ['    assertNoForgery(request, found.session, { secretKey, origins })\n', ''],
      MATRIX,
    ],
    [
      'a key of a demo account sees the tier of the workspace',
      ['(await demoTierOf(maker)) ?? key.tier', 'key.tier'],
      RIGHTS,
    ],
    [
      'a demo account sees the tier of the workspace',
      ['(await demoTierOf(person)) ?? (await engine.tier())', 'await engine.tier()'],
      RIGHTS,
    ],
    [
      'a demo account goes before the operator',
      ['return override ?? person.demoTier', 'return person.demoTier ?? override'],
      RIGHTS,
    ],
  ],
  'server/auth/sessions.ts': [
    ['an expired session', [' || Date.parse(row.expires) <= now)', ')'], MATRIX],
    ['an idle session', ['  if (idle > IDLE_LIFETIME) return undefined\n', ''], MATRIX],
    [
      'a session of who is disabled',
      ['if (!person?.enabled || grantsDigest', 'if (!person || grantsDigest'],
      MATRIX,
    ],
    ['a session of who was changed', [' || grantsDigest(person) !== row.grants)', ')'], MATRIX],
    [
      'a session after it was ended',
      ['  await database.write((tx) => deleteSession(tx, tokenHash(token)))\n', ''],
      MATRIX,
    ],
  ],
  'server/auth/forgery.ts': [
    [
      'calls of another site with the token',
      ['  assertSameOrigin(request, origins)\n  if (!byPage)', '  if (!byPage)'],
      MATRIX,
    ],
    ['calls of our page without a token', ['  if (!byPage) return\n', '  return\n'], MATRIX],
    [
      'any token',
      ['if (isSameText(given, csrfToken(secretKey, id))) return', `if (given !== '') return`],
      MATRIX,
    ],
    [
      'pages of another origin',
      ['hostOf(origin) === host', 'hostOf(origin) !== undefined'],
      MATRIX,
    ],
    [
      'another site',
      [`if (from === 'same-origin' || from === 'none') return`, `if (from !== undefined) return`],
      MATRIX,
    ],
  ],
  'server/auth/accounts.ts': [
    [
      'any password',
      [
        'if (!person || !isRight || !person.enabled) throw',
        'if (!person || !person.enabled) throw',
      ],
      MATRIX,
    ],
    [
      'a disabled person signs in',
      ['if (!person || !isRight || !person.enabled) throw', 'if (!person || !isRight) throw'],
      MATRIX,
    ],
    [
      'any secret',
      ['if (!kept || !isRight) return undefined', 'if (!kept) return undefined'],
      MATRIX,
    ],
    [
      'a pair of who is disabled',
      ['return person?.enabled ? person : undefined', 'return person'],
      MATRIX,
    ],
  ],
  'server/api/dispatch.ts': [
    [
      'guests call any method',
      [`  if (method.access !== 'guest') assertSignedIn(context, \`the method \${name}\`)\n`, ''],
      MATRIX,
    ],
    ['a GET changes something', ['  if (verbs.includes(verb)) return\n', '  return\n'], MATRIX],
  ],
  'server/api/resource.ts': [
    ['guests get to records of surface A', [`  assertSignedIn(context, 'this')\n`, ''], MATRIX],
  ],
  'server/api/doctypes.ts': [
    [
      'the list of DocTypes is for everybody',
      ['    .filter((definition) => maySee(context, definition))\n', ''],
      RIGHTS,
    ],
    [
      'metadata is for everybody',
      [
        `if (!definition.isChild) assertCan(context, definition, 'read')`,
        'if (!definition.isChild) Object(context)',
      ],
      RIGHTS,
    ],
    [
      'metadata of rows is for everybody',
      ['else if (!maySee(context, definition))', 'else if (context === undefined)'],
      RIGHTS,
    ],
  ],
  'server/api/site-methods.ts': [
    [
      'anybody makes pairs for anybody',
      ['if (!isOwn && !mayManage) {', 'if (actor === undefined) {'],
      MATRIX,
    ],
    [
      'a key makes pairs for its maker',
      [`actor.kind === 'user' && actor.user`, 'actor.user'],
      RIGHTS,
    ],
    ['a read key makes pairs for anybody', [` && actor.scope === 'admin'`, ''], MATRIX],
  ],
  'server/api/session-methods.ts': [
    ['another site signs people in', ['      assertSameOrigin(request, origins)\n', ''], MATRIX],
  ],
  'server/billing/billing.ts': [
    [
      'anybody changes the plan',
      [`  assertManager(actor, 'admin', 'change the plan of the workspace')\n`, ''],
      MATRIX,
    ],
    [
      'a demo account changes the plan',
      ['  if (actor.user?.demoTier === undefined) return\n', '  return\n'],
      MATRIX,
    ],
  ],
  'server/api/billing-methods.ts': [
    ['anybody opens a checkout', ['  assertMayBuy(actor)\n', ''], MATRIX],
    ['anybody opens the portal', ['  assertMayBuy(context.actor)\n', ''], MATRIX],
    ['anybody knows the billing status', ['  assertMayKnow(context)\n', ''], MATRIX],
  ],
  'server/pages/developer.ts': [
    [
      'anybody makes keys on the page',
      ['if (!isManager(actor))', 'if (actor === undefined)'],
      MATRIX,
    ],
  ],
  'server/pages/pages.ts': [
    [
      'another site signs people in by the page',
      ['  assertSameOrigin(request, origins)\n', ''],
      MATRIX,
    ],
    [
      'forms of pages need no token',
      [
        `  assertNoForgery(request, session, { secretKey, origins }, form.get('csrf_token') ?? '')\n`,
        '',
      ],
      MATRIX,
    ],
  ],
}

export const MUTATIONS: readonly Mutation[] = Object.entries(GUARDS).flatMap(([file, guards]) =>
  guards.map(([why, change, test]) => ({ why, edits: editsOf(file, change), tests: [test] })),
)

function editsOf(file: string, change: Change | readonly Edit[]): readonly Edit[] {
  const [first, second] = change
  if (typeof first !== 'string' || typeof second !== 'string') return change as readonly Edit[]
  return [{ file, find: first, replace: second }]
}
