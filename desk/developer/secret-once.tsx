import { type ReactElement, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { PAGES } from '../words/pages/en.ts'

interface SecretProps {
  readonly title: string
  readonly secret: string
  /** What can be done with it at once. */
  readonly example?: string
  readonly onClose: () => void
}

/** A secret that is shown this once and never again. */
export function SecretOnce({ title, secret, example, onClose }: SecretProps): ReactElement {
  return (
    <Dialog title={title} onClose={onClose} wide>
      <p>{PAGES.shownOnce}</p>
      <Copied text={secret} />
      {example ? (
        <>
          <h3>{PAGES.tryIt}</h3>
          <Copied text={example} />
        </>
      ) : null}
      <div className="dialog-actions">
        <Button kind="primary" onClick={onClose}>
          {PAGES.haveIt}
        </Button>
      </div>
    </Dialog>
  )
}

function Copied({ text }: { text: string }): ReactElement {
  const [isCopied, setCopied] = useState(false)
  return (
    <div className="copied">
      <code>{text}</code>
      <Button
        icon={isCopied ? 'check' : 'copy'}
        onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
      >
        {isCopied ? PAGES.copied : PAGES.copy}
      </Button>
    </div>
  )
}
