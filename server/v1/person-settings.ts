import type { Router } from 'express'
import { AppError, validationError } from '../../engine/base/errors.ts'
import {
  countOtherSettings,
  readPersonSetting,
  removePersonSetting,
  writePersonSetting,
} from '../../engine/storage/workspace/person-settings.ts'
import { sendJson } from '../http/answer.ts'
import { methodNotAllowed } from '../http/not-found.ts'
import { takes } from '../http/query-parameters.ts'
import type { Handler } from '../http/request-state.ts'
import { parameter, type V1 } from './call.ts'
import { personOf } from './person.ts'

/** Most bytes of a setting (contract §7.3), and settings of a person. */
const MOST_BYTES = 16 * 1024
const MOST_SETTINGS = 200

const KEY = /^[\w.:-]{1,140}$/

/** `/v1/me/settings/{key}`: what a person keeps for their screens, as JSON of their own. */
export function personSettingRoutes(router: Router, v1: Pick<V1, 'engine'>): void {
  router.get('/me/settings/:key', takes(), get(v1))
  router.put('/me/settings/:key', takes(), put(v1))
  router.delete('/me/settings/:key', takes(), remove(v1))
  router.all('/me/settings/:key', methodNotAllowed('GET, HEAD, PUT, DELETE'))
}

function get({ engine }: Pick<V1, 'engine'>): Handler {
  return async (request, response) => {
    const login = personOf(response.locals.actor, 'read', 'read settings')
    const key = keyOf(parameter(request, 'key'))
    const value = await readPersonSetting(engine.services.database.read, login, key)
    if (value === undefined) throw noSetting(key)
    sendJson(response, 200, value)
  }
}

function put({ engine }: Pick<V1, 'engine'>): Handler {
  return async (request, response) => {
    const login = personOf(response.locals.actor, 'write', 'change settings')
    const key = keyOf(parameter(request, 'key'))
    const { body } = response.locals
    if (body === undefined)
      throw new AppError('BAD_REQUEST', 'expected the setting as a JSON body, got none')
    const value = JSON.stringify(body)
    const size = Buffer.byteLength(value)
    if (size > MOST_BYTES)
      throw new AppError(
        'PAYLOAD_TOO_LARGE',
        `expected a setting of at most ${MOST_BYTES} bytes, got ${size}; keep less in one`,
      )
    await engine.services.database.write(async (tx) => {
      if ((await countOtherSettings(tx, login, key)) >= MOST_SETTINGS)
        throw new AppError(
          'CONFLICT',
          `a person has at most ${MOST_SETTINGS} settings; delete some, or keep several in one`,
        )
      await writePersonSetting(tx, login, key, value)
    }, login)
    sendJson(response, 200, value)
  }
}

function remove({ engine }: Pick<V1, 'engine'>): Handler {
  return async (request, response) => {
    const login = personOf(response.locals.actor, 'write', 'change settings')
    const key = keyOf(parameter(request, 'key'))
    const { database } = engine.services
    if (!(await database.write((tx) => removePersonSetting(tx, login, key), login)))
      throw noSetting(key)
    response.statusCode = 204
    response.end()
  }
}

/** Throws 422 for a key that has other characters, or too many. */
function keyOf(key: string): string {
  if (KEY.test(key)) return key
  const message = 'expected 1 to 140 letters, digits, -, _, . and :'
  throw validationError([{ field: 'key', message, code: 'wrong_type' }])
}

function noSetting(key: string): AppError {
  return new AppError('NOT_FOUND', `you have no setting ${JSON.stringify(key)}`)
}
