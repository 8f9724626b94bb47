import { METHOD_PREFIX } from '../engine/base/brand.ts'
import { AppError } from '../engine/base/errors.ts'
import type { Handler } from './http/request-state.ts'
import { ASSET_PATHS } from './pages/assets.ts'
import type { SetupDoor } from './setup-door.ts'

const SETUP_CALL = new RegExp(
  `^/api(/v1)?/method/${METHOD_PREFIX.replaceAll('.', '\\.')}\\.setup\\.`,
)

/**
 * The stage that answers nothing but the setup methods and the assets of pages while a workspace waits to be set up:
 * nobody signs up, or leaves a message, before there is somebody whose workspace it is. Throws UNAVAILABLE.
 */
export function onlySetup(door: SetupDoor | undefined): Handler {
  let isWaiting = door !== undefined
  return async function onlySetupStage(request, _response, next) {
    const { path } = request
    if (isWaiting && !SETUP_CALL.test(path) && !ASSET_PATHS.includes(path)) {
      isWaiting = (await door?.isOpen()) === true
      if (isWaiting)
        throw new AppError(
          'UNAVAILABLE',
          `this workspace waits to be set up: call ${METHOD_PREFIX}.setup.complete with the token of setup-token in the data folder`,
          { headers: { 'Retry-After': '60' } },
        )
    }
    next()
  }
}
