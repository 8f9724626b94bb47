import { type ReactElement, useEffect, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { WORK } from '../words/work/en.ts'
import { readCode } from './read-code.ts'

interface CodeFieldProps {
  /** Takes what was typed or read. */
  readonly onCode: (code: string) => void
  /** Hears of what is typed, for who shows what it finds. */
  readonly onText?: (text: string) => void
}

/** A field for a name, code or barcode: it takes what a scanner types, which ends with Enter, and what a camera reads. */
export function CodeField({ onCode, onText }: CodeFieldProps): ReactElement {
  const [text, setText] = useState('')
  const [isReading, setReading] = useState(false)
  const change = (next: string): void => {
    setText(next)
    onText?.(next)
  }
  return (
    <div className="code-field">
      <Icon name="scan-barcode" size={16} />
      <input
        type="search"
        data-search
        aria-label={WORK.findItem}
        placeholder={WORK.findItem}
        autoComplete="off"
        value={text}
        onChange={(event) => change(event.currentTarget.value)}
        onKeyDown={(event) => {
          const code = event.currentTarget.value.trim()
          if (event.key !== 'Enter' || code === '') return
          event.preventDefault()
          change('')
          onCode(code)
        }}
      />
      <Button icon="camera" onClick={() => setReading(true)}>
        {WORK.camera}
      </Button>
      {isReading ? (
        <CameraDialog
          onClose={() => setReading(false)}
          onCode={(code) => {
            setReading(false)
            change('')
            onCode(code)
          }}
        />
      ) : null}
    </div>
  )
}

interface CameraProps {
  readonly onCode: (code: string) => void
  readonly onClose: () => void
}

/** Looks through the camera until a code is read; where there is none it says so. Nothing of the picture leaves the browser. */
function CameraDialog({ onCode, onClose }: CameraProps): ReactElement {
  const video = useRef<HTMLVideoElement>(null)
  const [problem, setProblem] = useState<string>()
  const took = useRef(onCode)
  took.current = onCode
  useEffect(() => {
    const over = new AbortController()
    readCode(video.current!, over.signal)
      .then((code) => code !== undefined && took.current(code))
      .catch((error: Error) => !over.signal.aborted && setProblem(error.message))
    return () => over.abort()
  }, [])
  return (
    <Dialog title={WORK.camera} onClose={onClose}>
      {problem ? <p role="alert">{problem}</p> : <p className="quiet">{WORK.cameraHint}</p>}
      <video ref={video} className="camera" muted playsInline hidden={problem !== undefined} />
      <div className="dialog-actions">
        <Button onClick={onClose}>{WORK.closeCamera}</Button>
      </div>
    </Dialog>
  )
}
