import {
  FILLED,
  FOLLOWED,
  type Guards,
  HINTED,
  INTERNAL,
  KEPT,
  MATRIX,
  METHODS,
  RIGHTS,
  ROWS,
  withRows,
} from './guard.ts'

/** What the engine asks for every surface. */
export const ENGINE_GUARDS: Guards = {
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
      ["  if (isManaged(definition)) assertManager(actor, 'admin', what)\n", ''],
      RIGHTS,
    ],
    [
      'records need no scope',
      ['  assertScope(actor, scopeOf(definition, action), what)\n', ''],
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
        '  return passes(() => assertMay(rights, definition, action))',
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
  'engine/documents/rights/followed.ts': [
    [
      'what follows a hidden record is listed',
      [
        'const followed = field && followedCondition(context, field, isFollowed)',
        'const followed = undefined',
      ],
      FOLLOWED,
    ],
    [
      'what follows a hidden record is read',
      ['[name], limit)).has(name)', '[name], limit)).size >= 0'],
      FOLLOWED,
    ],
  ],
  'engine/documents/rights/row-rights.ts': [
    [
      'no condition in any query',
      ['  if (!rules) return undefined\n', '  if (rules !== null) return undefined\n'],
      ROWS,
    ],
    [
      'no condition on what is written',
      ['  if (mayByRole(context, definition, doc, action)) return\n', '  return\n'],
      ROWS,
    ],
  ],
  'engine/documents/rights/door.ts': [
    ['the door asks nothing of a call', ['  assertCan(context, definition, action)\n', ''], RIGHTS],
    [
      'every right is said to be there',
      ['  return can(context, definition, action)\n', '  return action !== undefined\n'],
      RIGHTS,
    ],
    [
      'all records are readable',
      ['  return readCondition(context, definition)\n', '  return undefined\n'],
      ROWS,
    ],
    [
      'no condition on a record that is read',
      ['    isWithinRows(context, definition, doc) && (await', '    (await'],
      ROWS,
    ],
    [
      'one record that follows a hidden one is read',
      [' && (await followsReadable(context, db, definition, doc))', ''],
      FOLLOWED,
    ],
    [
      'who may read a record may change it',
      [`  if (action !== 'read') assertLeft(context, definition, doc, action)\n`, ''],
      ROWS,
    ],
    [
      'has_permission does not ask for roles',
      withRows(
        'engine/documents/rights/door.ts',
        '  if (!may(context, definition, action)) return false\n',
      ),
      METHODS,
    ],
    [
      'has_permission does not ask for the record',
      ['    await assertMayWith(context, db, parts, doc, action)\n', ''],
      ROWS,
    ],
    [
      'what is written is outside the condition',
      ['  if (!run) assertLeft(context, definition, after, action)\n', ''],
      ROWS,
    ],
    [
      'links to what one may not read',
      ['depth > 0 || links.length === 0 ?', 'depth >= 0 || links.length === 0 ?'],
      ROWS,
    ],
    [
      'an answer names what one may not read',
      ['  return seen.filter((record) => !outside.has(nameKey(record)))\n', '  return seen\n'],
      ROWS,
    ],
  ],
  'engine/documents/operations/get.ts': [
    [
      'one record is read without a right',
      [`  assertMay(context, definition, 'read')\n`, ''],
      RIGHTS,
    ],
    [
      'one record is read outside the condition',
      [`  await assertMayWith(context, read, parts, doc, 'read')\n`, ''],
      ROWS,
    ],
  ],
  'engine/documents/lists/list.ts': [
    ['a list without a right', [`  assertMay(context, definition, 'read')\n`, ''], RIGHTS],
    [
      'a list outside the condition',
      ['const limit = readable(context, definition)', 'const limit = undefined'],
      ROWS,
    ],
    [
      'a count of a search outside the condition',
      ['isLimited: limit !== undefined', 'isLimited: false'],
      ROWS,
    ],
  ],
  'engine/documents/effects/locked.ts': [
    [
      'a change outside the condition',
      [
        '  if (work.depth === 0) await assertMayWith(work.context, work.tx, parts, doc, action)\n',
        '',
      ],
      ROWS,
    ],
  ],
  'engine/documents/operations/create.ts': [
    ['a create without a right', [`  assertMay(context, definition, 'create')\n`, ''], RIGHTS],
    [
      'a create outside the condition',
      [`  assertMayLeave(work.context, parts, 'create', { after: entry.current! })\n`, ''],
      ROWS,
    ],
  ],
  'engine/documents/operations/update.ts': [
    ['a change without a right', [`  assertMay(context, definition, 'update')\n`, ''], MATRIX],
    [
      'a change that leaves the condition',
      [`  assertMayLeave(work.context, parts, 'update', { before, after: entry.current! })\n`, ''],
      ROWS,
    ],
  ],
  'engine/documents/operations/save.ts': [
    [
      'surface A creates without a right',
      [`  assertMay(context, definition, 'create')\n`, ''],
      RIGHTS,
    ],
    [
      'surface A submits what it creates',
      withRows(
        'engine/documents/operations/save.ts',
        `  if (submit) {\n    assertMay(context, definition, 'submit')\n`,
        '  if (submit) {\n',
      ),
      RIGHTS,
    ],
    [
      'surface A changes what it submits',
      withRows(
        'engine/documents/operations/save.ts',
        `  assertMay(context, definition, 'update')\n  assertMay`,
        '  assertMay',
      ),
      RIGHTS,
    ],
    [
      'surface A submits what it changes',
      withRows(
        'engine/documents/operations/save.ts',
        `  assertMay(context, definition, 'submit')\n  const parts`,
        '  const parts',
      ),
      RIGHTS,
    ],
  ],
  'engine/documents/operations/submit.ts': [
    ['a submit without a right', [`  assertMay(context, definition, 'submit')\n`, ''], MATRIX],
  ],
  'engine/documents/operations/cancel.ts': [
    ['a cancel without a right', [`  assertMay(context, definition, 'cancel')\n`, ''], RIGHTS],
  ],
  'engine/documents/operations/amend.ts': [
    [
      'an amendment without a right',
      withRows(
        'engine/documents/operations/amend.ts',
        `  assertMay(context, definition, 'amend')\n`,
      ),
      RIGHTS,
    ],
  ],
  'engine/documents/operations/remove.ts': [
    ['a delete without a right', [`  assertMay(context, definition, 'delete')\n`, ''], RIGHTS],
  ],
  'engine/documents/operations/act.ts': [
    [
      'an action without a right',
      [`  assertMay(context, definition, \`action:\${name}\`)\n`, ''],
      MATRIX,
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
  'engine/documents/rights/hidden-targets.ts': [
    [
      'a link to what one may not read',
      ['if (!readable.has(name)) outside.add', 'if (name === undefined) outside.add'],
      ROWS,
    ],
  ],
  'engine/documents/links/hints.ts': [
    [
      'suggestions of a DocType that one may not read',
      withRows('engine/documents/links/hints.ts', ` || !may(context, definition, 'read'))`, ')'),
      HINTED,
    ],
    [
      'suggestions of records that are hidden',
      ['if (!limit) return recordsNear', 'if (query) return recordsNear'],
      HINTED,
    ],
  ],
  'engine/storage/records/records-near.ts': [
    [
      'hidden records among those that suggestions are taken from',
      ['where docstatus <> 2 and $', 'where docstatus <> 2 or $'],
      HINTED,
    ],
  ],
  'engine/access/known-to.ts': [
    [
      'fields have no readers and no writers',
      [
        'if (!definition.behaviour.permissions?.fields || isManager(actor)) return definition',
        'if (definition !== undefined || isManager(actor)) return definition',
      ],
      KEPT,
    ],
    [
      'explanations tell what they were made of',
      [
        'return rights?.read === undefined || isManager(actor) || holdsRole(actor, rights.read)',
        'return rights?.read === undefined || isManager(actor) || actor !== undefined',
      ],
      KEPT,
    ],
  ],
  'engine/access/known-fields.ts': [
    [
      'fields are for everybody to read',
      ['if (read && !holds(read)) return', 'if (read && holds === undefined) return'],
      KEPT,
    ],
    [
      'fields are for everybody to set',
      ['if (!write || holds(write) || field.readOnly)', 'if (holds !== undefined)'],
      KEPT,
    ],
  ],
  'engine/documents/work/known-data.ts': [
    [
      'events tell all fields',
      ['if (withheld) delete left[name]', 'if (!left) delete left[name]'],
      KEPT,
    ],
  ],
  'engine/definition/load/inherit-rights.ts': [
    [
      'what is made of them is for everybody to read',
      ['if (!read) return field\n', 'if (!read || read.length > 0) return field\n'],
      KEPT,
    ],
  ],
  'engine/reports/run/access.ts': [
    [
      'reports of fields that only some may read',
      ['if (closed) throw', 'if (closed && !closed) throw'],
      KEPT,
    ],
  ],
  'engine/fields/public-fields.ts': [
    [
      'internal fields in all that is shown, taken and described',
      ['? fields.filter(isPublic) : fields', '? [...fields] : fields'],
      INTERNAL,
    ],
    ['internal fields in queries', ['return !internal', 'return internal !== undefined'], INTERNAL],
  ],
  'engine/rules/cells/taken-links.ts': [
    [
      'links that rules fill from any text',
      ['(origin) => origin !== undefined && isSame(target, named(origin, level)),', '() => true,'],
      FILLED,
    ],
  ],
  'engine/documents/lists/titles.ts': [
    [
      'titles of what one may not read',
      [
        {
          file: 'engine/documents/lists/titles.ts',
          find: `if (!target || !may(context, target, 'read')) return`,
          replace: 'if (!target) return',
        },
        {
          file: 'engine/documents/lists/titles.ts',
          find: 'readable(context, target))',
          replace: 'undefined)',
        },
      ],
      ROWS,
    ],
    ['titles outside the condition', ['readable(context, target))', 'undefined)'], ROWS],
  ],
  'engine/documents/lists/query-scope.ts': [
    ['surface A lists without a right', [`  assertMay(context, definition, 'read')\n`, ''], RIGHTS],
    ['surface A lists rows without a right', [`  assertMay(context, parent, 'read')\n`, ''], ROWS],
    [
      'surface A lists outside the condition',
      ['recordRoot(plan, readable(context, definition))', 'recordRoot(plan, undefined)'],
      ROWS,
    ],
    [
      'surface A lists rows outside the condition',
      ['[first, ...more], readable(context, parent))', '[first, ...more], undefined)'],
      ROWS,
    ],
    [
      'fields of a link without a right',
      [`        assertMay(context, target, 'read')\n`, ''],
      ROWS,
    ],
    [
      'fields of a link outside the condition',
      [
        'linkedSource(plan, link, alias, readable(context, target))',
        'linkedSource(plan, link, alias, undefined)',
      ],
      ROWS,
    ],
  ],
}
