import { readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import type { Command } from 'commander'
import { fileProblem } from '../../../engine/base/file-error.ts'
import { takeReturned } from '../../../server/share/returned.ts'
import { presentKey } from '../../backup/key-check.ts'
import { Failure } from '../../failure.ts'
import { counted, printJson } from '../../terminal/output.ts'
import {
  addWorkspaceOptions,
  assertExists,
  locateWorkspace,
  type WorkspaceFlags,
  withWorkspace,
} from '../../workspace.ts'

/** `svc mail …`: what has become of mail. */
export function register(program: Command): void {
  const mail = program.command('mail').description('mail that the workspace has sent')

  addWorkspaceOptions(mail.command('returned [file]'))
    .description('note a report of a mail server about mail that did not arrive, from stdin')
    .option('--json', 'print {noted} as JSON: the ids of the mails')
    .action(returned)
}

async function returned(
  file: string | undefined,
  flags: WorkspaceFlags & { readonly json?: boolean },
): Promise<void> {
  const message = file === undefined ? await buffer(process.stdin) : contentOf(file)
  const workspace = locateWorkspace(flags)
  assertExists(workspace)
  const key = presentKey(workspace)
  if (!key) throw new Failure('there is no secret key here: SVC_SECRET_KEY is that of the servers')
  const noted = await withWorkspace(flags, (engine) => takeReturned(engine, key, message))
  if (flags.json) printJson({ noted })
  else if (noted.length === 0) console.log('nothing to note: it is no report about mail of ours')
  else console.log(`noted: ${counted(noted.length, 'mail')} did not arrive`)
}

function contentOf(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new Failure(`cannot read ${file}: ${fileProblem(error)}`, { cause: error })
  }
}
