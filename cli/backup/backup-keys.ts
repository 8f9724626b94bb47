import { readFileSync, statSync } from 'node:fs'
import { fileProblem } from '../../engine/base/file-error.ts'
import { Failure, UsageError } from '../failure.ts'
import { openTerminal } from '../setup/ask.ts'

/** Keys that a backup is encrypted to: public keys of age (`age1…`), or one passphrase. */
export type EncryptTo = { readonly recipients: readonly string[] } | { readonly passphrase: string }

/** Key that opens an encrypted backup: private keys of age, or the passphrase. */
export type OpenWith = { readonly identities: readonly string[] } | { readonly passphrase: string }

/** Flags of `svc backup` that say whether and to whom a backup is encrypted. */
export interface EncryptFlags {
  readonly encrypt?: boolean
  readonly recipient?: readonly string[]
  readonly passphraseFile?: string
}

/** Flags of `svc restore` that open an encrypted backup. */
export interface OpenFlags {
  readonly identity?: string
  readonly passphraseFile?: string
}

/** The longest file that a key or a passphrase is read from, in bytes. */
const MOST_OF_FILE = 64 * 1024

const HOW_TO_ENCRYPT =
  '--encrypt: expected --recipient age1… or --passphrase-file FILE, or a terminal to ask for a passphrase'

/**
 * What a backup is to be encrypted to; undefined where it is not to be. Asks twice for a passphrase on a terminal.
 * Throws UsageError for flags that do not go together, Failure for a file that cannot be read.
 */
export async function encryptTo(flags: EncryptFlags): Promise<EncryptTo | undefined> {
  const { encrypt, recipient: recipients = [], passphraseFile } = flags
  if (!encrypt) {
    if (recipients.length === 0 && passphraseFile === undefined) return undefined
    throw new UsageError('--recipient and --passphrase-file belong to --encrypt: add it')
  }
  if (recipients.length > 0) {
    if (passphraseFile !== undefined)
      throw new UsageError('expected --recipient or --passphrase-file, got both')
    return { recipients }
  }
  if (passphraseFile !== undefined) return { passphrase: passphraseOf(passphraseFile) }
  if (!process.stdin.isTTY) throw new UsageError(HOW_TO_ENCRYPT)
  const passphrase = await asked('Passphrase: ')
  if (passphrase !== (await asked('Again: ')))
    throw new Failure('the two passphrases are not the same: nothing was written')
  return { passphrase }
}

/**
 * What an encrypted backup is opened with. `isByPassphrase`: the file says so; then a terminal is asked where no flag
 * names one. Throws UsageError where the key is missing.
 */
export async function openWith(
  { identity, passphraseFile }: OpenFlags,
  isByPassphrase: boolean,
): Promise<OpenWith> {
  if (isByPassphrase) {
    if (passphraseFile !== undefined) return { passphrase: passphraseOf(passphraseFile) }
    if (process.stdin.isTTY && identity === undefined)
      return { passphrase: await asked('Passphrase of the backup: ') }
    throw new UsageError(
      'the backup is encrypted with a passphrase: expected --passphrase-file FILE, or a terminal to ask for it',
    )
  }
  if (identity === undefined)
    throw new UsageError(
      'the backup is encrypted to a public key of age: expected --identity FILE with the private one (AGE-SECRET-KEY-1…)',
    )
  const identities = linesOf(identity).filter((line) => line !== '' && !line.startsWith('#'))
  if (identities.length === 0)
    throw new Failure(`${identity} holds no key: expected AGE-SECRET-KEY-1…`)
  return { identities }
}

function passphraseOf(file: string): string {
  const [first = '', ...more] = linesOf(file)
  if (first === '' || more.some((line) => line !== ''))
    throw new Failure(`${file}: expected a passphrase in its first line and nothing more`)
  return first
}

function linesOf(file: string): string[] {
  try {
    if (statSync(file).size > MOST_OF_FILE) throw new Failure(`${file} is too long to be a key`)
    return readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.trim())
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure(`cannot read ${file}: ${fileProblem(error)}`, { cause: error })
  }
}

async function asked(question: string): Promise<string> {
  const terminal = openTerminal()
  try {
    const answer = await terminal.askSecret(question)
    if (answer === '') throw new Failure('expected a passphrase, got an empty line')
    return answer
  } finally {
    terminal.close()
  }
}
