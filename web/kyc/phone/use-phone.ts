import { useEffect, useState } from 'react'
import { closeHandoff, deleteHandoffPhoto, openHandoff, stageHandoffPhoto } from '#contract/kyc-handoff.ts'
import { call, CallFailed, callWithProgress } from '../../call/call.ts'
import type { PhotoPlace } from '../use-photos.ts'
import { deletePhoneCredentials, readPhoneCredentials } from './phone-memory.ts'

/**
 * `none`: no link. `refused`: the link is no longer valid. `failed`: no response. `over`: ended on the computer, or
 * expired.
 */
export type PhoneState =
  | { name: 'opening' | 'none' | 'refused' | 'over' | 'done' }
  | { name: 'failed'; failure: unknown }
  | { name: 'open'; secret: string; expiresAt: string; room: number; received: number }

export type UsedPhone = {
  state: PhoneState
  /** Where photos are sent. Has no effect unless the link is open. */
  place: PhotoPlace
  retry(): void
  done(): Promise<void>
}

type SetState = (state: PhoneState) => void

function begin(setState: SetState): void {
  const memory = readPhoneCredentials()
  if (!memory) return setState({ name: 'none' })
  setState({ name: 'opening' })
  call(openHandoff, { body: memory }).then(
    (opened) => setState({ name: 'open', secret: memory.secret, ...opened }),
    (failure: unknown) => {
      const isRefused = failure instanceof CallFailed && failure.code === 'not_found'
      if (isRefused) deletePhoneCredentials()
      setState(isRefused ? { name: 'refused' } : { name: 'failed', failure })
    },
  )
}

/** The phone's side of a device link: opens the link from the address and sends photos. */
export function usePhone(): UsedPhone {
  const [state, setState] = useState<PhoneState>({ name: 'opening' })

  useEffect(() => {
    const start = () => begin(setState)
    start()
    // Another code was scanned in the same tab.
    addEventListener('hashchange', start)
    return () => removeEventListener('hashchange', start)
  }, [])

  const expiresAt = state.name === 'open' ? state.expiresAt : null
  useEffect(() => {
    if (expiresAt === null) return undefined
    const timer = setTimeout(() => setState({ name: 'over' }), Date.parse(expiresAt) - Date.now())
    return () => clearTimeout(timer)
  }, [expiresAt])

  const phoneSecret = state.name === 'open' ? state.secret : ''
  const noticeEnd = (failure: unknown): never => {
    if (failure instanceof CallFailed && failure.code === 'session_expired') {
      deletePhoneCredentials()
      setState({ name: 'over' })
    }
    throw failure
  }
  return {
    state,
    place: {
      stage: (photo, onProgress) =>
        callWithProgress(stageHandoffPhoto, { body: { photo }, phoneSecret }, onProgress).catch(noticeEnd),
      drop: (id) => call(deleteHandoffPhoto, { params: { id }, phoneSecret }),
    },
    retry: () => begin(setState),
    done: async () => {
      await call(closeHandoff, { body: null, phoneSecret }).catch(noticeEnd)
      deletePhoneCredentials()
      setState({ name: 'done' })
    },
  }
}
