import { type Guards, MATRIX, PARAMETERS, PEOPLE, RIGHTS, SIGN_IN } from './guard.ts'

/** What the server asks: who calls, and what is no record. */
export const SERVER_GUARDS: Guards = {
  'server/v1/call.ts': [
    [
      'kept answers go to who has lost the right',
      ['  assertMay(context, definition, action)\n', ''],
      RIGHTS,
    ],
  ],
  'server/http/query-parameters.ts': [
    [
      'routes take parameters they do not know',
      ['if (!known.includes(field))', 'if (known === undefined)'],
      PARAMETERS,
    ],
  ],
  'server/idempotency/idempotency.ts': [
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
        'registry.all.filter((definition) => canSee(context, definition))',
        'registry.all.filter(() => context !== undefined)',
      ],
      RIGHTS,
    ],
    [
      'the catalogue describes everything',
      ['if (!definition || !canSee(context, definition)) throw', 'if (!definition) throw'],
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
      ['    assertMayCreate(actor, services.plans, tier, wanted.request)\n', ''],
      RIGHTS,
    ],
  ],
  'server/v1/me.ts': [
    [
      'a read key sees and ends sessions',
      [`  assertScope(actor, 'admin', 'see or end what somebody is signed in with')\n`, ''],
      MATRIX,
    ],
  ],
  'server/leaving.ts': [
    ['anybody sends others away', [`  assertMay(context, definition, 'update')\n`, ''], MATRIX],
  ],
  'server/auth/throttle.ts': [
    [
      'a stranger keeps the owner out',
      ['if (device !== undefined) return', `if (device === '') return`],
      SIGN_IN,
    ],
  ],
  'webhooks/fan-out.ts': [
    ['everybody’s webhooks hear of the doors', ['resource === SECURITY :', 'false :'], PEOPLE],
    ['webhooks outlive the rights of their person', [' && paused_because === null', ''], PEOPLE],
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
  'server/observe/health.ts': [
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
      'a revoked pair',
      ['if (!used || !isValid(used.pair, env, services.clock.now()))', 'if (!used)'],
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
      ['return override ?? demoTier', 'return demoTier ?? override'],
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
  ],
  'server/auth/key-pairs.ts': [
    [
      'any secret',
      [
        'if (!pair || pair.login === null || !isRight)',
        'if (!pair || pair.login === null || isRight === undefined)',
      ],
      MATRIX,
    ],
    ['a pair of who is disabled', ['return person?.enabled ?', 'return person ?'], MATRIX],
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
        `if (!definition.isChild) assertMay(context, definition, 'read')`,
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
  'server/api/methods/site-methods.ts': [
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
    ['a pair raises itself', [" && hasScope(actor, 'admin')", ''], PEOPLE],
    ['a read key makes pairs for anybody', [` && actor.scope === 'admin'`, ''], MATRIX],
  ],
  'server/api/methods/session-methods.ts': [
    [
      'another site signs people in',
      [
        '      assertSameOrigin(request, origins)\n      const { services } = engine\n',
        '      const { services } = engine\n',
      ],
      MATRIX,
    ],
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
  'server/api/methods/billing-methods.ts': [
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
