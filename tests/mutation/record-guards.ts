import { FLOW, type Guards } from './guard.ts'

/** What the engine asks about what a caller makes of a record. */
export const RECORD_GUARDS: Guards = {
  'engine/documents/flow-rights.ts': [
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
  'engine/documents/update.ts': [
    [
      'an update moves a status as it likes',
      ['  assertMove(work.context, parts.definition, before, entry.current!)\n', ''],
      FLOW,
    ],
  ],
  'engine/documents/create.ts': [
    [
      'a new record has any status',
      ['  assertMove(work.context, parts.definition, undefined, entry.current!)\n', ''],
      FLOW,
    ],
  ],
  'engine/documents/act.ts': [
    [
      'an action moves a status for whoever may run it',
      ['if (!declared.roles) assertMove(', 'if (declared === undefined) assertMove('],
      FLOW,
    ],
  ],
  'engine/documents/amend.ts': [
    [
      'an amendment is approved as what it amends was',
      ['  if (status?.movers) copy[status.field] = status.initial ?? null\n', ''],
      FLOW,
    ],
  ],
}
