import { useCallback, useEffect, useState } from 'react'

export type Loaded<Data> =
  | { state: 'loading' }
  | { state: 'failed'; failure: unknown; retry: () => void }
  | { state: 'ready'; data: Data; setData: (data: Data) => void; reload: () => void }

type Held<Data> =
  | { state: 'loading' }
  | { state: 'failed'; failure: unknown }
  | { state: 'ready'; data: Data }

/**
 * Loads data for a view that shows its own loading, error, and empty states. `key` identifies the data: another key
 * reloads. A response that arrives after the key has changed or the view was unmounted is ignored.
 */
export function useLoaded<Data>(key: string, load: () => Promise<Data>): Loaded<Data> {
  const [held, setHeld] = useState<Held<Data>>({ state: 'loading' })
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    let isCurrent = true
    load().then(
      (data) => isCurrent && setHeld({ state: 'ready', data }),
      (failure: unknown) => isCurrent && setHeld({ state: 'failed', failure }),
    )
    return () => {
      isCurrent = false
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `key` represents everything that `load` closes over
  }, [key, attempt])
  const retry = useCallback(() => {
    setHeld({ state: 'loading' })
    setAttempt((before) => before + 1)
  }, [])
  const reload = useCallback(() => setAttempt((before) => before + 1), [])
  const setData = useCallback((data: Data) => setHeld({ state: 'ready', data }), [])
  if (held.state === 'ready') return { ...held, setData, reload }
  return held.state === 'failed' ? { ...held, retry } : held
}
