import { type ReactElement, useEffect, useMemo, useState } from 'react'
import { WORDS } from '../words/en.ts'
import type { BesideFile } from './beside-store.ts'

/** Type that a paper is shown as, whatever it says itself: nothing else is ever drawn in a frame. */
const PDF = 'application/pdf'

/** How the browser's viewer begins: as wide as there is room, without a column of small pages. */
const VIEW = '#view=FitH&navpanes=0'

/** What is in a file, as the browser shows it. */
export function ShownFile({ file }: { file: BesideFile }): ReactElement | null {
  if (file.kind === 'pdf') return <Paper file={file} />
  return file.kind === 'picture' ? <Picture file={file} /> : null
}

function Paper({ file: { name, content } }: { file: BesideFile }): ReactElement | null {
  const paper = useMemo(() => content.slice(0, content.size, PDF), [content])
  const address = useAddress(paper)
  if (!address) return null
  // Browsers of phones have no viewer of their own within a page.
  return navigator.pdfViewerEnabled ? (
    <iframe className="shown" src={`${address}${VIEW}`} title={name} />
  ) : (
    <a className="button" href={address} target="_blank" rel="noopener">
      {WORDS.open(name)}
    </a>
  )
}

function Picture({ file: { name, content } }: { file: BesideFile }): ReactElement | null {
  const address = useAddress(content)
  const [isLarge, setLarge] = useState(false)
  const [isBroken, setBroken] = useState(false)
  if (isBroken) return <p className="quiet">{WORDS.notShown}</p>
  return address ? (
    <div className="shown">
      <button
        type="button"
        aria-label={WORDS.enlarge(name)}
        aria-pressed={isLarge}
        onClick={() => setLarge(!isLarge)}
      >
        <img src={address} alt={name} onError={() => setBroken(true)} />
      </button>
    </div>
  ) : null
}

/** Address of a content within this page, while it is drawn. */
function useAddress(content: Blob): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(content)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [content])
  return address
}
