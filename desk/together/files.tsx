import { useQuery } from '@tanstack/react-query'
import { type ReactElement, useRef, useState } from 'react'
import { useBesideStore } from '../beside/beside-context.ts'
import { kindOf, mayBeShown } from '../beside/file-kind.ts'
import { useDesk } from '../boot/desk-context.ts'
import { useResource } from '../data/queries.ts'
import type { RecordData, ResourceInfo } from '../data/types.ts'
import { IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { useToast } from '../ui/toast.tsx'
import { WORDS } from '../words/en.ts'
import { aboutFields, useServing } from './serving.ts'
import { isPicture, type KeptFile, removeFile, sizeText, thumbOf, uploadFile } from './upload.ts'
import { useDrop } from './use-drop.ts'
import { useTellAgain } from './use-timeline.ts'

interface FilesProps {
  readonly resource: ResourceInfo
  readonly record: RecordData
}

/** Files that are shown of one record. */
const MOST = 50

/** The files of a record; others are chosen, dropped on the page, or pasted. */
export function Files({ resource, record }: FilesProps): ReactElement | null {
  const files = useServing('files')
  const { data } = useAttached(resource, record.id)
  const upload = useUploads(resource.slug, record.id)
  const isOver = useDrop(upload.take)
  const input = useRef<HTMLInputElement>(null)
  if (!files) return null
  const mayAdd = files.can.includes('create')
  return (
    <section aria-label={WORDS.files} className="files" data-over={isOver}>
      <header>
        <h2>{WORDS.files}</h2>
        {mayAdd ? (
          <button type="button" className="link-button" onClick={() => input.current?.click()}>
            <Icon name="paperclip" size={14} />
            {WORDS.attach}
          </button>
        ) : null}
      </header>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={WORDS.attach}
        onChange={(event) => {
          upload.take([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
      <ul>
        {(data ?? []).map((file) => (
          <FileLine key={file.id} file={file} onRemove={() => void upload.remove(file)} />
        ))}
        {upload.running.map(({ key, name, share }) => (
          <li key={key}>
            <span className="file-mark">
              <Icon name="file" />
            </span>
            <span className="file-name">{name}</span>
            <progress aria-label={name} value={share} max={1} />
          </li>
        ))}
      </ul>
      {mayAdd && data?.length === 0 && upload.running.length === 0 ? (
        <p className="quiet">{WORDS.dropHint}</p>
      ) : null}
    </section>
  )
}

function FileLine({ file, onRemove }: { file: KeptFile; onRemove: () => void }): ReactElement {
  const { formats } = useDesk()
  const show = useShowing()
  const { file_name: name, file_url: address, file_size: size } = file
  return (
    <li>
      <span className="file-mark">
        {isPicture(name) ? (
          <img src={thumbOf(address)} alt="" loading="lazy" />
        ) : (
          <Icon name="file" />
        )}
      </span>
      <a href={address} target="_blank" rel="noopener" className="file-name">
        {name}
      </a>
      {size ? <span className="quiet">{sizeText(size, formats.locale)}</span> : null}
      {mayBeShown(name) ? (
        <IconButton icon="eye" label={WORDS.showBeside(name)} onClick={() => void show(file)} />
      ) : null}
      <IconButton icon="x" label={WORDS.remove(name)} onClick={onRemove} />
    </li>
  )
}

/** Shows a file that is kept beside the form of its record. */
function useShowing(): (file: KeptFile) => Promise<void> {
  const store = useBesideStore()
  const tell = useToast()
  return async ({ id: key, file_name: name, file_url: address }) => {
    try {
      const answer = await fetch(address)
      if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`)
      const content = await answer.blob()
      store.add({ key, name, content, kind: await kindOf(content, name), state: 'kept' })
    } catch (error) {
      tell(`${name}: ${(error as Error).message}`, 'problem')
    }
  }
}

/** The files of a record, newest first. */
function useAttached({ doctype, slug }: ResourceInfo, id: string) {
  const { client } = useDesk()
  const files = useServing('files')
  const { data: info } = useResource(files?.slug ?? '', files !== undefined)
  const about = info && aboutFields(info.fields)
  return useQuery({
    queryKey: ['attached', slug, id],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({
        [about!.kind]: doctype,
        [about!.record]: id,
        fields: 'id,file_name,file_url,file_size',
        limit: String(MOST),
      })
      const answer = await client.ask<{ data: readonly KeptFile[] }>(
        `/v1/${files!.slug}?${query}`,
        {
          signal,
        },
      )
      return answer.body.data
    },
    enabled: about !== undefined,
  })
}

interface Running {
  readonly key: string
  readonly name: string
  readonly share: number
}

/** Uploads to a record, each with how much of it has gone. */
function useUploads(slug: string, id: string) {
  const { client } = useDesk()
  const files = useServing('files')
  const tell = useToast()
  const again = useTellAgain()
  const [running, setRunning] = useState<readonly Running[]>([])

  async function upload(file: File): Promise<void> {
    const key = crypto.randomUUID()
    setRunning((all) => [...all, { key, name: file.name, share: 0 }])
    try {
      await uploadFile(client, files!.slug, file, { slug, id }, (share) =>
        setRunning((all) => all.map((one) => (one.key === key ? { ...one, share } : one))),
      )
      await again(slug, id)
    } catch (error) {
      tell(`${file.name}: ${(error as Error).message}`, 'problem')
    }
    setRunning((all) => all.filter((one) => one.key !== key))
  }

  async function remove(file: KeptFile): Promise<void> {
    try {
      await removeFile(client, files!.slug, file.id)
      await again(slug, id)
    } catch (error) {
      tell((error as Error).message, 'problem')
    }
  }

  const take = (all: readonly File[]): void => {
    if (files?.can.includes('create')) for (const file of all) void upload(file)
  }
  return { running, take, remove }
}
