import { useEffect, useState } from 'react'

/** Whether the browser says that it has no network. */
export function useOffline(): boolean {
  const [isOffline, setOffline] = useState(!navigator.onLine)
  useEffect(() => {
    const change = (): void => setOffline(!navigator.onLine)
    addEventListener('online', change)
    addEventListener('offline', change)
    return () => {
      removeEventListener('online', change)
      removeEventListener('offline', change)
    }
  }, [])
  return isOffline
}
