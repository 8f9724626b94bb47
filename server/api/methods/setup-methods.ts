import { METHOD_PREFIX } from '../../../engine/base/brand.ts'
import { AppError } from '../../../engine/base/errors.ts'
import type { SetupDoor } from '../../setup-door.ts'
import type { MethodCall, Methods } from './method.ts'

/** Header that bears the one-time token: never the address, which is logged and kept in histories. */
export const SETUP_TOKEN = 'X-Setup-Token'

/**
 * Setting up by a page (`svc serve --wait-for-setup`). Without a door these methods are not there at all. Whoever
 * reaches the port first must not own the workspace, so each call bears the token of the data folder: that the
 * caller is on the same machine would prove nothing behind a proxy, or of another user's program.
 */
export function setupMethods(door: SetupDoor | undefined): Methods {
  if (!door) return {}
  return {
    [`${METHOD_PREFIX}.setup.get_options`]: {
      verbs: ['GET'],
      access: 'guest',
      async run(call) {
        await assertAdmitted(door, call)
        return door.options()
      },
    },
    [`${METHOD_PREFIX}.setup.complete`]: {
      verbs: ['POST'],
      access: 'guest',
      async run(call) {
        await assertAdmitted(door, call)
        return door.setUp(call.args)
      },
    },
  }
}

/** The token is asked first: without it nobody learns whether the workspace is set up. Throws 403, 409. */
async function assertAdmitted(door: SetupDoor, { request }: MethodCall): Promise<void> {
  if (!door.accepts(request.get(SETUP_TOKEN) ?? ''))
    throw new AppError(
      'FORBIDDEN',
      `expected the token of setup-token in the data folder in the header ${SETUP_TOKEN}`,
    )
  if (!(await door.isOpen()))
    throw new AppError('CONFLICT', 'this workspace is set up already; sign in at /login')
}
