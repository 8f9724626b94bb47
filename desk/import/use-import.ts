import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useDesk } from '../boot/desk-context.ts'
import type { Client } from '../data/client.ts'
import { followJob, hasEnded, type Job, readJob, tellJob } from '../data/jobs.ts'
import type { ResourceInfo } from '../data/types.ts'
import { useToast } from '../ui/toast.tsx'
import { WORDS } from '../words/en.ts'
import {
  type GivenFile,
  likelyMapping,
  type Mapping,
  type Target,
  tableFile,
  targetsOf,
} from './table-file.ts'

/** How the records of a file are brought in. */
export interface ImportChoices {
  readonly upsert: boolean
  readonly submit: boolean
}

/** An import at work. */
export interface Import {
  readonly targets: readonly Target[]
  readonly file: GivenFile | undefined
  readonly mapping: Mapping
  readonly choices: ImportChoices
  /** The trial, and then the import itself. */
  readonly job: Job | undefined
  readonly isTrial: boolean
  readonly isBusy: boolean
  readonly take: (file: GivenFile | undefined) => void
  readonly map: (heading: string, path: string | null) => void
  readonly choose: (choices: ImportChoices) => void
  /** Writes a cell of the file anew. */
  readonly mend: (row: number, column: number, text: string) => void
  readonly send: (isTrial: boolean) => Promise<void>
  readonly stop: () => void
  readonly undo: () => Promise<void>
}

/** An import of records of a resource. The job of it stands in the address, so that a reload finds it again. */
export function useImport(resource: ResourceInfo): Import {
  const { client } = useDesk()
  const tell = useToast()
  const [path, navigate] = useLocation()
  const address = new URLSearchParams(useSearch()).get('job')
  const [file, setFile] = useState<GivenFile>()
  const [mapping, setMapping] = useState<Mapping>({})
  const [choices, choose] = useState<ImportChoices>({ upsert: false, submit: false })
  const [job, setJob] = useState<Job>()
  const undone = useUndone(resource, setJob)
  const [isTrial, setTrial] = useState(true)
  const targets = targetsOf(resource)

  useJobInAddress(address, (found) => {
    setTrial(false)
    setJob(found)
  })

  function take(given: GivenFile | undefined): void {
    setFile(given)
    setJob(undefined)
    setTrial(true)
    if (address !== null) navigate(path)
    if (given?.rows) setMapping(likelyMapping(given.rows[0] ?? [], targets))
  }

  async function send(trial: boolean): Promise<void> {
    if (!file) return
    setTrial(trial)
    try {
      const begun = await sendFile(client, resource.slug, {
        file,
        mapping,
        choices,
        isTrial: trial,
      })
      setJob(begun)
      if (trial) await followJob(client, begun, { tell: setJob })
      else navigate(`${path}?${new URLSearchParams({ job: begun.id })}`)
    } catch (error) {
      setJob(undefined)
      tell((error as Error).message, 'problem')
    }
  }

  return {
    targets,
    file,
    mapping,
    choices,
    job,
    isTrial,
    isBusy: job !== undefined && !hasEnded(job),
    take,
    map: (heading, to) => {
      setJob(undefined)
      setMapping({ ...mapping, [heading]: to })
    },
    choose: (next) => {
      setJob(undefined)
      choose(next)
    },
    mend: (row, column, text) => {
      if (!file?.rows) return
      const rows = file.rows.map((cells, at) =>
        at === row ? cells.map((cell, place) => (place === column ? text : cell)) : cells,
      )
      setFile(tableFile(file.name, rows))
    },
    send,
    stop: () => {
      if (job) void tellJob(client, job.id, 'stop').catch(() => undefined)
    },
    undo: () => undone(job),
  }
}

/** Follows the job that the address names to its end. */
function useJobInAddress(address: string | null, onJob: (job: Job) => void): void {
  const { client } = useDesk()
  const queries = useQueryClient()
  const tell = useToast()
  const told = useRef(onJob)
  told.current = onJob
  useEffect(() => {
    if (address === null) return
    const gone = new AbortController()
    const how = { tell: (job: Job) => told.current(job), signal: gone.signal }
    readJob(client, address)
      .then((found) => followJob(client, found, how))
      .then(() => queries.invalidateQueries({ queryKey: ['list'] }))
      .catch((error: Error) => tell(error.message, 'problem'))
    return () => gone.abort()
  }, [address, client, queries, tell])
}

/** Takes an import back, and shows it as it is then. */
function useUndone(
  { slug }: ResourceInfo,
  onJob: (job: Job) => void,
): (job: Job | undefined) => Promise<void> {
  const { client } = useDesk()
  const queries = useQueryClient()
  const tell = useToast()
  return async (job) => {
    if (!job) return
    try {
      const end = await followJob(client, await tellJob(client, job.id, 'undo'), { tell: () => {} })
      onJob(await readJob(client, job.id))
      await queries.invalidateQueries({ queryKey: ['list', slug] })
      if (end.failed.length === 0) tell(WORDS.undone)
      else tell(WORDS.bulkFailed(end.failed.length), 'problem')
    } catch (error) {
      tell((error as Error).message, 'problem')
    }
  }
}

interface Sent {
  readonly file: GivenFile
  readonly mapping: Mapping
  readonly choices: ImportChoices
  readonly isTrial: boolean
}

async function sendFile(
  client: Client,
  slug: string,
  { file, mapping, choices, isTrial }: Sent,
): Promise<Job> {
  const form = new FormData()
  form.set('resource', slug)
  form.set('dry_run', String(isTrial))
  if (choices.upsert) form.set('upsert', 'true')
  if (choices.submit) form.set('submit', 'true')
  if (file.rows) form.set('mapping', JSON.stringify(mapping))
  form.set('file', file.blob, file.name)
  const sending = { method: 'POST', body: form }
  return (await client.ask<{ job: Job }>('/v1/imports', sending)).body.job
}
