import type { Router } from 'express'
import { assertScope, canSee } from '../../engine/access/can.ts'
import { type Plan, unlocks } from '../../engine/access/plans.ts'
import { assertMayBuy } from '../billing/billing.ts'
import { isUnanswered } from '../billing/provider.ts'
import { returnAddress } from '../billing/return-address.ts'
import { MAX_SEATS, readSeats } from '../billing/seats.ts'
import { type SubscribeRequest, type SubscribeResult, subscribe } from '../billing/subscribe.ts'
import { type Answer, sendAnswer, sendJson } from '../http/answer.ts'
import { readFields } from '../http/fields-of-body.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { takes } from '../http/query-parameters.ts'
import type { Handler } from '../http/request-state.ts'
import { parameter, type V1 } from './call.ts'

/** `/v1/tiers` and `/v1/addons`: what there is to have, what the workspace has, and how it gets more (spec §4). */
export function tierRoutes(router: Router, v1: V1): void {
  router.get('/tiers', takes(), listTiers(v1))
  router.all('/tiers', methodNotAllowed('GET, HEAD'))
  router.post('/tiers/:slug/subscribe', takes(), subscribeTo(v1))
  router.all('/tiers/:slug/subscribe', methodNotAllowed('POST'))
  router.get('/addons', takes(), listAddons(v1))
  router.all('/addons', methodNotAllowed('GET, HEAD'))
}

function listTiers({ engine }: V1): Handler {
  return (_request, response) => {
    const { actor, tier } = response.locals
    assertScope(actor, 'read', 'read the tiers')
    const { plans } = engine.services.plans
    sendJson(response, 200, JSON.stringify({ data: plans.map(shownTo(tier)), current: tier }))
  }
}

/** A tier as it is listed, to a workspace that has tier `current`. */
function shownTo(current: string): (plan: Plan) => object {
  return ({ slug, label, price_per_user_month, currency, seats, includes }) => ({
    slug,
    label,
    price_per_user_month,
    currency,
    seats,
    includes,
    current: slug === current,
  })
}

function listAddons({ engine }: V1): Handler {
  return (_request, response) => {
    const { actor, tier } = response.locals
    assertScope(actor, 'read', 'read the add-ons')
    const { addons, plans, registry } = engine.services
    const rights = engine.context(actor, tier)
    const seenSlug = (doctype: string): string | [] => {
      const definition = registry.byDoctype(doctype)
      return definition && canSee(rights, definition) ? definition.slug : []
    }
    const data = addons.map((addon) => {
      const { slug, label, description } = addon
      const plan = plans.plans.find((one) => one.slug === addon.tier)
      return {
        slug,
        label,
        description,
        tier: addon.tier,
        price: plan?.price_per_user_month ?? 0,
        currency: plan?.currency ?? null,
        billing_state: unlocks(plans, tier, addon.tier) ? 'included' : 'requires_upgrade',
        // What the caller's roles may not read is absent, as in the catalogue.
        resources: addon.doctypes.flatMap(seenSlug),
      }
    })
    sendJson(response, 200, JSON.stringify({ data }))
  }
}

function subscribeTo({ engine, idempotency, billing }: V1): Handler {
  return async (request, response) => {
    const { actor, body } = response.locals
    assertMayBuy(actor)
    if (idempotency.replay(response)) return
    const wanted = readRequest(parameter(request, 'slug'), body, billing.addresses())
    const result = await idempotency.callOut(
      response,
      (callKey) =>
        subscribe(
          {
            services: engine.services,
            billing,
            actor,
            callKey,
            keep: (tx, made) => idempotency.keep(tx, response, answerOf(made)),
          },
          wanted,
        ),
      isUnanswered,
    )
    sendAnswer(response, answerOf(result))
  }
}

function answerOf(result: SubscribeResult): Answer {
  return { status: 200, headers: {}, body: JSON.stringify(result) }
}

/** Throws 422. Addresses to come back to are those of this workspace. */
function readRequest(tier: string, body: unknown, addresses: readonly string[]): SubscribeRequest {
  const address = {
    expected: `an address of this workspace (${addresses.join(', ')}) or a path of it`,
    read: (value: unknown): string | undefined => returnAddress(value, addresses),
  }
  const { seats, success_url, cancel_url } = readFields(body, {
    seats: { expected: `a whole number from 1 to ${MAX_SEATS}`, read: readSeats },
    success_url: address,
    cancel_url: address,
  })
  return { tier, seats, successUrl: success_url, cancelUrl: cancel_url }
}
