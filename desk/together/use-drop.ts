import { useEffect, useEffectEvent, useState } from 'react'

/** Files that are dropped anywhere on the page or pasted outside fields; answers whether some are held over it. */
export function useDrop(take: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false)
  const taken = useEffectEvent(take)
  useEffect(() => {
    const own = new AbortController()
    const listen = { signal: own.signal }
    const hasFiles = (event: DragEvent): boolean =>
      event.dataTransfer?.types.includes('Files') === true
    addEventListener(
      'dragover',
      (event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(true)
      },
      listen,
    )
    addEventListener(
      'dragleave',
      (event) => {
        if (event.relatedTarget === null) setOver(false)
      },
      listen,
    )
    addEventListener('drop', () => setOver(false), { ...listen, capture: true })
    addEventListener(
      'drop',
      (event) => {
        if (!hasFiles(event) || event.defaultPrevented) return
        event.preventDefault()
        taken([...(event.dataTransfer?.files ?? [])])
      },
      listen,
    )
    addEventListener(
      'paste',
      (event) => {
        const files = [...(event.clipboardData?.files ?? [])]
        if (files.length === 0 || event.defaultPrevented) return
        event.preventDefault()
        taken(files)
      },
      listen,
    )
    return () => own.abort()
  }, [])
  return isOver
}
