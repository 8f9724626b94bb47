import { type ReactElement, useId, useRef, useState } from 'react'
import { useDesk } from '../boot/desk-context.ts'
import { useShownRecord } from '../record/record-context.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { WORDS } from '../words/en.ts'
import { useServing } from './serving.ts'
import { isPicture, thumbOf, uploadFile } from './upload.ts'

interface AttachProps {
  readonly label: string
  readonly description: string | undefined
  readonly error: string | undefined
  readonly required: boolean
  readonly name: string
  /** Address of the file. */
  readonly value: string
  readonly onChange: (address: string | null) => void
}

/** A field that holds a file: chosen or dropped on it, with its small picture. */
export function AttachField(props: AttachProps): ReactElement {
  const { label, description, error, required, name, value, onChange } = props
  const { client } = useDesk()
  const files = useServing('files')
  const shown = useShownRecord()
  const [share, setShare] = useState<number>()
  const [failed, setFailed] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  async function take(file: File | undefined): Promise<void> {
    if (!file || !files) return
    setFailed(undefined)
    setShare(0)
    try {
      const { resource, record } = shown ?? {}
      const of =
        resource && record ? { slug: resource.slug, id: record.id, field: name } : undefined
      onChange((await uploadFile(client, files.slug, file, of, setShare)).file_url)
    } catch (problem) {
      setFailed((problem as Error).message)
    }
    setShare(undefined)
  }
  const wrong = error ?? failed
  const fileName = decodeURIComponent(value.split('/').at(-1) ?? '')
  return (
    <fieldset
      aria-label={label}
      className="field attach-field"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        event.stopPropagation()
        void take(event.dataTransfer.files[0])
      }}
    >
      <label htmlFor={id}>
        {label}
        {required ? <span className="asterisk"> *</span> : null}
      </label>
      <div className="attached">
        {value === '' ? null : (
          <>
            <span className="file-mark">
              {isPicture(value) ? <img src={thumbOf(value)} alt="" /> : <Icon name="file" />}
            </span>
            <a href={value} target="_blank" rel="noopener" className="file-name">
              {fileName}
            </a>
            <IconButton icon="x" label={WORDS.remove(label)} onClick={() => onChange(null)} />
          </>
        )}
        {share === undefined ? (
          <Button icon="paperclip" onClick={() => input.current?.click()}>
            {value === '' ? WORDS.browseFile : WORDS.otherFile}
          </Button>
        ) : (
          <progress aria-label={label} value={share} max={1} />
        )}
      </div>
      <input
        ref={input}
        id={id}
        name={name}
        type="file"
        className="visually-hidden"
        tabIndex={-1}
        aria-invalid={wrong !== undefined}
        onChange={(event) => void take(event.currentTarget.files?.[0])}
      />
      {wrong ? <p className="field-error">{wrong}</p> : null}
      {description ? <p className="field-hint">{description}</p> : null}
    </fieldset>
  )
}
