import { createConfig, lintFromString } from '@redocly/openapi-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Anything, openSite, type Site } from './site.ts'

const description = suite('GET /api/openapi.json')

let site: Site
let document: Anything
description.before(async () => {
  site = await openSite()
  document = (await site.call('GET', '/api/openapi.json', { as: null })).body
})
description.after(() => site?.close())

/** The table of spec §4, and sign-in: path → methods, and whether guests may call it. */
const SPEC: Readonly<Record<string, readonly [methods: readonly string[], guest: boolean]>> = {
  '/api/method/ping': [['get'], true],
  '/api/method/svc_brand.billing.api.get_public_pricing': [['get'], true],
  '/api/method/svc_brand.analytics.contact.submit_contact': [['post'], true],
  '/api/method/svc_brand.marketing.api.send_contact_message': [['post'], true],
  '/api/method/svc_brand.auth.signup.sign_up': [['post'], true],
  '/api/method/login': [['post'], true],
  '/api/method/svc_brand.auth.second_factor.list': [['get'], false],
  '/api/method/svc_brand.auth.second_factor.begin': [['post'], false],
  '/api/method/svc_brand.auth.second_factor.confirm': [['post'], false],
  '/api/method/svc_brand.auth.second_factor.remove': [['post'], false],
  '/api/method/svc_brand.auth.second_factor.new_recovery_codes': [['post'], false],
  '/api/method/svc_brand.billing.api.get_my_plan': [['get'], false],
  '/api/method/svc_brand.billing.api.get_billing_status': [['get'], false],
  '/api/method/svc_brand.billing.api.create_checkout': [['post'], false],
  '/api/method/svc_brand.billing.api.create_portal_session': [['post'], false],
  '/api/resource/{Doctype}': [['get', 'post'], false],
}

description('is version 1.0.0 and describes the paths of the interface, and no other', () => {
  assert.is(document.openapi, '3.1.0')
  assert.is(document.info.version, '1.0.0')
  assert.equal(Object.keys(document.paths).sort(), Object.keys(SPEC).sort())
  for (const [path, [methods, isGuest]] of Object.entries(SPEC)) {
    const operations = Object.entries<Anything>(document.paths[path]).filter(
      ([name]) => name !== 'parameters',
    )
    assert.equal(
      operations.map(([name]) => name),
      methods,
      path,
    )
    for (const [, operation] of operations)
      assert.is(Array.isArray(operation.security) && operation.security.length === 0, isGuest, path)
  }
})

description('is valid, without a warning', async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: JSON.stringify(document), config })
  assert.equal(
    problems.map(
      ({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer}`,
    ),
    [],
  )
})

description('names the plans there are, and those to buy', () => {
  const { Pricing, PlanStatus, CheckoutRequest } = document.components.schemas
  assert.equal(Pricing.required, ['free', 'pro', 'business'])
  assert.equal(PlanStatus.properties.tier.enum, ['free', 'pro', 'business'])
  assert.equal(CheckoutRequest.properties.plan.enum, ['pro', 'business'])
})

description('tells the truth: each path is there, and lets in whom it says', async () => {
  for (const [path, [methods, isGuest]] of Object.entries(SPEC)) {
    for (const method of methods) {
      const at = path.replace('{Doctype}', 'Gadget')
      const { status, body } = await site.call(method.toUpperCase(), at, { as: null })
      assert.not.match(String(body?.message), 'Failed to get method', path)
      assert.is(status === 403, !isGuest, `${path} ${status}`)
    }
  }
})

description.run()
