import type { Express } from 'express'
import type { Plans } from '../../engine/access/plans.ts'
import { METHOD_PREFIX } from '../../engine/base/brand.ts'
import type { Engine } from '../../engine/index.ts'
import { sendJson } from '../http/answer.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { takes } from '../http/query-parameters.ts'
import type { Handler } from '../http/request-state.ts'
import { type Json, schemasOf } from './openapi-schemas.ts'

const PATH = '/api/openapi.json'

/**
 * `GET /api/openapi.json`, for everybody: the customer's paths of surface A and no other (spec §4, §9). Mount
 * it before the routes that ask who calls.
 */
export function apiDescriptionRoute(app: Express, engine: Engine, serverUrl = '/'): void {
  const describe: Handler = (_request, response) =>
    sendJson(response, 200, JSON.stringify(apiDescription(engine.services.plans, serverUrl)))
  app.get(PATH, takes(), describe)
  app.all(PATH, methodNotAllowed('GET, HEAD'))
}

/** The OpenAPI 3.1 description of surface A as plain data. `serverUrl` is where the site is reached. */
export function apiDescription(plans: Plans, serverUrl = '/'): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Workspace site API',
      version: '1.0.0',
      description:
        'Public endpoints of the site, the plan of the workspace, and records by the conventions of Frappe.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    security: [{ session: [] }, { token: [] }],
    tags: [
      { name: 'Site', description: 'Endpoints for guests' },
      { name: 'Sign-in', description: 'Signing in, and second factors' },
      { name: 'Billing', description: 'The plan of the workspace and its payment' },
      { name: 'Records', description: 'Records of any type the caller may use' },
    ],
    paths: { ...sitePaths(), ...signInPaths(), ...billingPaths(), ...recordPaths() },
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'sid', description: 'Log in at /login' },
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: '`token <API_KEY>:<API_SECRET>`',
        },
      },
      schemas: schemasOf(plans),
      responses: {
        Error: {
          description: 'An error; the status is that of its class',
          content: json(ref('Error')),
        },
      },
    },
  }
}

function sitePaths(): Json {
  return {
    '/api/method/ping': {
      get: guest('ping', 'Health check', {}, { type: 'string', const: 'pong' }),
    },
    [`/api/method/${METHOD_PREFIX}.billing.api.get_public_pricing`]: {
      get: guest('getPublicPricing', 'What each plan has and costs', {}, ref('Pricing')),
    },
    [`/api/method/${METHOD_PREFIX}.analytics.contact.submit_contact`]: {
      post: guest('submitContact', 'Send a message; rate-limited', body('ContactMessage'), OK),
    },
    [`/api/method/${METHOD_PREFIX}.marketing.api.send_contact_message`]: {
      post: guest('sendContactMessage', 'Send a message', body('ContactMessage'), OK),
    },
    [`/api/method/${METHOD_PREFIX}.auth.signup.sign_up`]: {
      post: {
        operationId: 'signUp',
        summary: 'Make an account, enabled at once',
        tags: ['Site'],
        security: [],
        ...body('SignUp'),
        responses: {
          '200': {
            description: 'A flag and a text that asks to check the e-mail',
            content: json({
              type: 'array',
              prefixItems: [{ type: 'integer' }, { type: 'string' }],
              minItems: 2,
              maxItems: 2,
            }),
          },
          '401': ERROR,
        },
      },
    },
  }
}

function signInPaths(): Json {
  const path = (name: string): string => `/api/method/${METHOD_PREFIX}.auth.second_factor.${name}`
  const own = (id: string, summary: string, request: Json, message: Json): Json =>
    operation(id, summary, 'Sign-in', request, message)
  return {
    '/api/method/login': {
      post: {
        operationId: 'login',
        summary: 'Sign in: with name and password, then, where it is asked for, a second factor',
        tags: ['Sign-in'],
        security: [],
        ...body('Login'),
        responses: {
          '200': {
            description: 'A session (cookie `sid`), or what the second step needs',
            content: json({ oneOf: [ref('LoggedIn'), ref('SecondStep')] }),
          },
          '401': ERROR,
        },
      },
    },
    [path('list')]: {
      get: own('listSecondFactors', 'Your own second factors', {}, ref('SecondFactors')),
    },
    [path('begin')]: {
      post: own(
        'beginSecondFactor',
        'Begin to set an app or a passkey up',
        body('BeginSecondFactor'),
        ref('BegunSecondFactor'),
      ),
    },
    [path('confirm')]: {
      post: own(
        'confirmSecondFactor',
        'Prove what was begun; the first one brings recovery codes',
        body('ConfirmSecondFactor'),
        ref('SecondFactors'),
      ),
    },
    [path('remove')]: {
      post: own('removeSecondFactor', 'Remove one', body('RemoveSecondFactor'), OK),
    },
    [path('new_recovery_codes')]: {
      post: own(
        'newRecoveryCodes',
        'Ten new recovery codes in place of those before',
        body('Proof'),
        ref('RecoveryCodes'),
      ),
    },
  }
}

