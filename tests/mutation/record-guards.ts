import { AFTER_SUBMIT, FLOW, type Guards, LIMITS } from './guard.ts'

/** What the engine asks about what a caller makes of a record. */
export const RECORD_GUARDS: Guards = {
  'engine/documents/rights/flow-rights.ts': [
    [
      'every arrow of a flow is for everybody',
      ['    if (!roles || holdsRole(actor, roles)) return\n', '    return\n'],
      FLOW,
    ],
    [
      'a record begins in any state',
      [
        '  if (!mayReach(status, to, (roles) => holdsRole(actor, roles))) {',
        '  if (to === from) {',
      ],
      FLOW,
    ],
    [
      'a record begins where others could have moved it',
      ['.filter(({ roles }) => !roles || holds(roles))', '.filter(({ roles }) => roles !== holds)'],
      FLOW,
    ],
  ],
  'engine/documents/operations/update.ts': [
    [
      'what is submitted or cancelled changes',
      ["  assertDocstatus(parts, before, 0, 'change', advice)\n", ''],
      AFTER_SUBMIT,
    ],
    [
      'an update moves a status as it likes',
      [`  assertMayLeave(work.context, parts, 'update', { before, after: entry.current! })\n`, ''],
      FLOW,
    ],
  ],
  'engine/documents/operations/revise.ts': [
    [
      'everything that is submitted changes',
      ['  assertAllowedOnSubmit(parts, before, merged.after, input)\n', ''],
      AFTER_SUBMIT,
    ],
  ],
  'engine/documents/rights/door.ts': [
    [
      'a status is moved by anybody',
      [
        "  if (action !== 'amend' && !run?.roles) assertMove(context, definition, before, after)\n",
        '',
      ],
      FLOW,
    ],
    [
      'an action moves a status for whoever may run it',
      ["  if (action !== 'amend' && !run?.roles)", "  if (action !== 'amend' && !run)"],
      FLOW,
    ],
  ],
  'engine/documents/operations/create.ts': [
    [
      'a new record has any status',
      [`  assertMayLeave(work.context, parts, 'create', { after: entry.current! })\n`, ''],
      FLOW,
    ],
  ],
  'engine/documents/operations/act.ts': [
    [
      'an action moves a status as it likes',
      [`  assertMayLeave(work.context, parts, \`action:\${name}\`, { before, after })\n`, ''],
      FLOW,
    ],
  ],
  'engine/documents/record/copied-record.ts': [
    [
      'an amendment is approved as what it amends was',
      [
        '  if (status?.movers || status?.cancelled !== undefined) copy[status.field] = status.initial ?? null\n',
        '',
      ],
      FLOW,
    ],
  ],
  'engine/access/user-limits.ts': [
    [
      'user permissions limit nobody',
      ['  if (given.length === 0) return NONE\n', '  if (given !== undefined) return NONE\n'],
      LIMITS,
    ],
    [
      'a permission for one DocType is for all',
      [
        'return actor.limits.filter(({ appliesTo = doctype }) => appliesTo === doctype)',
        'return actor.limits',
      ],
      LIMITS,
    ],
    [
      'the record that is named is not limited itself',
      ["      limits.push({ field: 'name', names })\n", ''],
      LIMITS,
    ],
    [
      'dynamic links lead past user permissions',
      ['      if (linkFrom !== undefined)\n', '      if (linkFrom === allow)\n'],
      LIMITS,
    ],
  ],
  'engine/documents/rights/user-limits.ts': [
    [
      'any record of a limited DocType is enough',
      ["if (typeof name !== 'string' || names.has(name)) return false", 'return false'],
      LIMITS,
    ],
  ],
  'engine/documents/rights/given-limits.ts': [
    [
      'user permissions of what does not exist',
      ['  if (target && !target.isChild && links) return\n', '  return\n'],
      LIMITS,
    ],
  ],
  'engine/access/hidden-resources.ts': [
    [
      'events of records that user permissions hide',
      ['  if (fieldLimits(rights, definition).length > 0) return true\n', ''],
      LIMITS,
    ],
  ],
  'engine/documents/rights/row-rights.ts': [
    [
      'no user permission in any query',
      [
        'const ofPerson = limitCondition(context, definition)',
        'const ofPerson = roleCondition(context, definition)',
      ],
      LIMITS,
    ],
    [
      'a record is left outside of what user permissions name',
      ['  if (broken) throw outsideLimits(definition, broken)\n', ''],
      LIMITS,
    ],
    [
      'no user permission for a record that is read',
      [
        `return !brokenLimit(context, definition, doc) && mayByRole(context, definition, doc, 'read')`,
        `return mayByRole(context, definition, doc, 'read')`,
      ],
      LIMITS,
    ],
  ],
  'engine/documents/rights/followed.ts': [
    [
      'a link names what user permissions hide',
      [
        'return isLimited ? readCondition(context, definition) : limitCondition(context, definition)',
        'return isLimited ? readCondition(context, definition) : undefined',
      ],
      LIMITS,
    ],
  ],
  'server/auth/people.ts': [
    [
      'nobody is asked for their user permissions',
      ['const isLimited = permissions && Number(row.is_limited) === 1', 'const isLimited = false'],
      LIMITS,
    ],
  ],
  'server/authenticate.ts': [
    [
      'a key goes past the user permissions of its maker',
      [
        'return { ...key, name: login, roles: maker.roles, limits, user: userOf(maker) }',
        'return { ...key, name: login, roles: maker.roles, user: userOf(maker) }',
      ],
      LIMITS,
    ],
  ],
  'engine/access/can.ts': [
    ['anybody with the right gives user permissions', ["  'user_permissions',\n", ''], LIMITS],
  ],
}
