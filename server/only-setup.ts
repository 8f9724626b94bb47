import { METHOD_PREFIX } from '../engine/base/brand.ts'
import { AppError } from '../engine/base/errors.ts'
import { isNavigation } from './http/navigation.ts'
import type { Handler } from './http/request-state.ts'
import { ASSET_PATHS } from './pages/assets.ts'
import { PATHS } from './pages/page-paths.ts'
import type { SetupDoor } from './setup-door.ts'

const SETUP_CALL = new RegExp(
  `^/api(/v1)?/method/${METHOD_PREFIX.replaceAll('.', '\\.')}\\.setup\\.`,
)

/** The stage, and whether all is answered already. */
export interface SetupStage extends Handler {
  isOver(): boolean
}

/**
 * The stage that answers nothing but the setup page, its methods and the assets of pages while a workspace waits to be set up:
 * nobody signs up, or leaves a message, before there is somebody whose workspace it is. Throws UNAVAILABLE.
 */
export function onlySetup(door: SetupDoor | undefined): SetupStage {
  let isWaiting = door !== undefined
  return Object.assign(stage, { isOver: () => !isWaiting })

  async function stage(...[request, response, next]: Parameters<Handler>): Promise<void> {
    const { path } = request
    const isFree = SETUP_CALL.test(path) || path === PATHS.setup || ASSET_PATHS.includes(path)
    if (isWaiting && !isFree) {
      isWaiting = (await door?.isOpen()) === true
      // Whoever opens the address in a browser is told how it goes on.
      if (isWaiting && path === PATHS.home && isNavigation(request)) {
        response.redirect(303, PATHS.setup)
        return
      }
      if (isWaiting)
        throw new AppError(
          'UNAVAILABLE',
          `this workspace waits to be set up: open the link of first-run.json in the data folder, or call ${METHOD_PREFIX}.setup.complete with the token of setup-token there`,
          { headers: { 'Retry-After': '60' } },
        )
    }
    next()
  }
}