function billingPaths(): Json {
  const path = (name: string): string => `/api/method/${METHOD_PREFIX}.billing.api.${name}`
  return {
    [path('get_my_plan')]: {
      get: signedIn(
        'getMyPlan',
        'The effective plan, for anybody signed in',
        {},
        ref('PlanStatus'),
      ),
    },
    [path('get_billing_status')]: {
      get: signedIn(
        'getBillingStatus',
        'Plan and payment provider, for System Managers and demo accounts',
        {},
        ref('BillingStatus'),
      ),
    },
    [path('create_checkout')]: {
      post: signedIn(
        'createCheckout',
        'Start the payment of a plan, for System Managers',
        body('CheckoutRequest'),
        ref('Checkout'),
      ),
    },
    [path('create_portal_session')]: {
      post: signedIn(
        'createPortalSession',
        "Open the payment provider's customer portal, for System Managers",
        {},
        ref('Portal'),
      ),
    },
  }
}

function recordPaths(): Json {
  const data = (of: Json): Json => ({
    '200': { description: 'The answer', content: json(wrapped('data', of)) },
    '401': ERROR,
  })
  return {
    '/api/resource/{Doctype}': {
      parameters: [
        {
          name: 'Doctype',
          in: 'path',
          required: true,
          description: 'The record type as it is written',
          schema: { type: 'string' },
        },
      ],
      get: {
        operationId: 'listRecords',
        summary: 'List records of a type that the role and the plan of the caller allow',
        tags: ['Records'],
        parameters: LIST_PARAMETERS,
        responses: data({ type: 'array', items: ref('Record') }),
      },
      post: {
        operationId: 'createRecord',
        summary: 'Create a record',
        tags: ['Records'],
        ...body('Record'),
        responses: data(ref('Record')),
      },
    },
  }
}

const ERROR = { $ref: '#/components/responses/Error' } as const
const OK: Json = {
  type: 'object',
  required: ['ok'],
  properties: { ok: { type: 'boolean', const: true } },
}

const LIST_PARAMETERS: readonly Json[] = [
  ['fields', 'JSON list of fields; `name` alone without it', 'string'],
  ['filters', 'JSON: `{field: value}`, or a list of `[field, operator, value]`', 'string'],
  ['or_filters', 'The same; one of them is enough', 'string'],
  ['order_by', 'Such as `modified desc`', 'string'],
  ['group_by', 'Field', 'string'],
  ['limit_start', 'Records to skip', 'integer'],
  ['limit_page_length', 'Records to answer, 20 without it; 0 is all', 'integer'],
].map(([name, description, type]) => ({ name, in: 'query', description, schema: { type } }))

function guest(operationId: string, summary: string, request: Json, message: Json): Json {
  return { ...operation(operationId, summary, 'Site', request, message), security: [] }
}

function signedIn(operationId: string, summary: string, request: Json, message: Json): Json {
  return operation(operationId, summary, 'Billing', request, message)
}

function operation(
  operationId: string,
  summary: string,
  tag: string,
  request: Json,
  message: Json,
): Json {
  return {
    operationId,
    summary,
    tags: [tag],
    ...request,
    responses: {
      '200': { description: 'The answer', content: json(wrapped('message', message)) },
      '401': ERROR,
    },
  }
}

function wrapped(name: string, schema: Json): Json {
  return { type: 'object', required: [name], properties: { [name]: schema } }
}

function json(schema: Json): Json {
  return { 'application/json': { schema } }
}

function body(schema: string): Json {
  return { requestBody: { required: true, content: json(ref(schema)) } }
}

function ref(schema: string): Json {
  return { $ref: `#/components/schemas/${schema}` }
}
