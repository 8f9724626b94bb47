import { type ReactElement, useEffect, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { WORK } from '../words/work/en.ts'

/** What a browser that reads codes has for it; the types of pages have none of it yet. */
interface CodeReader {
  detect(source: HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]>
}

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

/** Looks through the camera until a code is read; a browser that cannot says so. Nothing of the picture leaves the browser. */
function CameraDialog({ onCode, onClose }: CameraProps): ReactElement {
  const video = useRef<HTMLVideoElement>(null)
  const [problem, setProblem] = useState<string>()
  const took = useRef(onCode)
  took.current = onCode
  useEffect(() => {
    const over = new AbortController()
    readCodes(video.current!, over.signal)
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

/** The first code that the camera sees. Throws an Error for people where there is no camera or nothing that reads codes. */
async function readCodes(
  video: HTMLVideoElement,
  signal: AbortSignal,
): Promise<string | undefined> {
  const Reader = (globalThis as { BarcodeDetector?: new () => CodeReader }).BarcodeDetector
  if (!Reader) throw new Error(WORK.noReader)
  const stream = await navigator.mediaDevices
    ?.getUserMedia({ video: { facingMode: 'environment' } })
    .catch(() => undefined)
  if (!stream) throw new Error(WORK.noCamera)
  const end = (): void => {
    for (const track of stream.getTracks()) track.stop()
  }
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  video.srcObject = stream
  await video.play()
  const reader = new Reader()
  while (!signal.aborted) {
    const [found] = await reader.detect(video)
    if (found) {
      end()
      return found.rawValue
    }
    await new Promise((next) => setTimeout(next, 150))
  }
  return undefined
}
