import { useEffect, useRef, useState } from 'react'
import { checkStepUp } from '#contract/people/sessions.ts'
import { SECOND } from '#contract/platform/durations.ts'
import type { Endpoint } from '#contract/platform/endpoint.ts'
import { call, type Call, callUnseen } from '../call/call.ts'
import { type UsedMessages, useMessages } from '../i18n/messages.tsx'
import { showNotice } from '../notices/notices.ts'
import { failureMessage } from './failure-message.ts'

/** How long an action can be undone. Only then is it sent. */
const undoTime = 10 * SECOND

/** Thrown if the person undid the action before it was sent. */
class Undone extends Error {}

/**
 * Delays an action, so that undoing it needs no counter-action: nothing is sent before the time is over. If the person
 * leaves the page or closes the tab, the action is sent immediately. `isWaiting`: its dialog is hidden meanwhile. If it
 * isn't on, the action can't be undone and is sent at once.
 */
export function useUndo(isOn = true, onWaiting?: (isWaiting: boolean) => void) {
  const { t } = useMessages()
  const [isWaiting, setState] = useState(false)
  const startNow = useRef<() => void>(undefined)
  const isGone = useRef(false)
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
      startNow.current?.()
    }
  }, [])
  const setWaiting = (is: boolean) => {
    setState(is)
    onWaiting?.(is)
  }
  /** Resolves to the function that sends the action, or rejects if it was undone. */
  async function wait(action: string, { errors }: Pick<Endpoint, 'errors'>): Promise<Call> {
    if (!isOn) return call
    // When the tab is closing, it is too late to ask for a password.
    if (errors.includes('step_up_required')) await call(checkStepUp, { body: null })
    setWaiting(true)
    const delayed = delay(t, action)
    startNow.current = delayed.startNow
    return delayed.send.finally(() => (startNow.current = undefined))
  }
  /**
   * Shows the dialog again after a failure. Returns whether that is all: the action was undone, or its page was left and
   * the failure is told in a notice.
   */
  function fail(failure: unknown): boolean {
    setWaiting(false)
    if (failure instanceof Undone) return true
    if (isGone.current) showNotice(failureMessage(t, failure), 'error')
    return isGone.current
  }
  return {
    isWaiting,
    /** What the dialog says about it. */
    note: isOn ? t('console.undo.note', { seconds: undoTime / SECOND }) : '',
    wait,
    fail,
    isGone: () => isGone.current,
    /** The properties of a `ConfirmDialog` whose step sends with `send`. */
    confirming: <Done>(
      label: string,
      step: (send: Call) => Promise<Done> | null,
      onFailure?: (failure: unknown) => boolean,
    ) => ({
      label,
      isHidden: isWaiting,
      step: () => step(async (endpoint, input) => (await wait(label, endpoint))(endpoint, input)),
      onFailure: (failure: unknown) => fail(failure) || (onFailure?.(failure) ?? false),
    }),
  }
}

/** Offers to undo the action until its time is over or the tab closes. */
function delay(t: UsedMessages['t'], action: string): { send: Promise<Call>; startNow: () => void } {
  const { promise, resolve, reject } = Promise.withResolvers<Call>()
  const end = () => {
    clearTimeout(timer)
    removeEventListener('pagehide', leave)
    // The focus would disappear with the notice.
    if (document.activeElement?.closest('[data-place]'))
      document.getElementById('main')?.focus({ preventScroll: true })
    dismiss()
  }
  const start = (send: Call) => {
    end()
    resolve(send)
  }
  const leave = () => start((endpoint, input) => callUnseen(endpoint, input, { isLast: true }))
  const undo = () => {
    end()
    reject(new Undone())
  }
  const timer = setTimeout(() => start(call), undoTime)
  addEventListener('pagehide', leave)
  const text = t('console.undo.waiting', { action, seconds: undoTime / SECOND })
  const dismiss = showNotice(text, 'info', { label: t('console.undo'), run: undo, isOffer: true })
  return { send: promise, startNow: () => start(call) }
}
