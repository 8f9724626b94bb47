import { mkdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { isoDateTime } from '../../engine/base/clock.ts'
import { AppError } from '../../engine/base/errors.ts'
import { fileProblem } from '../../engine/base/file-error.ts'
import type { Engine } from '../../engine/index.ts'
import { checksBeside } from './check-beside.ts'
import { type EditedFile, editedFile } from './edited-file.ts'
import { type DiffLine, lineDiff } from './line-diff.ts'
import { folderDigest, hashOf, put, shownPath, textAt, whyNotWritable } from './own-folder.ts'
import { type ChangedFile, keepSaves, type PastSave, pastSaves } from './past-texts.ts'
import { type Bench, type Trial, tryFiles, UNCHECKED } from './trial.ts'
import { type Wanted, type WantedFile, wantedFiles } from './wanted-files.ts'

/** A DocType as it can be changed. */
export interface Opened {
  readonly edited: EditedFile
  readonly hash: string | null
  readonly file: string
  readonly files: readonly { readonly file: string; readonly text: string }[]
  /** The save that an undo takes back. */
  readonly last: Pick<PastSave, 'at' | 'by'> | undefined
}

/** A wish that was tried. */
export interface Tried extends Trial {
  readonly edited: EditedFile
  readonly file: string
  readonly text: string | null
  readonly diff: readonly DiffLine[]
  /** What an overlay cannot say, by the word. */
  readonly unsayable: readonly { readonly field: string; readonly message: string }[]
  readonly isOk: boolean
  readonly files: readonly WantedFile[]
}

/** What a save or an undo left. */
export interface Saved {
  readonly slug: string | undefined
  readonly file: string
  readonly hash: string | null
}

export interface Wish extends Wanted {
  readonly doctype: string
}

/** Who saves, and what they know of. */
export interface Saving {
  readonly by: string
  /** Hash of the file as it was read; null for none. */
  readonly hash: string | null
  /** Whether what is lost was shown and agreed to. */
  readonly acceptLosses: boolean
}

/** Studio: the definitions of a workspace changed while it runs, in its own folder (docs/decisions/0097-studio.md). */
export interface Studio {
  /** Why nothing can be saved; undefined where it can. */
  whyNot(): string | undefined
  open(doctype: string): Opened
  try(wish: Wish): Promise<Tried>
  /** Throws PRECONDITION_FAILED, VALIDATION_ERROR, CONFLICT and FORBIDDEN; nothing has been changed then. */
  save(wish: Wish, saving: Saving): Promise<Saved>
  /**
   * Adds a file that is no DocType, such as a report, by its path in the folder. Throws FORBIDDEN where nothing can be saved,
   * CONFLICT where there is one, and what a load throws; nothing has been changed then.
   */
  addFile(name: string, text: string): Promise<void>
  /** Takes the last save back. Throws as `save`, CONFLICT also where nothing was saved. */
  undo(doctype: string): Promise<Saved>
}

/** Where Studio writes. */
export interface StudioPlace {
  /** The workspace's own folder of DocTypes, the last of the engine's folders. */
  readonly folder: string
  /** Where the engine keeps definitions that were checked. */
  readonly cacheFolder: string
}

/** Studio of an engine; without a place nothing is opened or saved. */
export function createStudio(engine: Engine, place: StudioPlace | undefined): Studio {
  const check = checksBeside()
  const folder = place?.folder
  const bench = (): Bench => ({ services: engine.services, folder: own(), check })
  const inTurn = turns()
  const own = (): string => {
    if (folder === undefined) throw new AppError('FORBIDDEN', NO_FOLDER)
    return folder
  }
  const whyNot = (): string | undefined =>
    folder === undefined ? NO_FOLDER : whyNotWritable(folder)
  const open = (doctype: string): Opened => opened(engine, own(), doctype)
  /** The last trial, and what it was of: who has looked at it saves just that, and it is not made again. */
  let last: { readonly of: string; readonly tried: Tried } | undefined
  async function attempt(wish: Wish): Promise<Tried> {
    const of = JSON.stringify([wish, engine.services.generation, folderDigest(own())])
    if (last?.of !== of) last = { of, tried: await tried(bench(), wish) }
    return last.tried
  }

  function assertWritable(): void {
    const why = whyNot()
    if (why !== undefined) throw new AppError('FORBIDDEN', `${why}: nothing can be saved here`)
  }

  /** Writes the files and brings the workspace to them; where that fails they are as before. */
  async function bring(files: readonly WantedFile[]): Promise<void> {
    try {
      for (const { path, text } of files) put(path, text)
      // So that the load after it finds what was checked, and holds nobody up.
      if (place) await check({ doctypes: engine.services.folders, cacheFolder: place.cacheFolder })
      await engine.reload()
    } catch (error) {
      for (const { path, before } of files) put(path, before)
      if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
      throw new AppError('UNAVAILABLE', `the file could not be written: ${fileProblem(error)}`, {
        cause: error,
      })
    }
  }

  return {
    whyNot,
    open,
    try: attempt,
    save: (wish, saving) =>
      inTurn(async () => {
        assertWritable()
        const known = textAt(editedOf(engine, own(), wish.doctype).path)
        if (hashOf(known) !== saving.hash) throw changedMeanwhile(open(wish.doctype).file)
        const result = await attempt(wish)
        assertSavable(result, saving.acceptLosses)
        const at = isoDateTime(engine.services.clock)
        const past = { at, by: saving.by, files: result.files.map(changedIn(own())) }
        await bring(result.files)
        keepSaves(own(), wish.doctype, [...pastSaves(own(), wish.doctype), past])
        return { slug: result.slug, file: result.file, hash: hashOf(result.text) }
      }),
    addFile: (name, text) =>
      inTurn(async () => {
        assertWritable()
        await bring([newFile(own(), name, text)])
      }),
    undo: (doctype) =>
      inTurn(async () => {
        assertWritable()
        const saves = pastSaves(own(), doctype)
        const last = saves.at(-1)
        if (!last) throw new AppError('CONFLICT', `nothing was saved of ${doctype} here`)
        const files = last.files.map((file) => filesBefore(own(), file))
        const trial = await tryFiles(bench(), doctype, files)
        assertWithoutMistakes(trial)
        await bring(files)
        keepSaves(own(), doctype, saves.slice(0, -1))
        const [file] = last.files
        return { slug: trial.slug, file: file?.name ?? '', hash: hashOf(file?.before ?? null) }
      }),
  }
}

/** A file that is yet to be made, in a folder that is there. Throws CONFLICT where there is one. */
function newFile(folder: string, name: string, text: string): WantedFile {
  const path = join(folder, name)
  if (textAt(path) !== null)
    throw new AppError('CONFLICT', `there is a file ${name} already; choose another name`)
  mkdirSync(dirname(path), { recursive: true })
  return { path, before: null, text }
}

/** Runs jobs one after the other: each save is tried on what the one before left. */
function turns(): <T>(job: () => Promise<T>) => Promise<T> {
  let turn: Promise<unknown> = Promise.resolve()
  return function inTurn(job) {
    const mine = turn.then(job, job)
    turn = mine.catch(() => undefined)
    return mine
  }
}

const NO_FOLDER = 'this server was started without a folder of definitions of its own'

function editedOf(
  { services }: Pick<Engine, 'services'>,
  folder: string,
  doctype: string,
): EditedFile {
  return editedFile(doctype, services.registry.byDoctype(doctype), folder)
}

function opened(engine: Engine, folder: string, doctype: string): Opened {
  const edited = editedOf(engine, folder, doctype)
  const { folders } = engine.services
  const last = pastSaves(folder, doctype).at(-1)
  return {
    edited,
    hash: hashOf(edited.text),
    file: shownPath(folders, edited.path),
    files: edited.sources.map(({ path, text }) => ({ file: shownPath(folders, path), text })),
    last: last && { at: last.at, by: last.by },
  }
}

async function tried(bench: Bench, wish: Wish): Promise<Tried> {
  const { services, folder } = bench
  const edited = editedOf(bench, folder, wish.doctype)
  const { modules } = services.registry.vocabulary
  const { file, others, problems: unsayable } = wantedFiles(edited, wish, folder, modules)
  const files = [file, ...others].filter(({ before, text }) => before !== text)
  const isSayable = unsayable.length === 0
  const trial = isSayable ? await tryFiles(bench, wish.doctype, files) : UNCHECKED
  const { problems, migration } = trial
  return {
    ...trial,
    edited,
    files,
    unsayable,
    file: shownPath(services.folders, edited.path),
    text: file.text,
    diff: lineDiff(file.before ?? '', file.text ?? ''),
    isOk: isSayable && problems.length === 0 && migration?.refused.length === 0,
  }
}

const changedIn =
  (folder: string) =>
  ({ path, before, text }: WantedFile): ChangedFile => ({
    name: relative(folder, path),
    before,
    after: hashOf(text),
  })

/** The file as a save found it. Throws CONFLICT where it is none any more that the save left. */
function filesBefore(folder: string, { name, before, after }: ChangedFile): WantedFile {
  const path = `${folder}/${name}`
  const now = textAt(path)
  if (hashOf(now) !== after)
    throw new AppError(
      'CONFLICT',
      `${name} was changed after it was saved here, so the save cannot be taken back: edit the file itself`,
    )
  return { path, before: now, text: before }
}

function changedMeanwhile(file: string): AppError {
  return new AppError(
    'PRECONDITION_FAILED',
    `${file} was changed by somebody else since it was read: look at it again, then make your change`,
  )
}

function assertSavable(result: Tried, acceptLosses: boolean): void {
  const { unsayable, losses, files } = result
  if (unsayable.length > 0)
    throw new AppError('VALIDATION_ERROR', unsayable[0]!.message, {
      details: unsayable.map((one) => ({ ...one, code: 'rule' as const })),
    })
  assertWithoutMistakes(result)
  if (files.length === 0)
    throw new AppError('CONFLICT', 'nothing is changed: the file says this already')
  if (losses.length > 0 && !acceptLosses)
    throw new AppError('CONFLICT', `${losses[0]} Send accept_losses: true to do it all the same.`, {
      details: losses.map((message) => ({ field: 'accept_losses', message, code: 'required' })),
    })
}

function assertWithoutMistakes({ problems, migration }: Trial): void {
  const [problem] = problems
  if (problem)
    throw new AppError(
      'VALIDATION_ERROR',
      `${problem.file}:${problem.line}:${problem.column}: ${problem.message}`,
      {
        details: problems.map(({ file, line, column, message }) => ({
          field: `${file}:${line}:${column}`,
          message,
          code: 'rule' as const,
        })),
      },
    )
  const refused = migration?.refused ?? []
  if (refused.length > 0)
    throw new AppError('CONFLICT', `${refused[0]!.sentence}: ${refused[0]!.reason}`, {
      details: refused.map(({ table, sentence, reason, remedy }) => ({
        field: table,
        message: `${sentence}: ${reason}; ${remedy}`,
        code: 'wrong_state' as const,
      })),
    })
}
