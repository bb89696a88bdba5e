import { useCallback, useRef, useState } from 'react'
import { useWords } from '../i18n/words.tsx'
import { failureWords } from './failure-words.ts'

export type Action = {
  isBusy: boolean
  /** The last work was done. */
  isDone: boolean
  /** Why the last work was not done. */
  failure: unknown
  /** The same in words. */
  error: string | undefined
  /** Does the work and keeps what becomes of it; resolved, never rejected, with whether it was done. */
  run: (work: () => Promise<unknown>) => Promise<boolean>
  /** Forgets what has become of the last work. */
  forget: () => void
}

type State = { isBusy: boolean; isDone: boolean; failure: unknown }

const rest: State = { isBusy: false, isDone: false, failure: undefined }

/** Something that a person starts and that may fail: whether it is under way, and why it was not done. */
export function useAction(): Action {
  const { t } = useWords()
  const [state, setState] = useState(rest)
  // Of works that overlap, the one that was started last is told about.
  const latest = useRef<object>(undefined)
  const run = useCallback(async (work: () => Promise<unknown>): Promise<boolean> => {
    const started = {}
    latest.current = started
    const become = (next: State) => latest.current === started && setState(next)
    become({ ...rest, isBusy: true })
    try {
      await work()
      become({ ...rest, isDone: true })
      return true
    } catch (failure) {
      become({ ...rest, failure })
      return false
    }
  }, [])
  const forget = useCallback(() => {
    latest.current = undefined
    setState(rest)
  }, [])
  const { failure } = state
  return { ...state, error: failure === undefined ? undefined : failureWords(t, failure), run, forget }
}
