import { useCallback, useEffect, useRef, useState } from 'react'
import { SECOND } from '#contract/platform/durations.ts'
import { CallFailed } from '../call/call-failed.ts'
import { useMessages } from '../i18n/messages.tsx'
import { failureMessage } from './failure-message.ts'

type Action = {
  isBusy: boolean
  /** The last run succeeded. */
  isDone: boolean
  /** Why the last run failed. */
  failure: unknown
  /** The failure as a message. */
  error: string | undefined
  /** Runs the work and keeps its outcome. Never rejects; resolves to whether the work succeeded. */
  run: (work: () => Promise<unknown>) => Promise<boolean>
  /** Clears the outcome of the last run. */
  reset: () => void
}

type State = { isBusy: boolean; isDone: boolean; failure: unknown }

const rest: State = { isBusy: false, isDone: false, failure: undefined }

/** An action that a person starts and that can fail, with its progress and its failure. */
export function useAction(): Action {
  const { t } = useMessages()
  const [state, setState] = useState(rest)
  // If runs overlap, only the outcome of the latest one is reported.
  const latest = useRef<object>(undefined)
  const from = useRef<Element>(null)
  const run = useCallback(async (work: () => Promise<unknown>): Promise<boolean> => {
    const started = {}
    latest.current = started
    from.current = document.activeElement
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
  const reset = useCallback(() => {
    latest.current = undefined
    setState(rest)
  }, [])
  const { failure, isBusy } = state
  useEffect(() => {
    if (!isBusy) returnFocus(from.current)
  }, [isBusy])
  useEffect(() => whenOver(failure, reset), [failure, reset])
  return { ...state, error: failure === undefined ? undefined : failureMessage(t, failure), run, reset }
}

/** A button loses the focus while its action disables it, and a dialog that opens meanwhile can't return it. */
function returnFocus(to: Element | null): void {
  if (to instanceof HTMLElement && document.activeElement === document.body) to.focus()
}

/** A message disappears with its cause, in this case when the waiting time is over. */
function whenOver(failure: unknown, reset: () => void): (() => void) | undefined {
  const isWait = failure instanceof CallFailed && failure.code === 'rate_limited'
  if (!isWait || !failure.retryAfterSeconds) return undefined
  const timer = setTimeout(reset, failure.retryAfterSeconds * SECOND)
  return () => clearTimeout(timer)
}
