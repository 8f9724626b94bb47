import { type ReactElement, useId, useState } from 'react'
import type { ResourceInfo } from '../data/types.ts'
import { csvOf, rowsOfCsv } from '../list/csv.ts'
import { Button } from '../ui/button.tsx'
import { LongField } from '../ui/fields.tsx'
import { Icon } from '../ui/icon.tsx'
import { WORDS } from '../words/en.ts'
import { type GivenFile, readGiven, type Target, tableFile } from './table-file.ts'

interface FileStepProps {
  readonly resource: ResourceInfo
  readonly targets: readonly Target[]
  readonly onFile: (file: GivenFile) => void
}

/** Takes a file: dropped, chosen, or pasted from a spreadsheet. */
export function FileStep({ resource, targets, onFile }: FileStepProps): ReactElement {
  const id = useId()
  const [pasted, setPasted] = useState('')
  const [isOver, setOver] = useState(false)
  const take = (file: File | undefined): void => {
    if (file) void readGiven(file).then(onFile)
  }
  const sample = targets.filter(({ isRequired, field }) => isRequired || field.in_list).slice(0, 12)
  const head = csvOf([sample.map(({ path }) => path)])
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the field in it does the same */}
      <div
        className="drop"
        data-over={isOver}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          take(event.dataTransfer.files[0])
        }}
      >
        <Icon name="upload" size={24} />
        <label htmlFor={id}>{WORDS.chooseTable}</label>
        <input
          id={id}
          type="file"
          accept=".csv,.tsv,.txt,.json,.jsonl"
          onChange={(event) => take(event.currentTarget.files?.[0])}
        />
        <p className="quiet">{WORDS.fileHint}</p>
        <a
          href={`data:text/csv;charset=utf-8,${encodeURIComponent(head)}`}
          download={`${resource.slug}.csv`}
        >
          {WORDS.emptyTable}
        </a>
      </div>
      <LongField label={WORDS.pasteRows} value={pasted} onChange={setPasted} />
      <div className="import-actions">
        <Button
          kind="primary"
          disabled={pasted.trim() === ''}
          onClick={() => onFile(tableFile('pasted.csv', rowsOfCsv(pasted)))}
        >
          {WORDS.goOn}
        </Button>
      </div>
    </>
  )
}
