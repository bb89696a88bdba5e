import { useEffect, useState } from 'react'
import {
  closeHandoff,
  deleteHandoffPhoto,
  openHandoff,
  stageHandoffPhoto,
} from '#contract/people/kyc-handoff.ts'
import { useAction } from '../../kernel/actions/use-action.ts'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { LoginFrame } from '../../kernel/layout/login-frame.tsx'
import { page } from '../../kernel/routes/page.ts'
import { LoadFailed } from '../../kernel/actions/load-failed.tsx'
import { call, CallFailed, callWithProgress } from '../../kernel/call/call.ts'
import { Button } from '../../kernel/ui/button.tsx'
import { FormStatus, Message } from '../../kernel/ui/form-status.tsx'
import { Loading } from '../../kernel/ui/loading.tsx'
import { PhotoField } from '../photo-field.tsx'
import { type PhotoPlace, usePhotos } from '../use-photos.ts'
import { deletePhoneCredentials, readPhoneCredentials } from './phone-memory.ts'

/**
 * `none`: no link. `refused`: the link is no longer valid. `failed`: no response. `over`: ended on the computer, or
 * expired.
 */
type PhoneState =
  | { name: 'opening' | 'none' | 'refused' | 'over' | 'done' }
  | { name: 'failed'; failure: unknown }
  | { name: 'open'; secret: string; expiresAt: string; room: number; received: number }

type UsedPhone = {
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
function usePhone(): UsedPhone {
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

/** Why nothing can be sent, and what to do. */
const ends: Readonly<Partial<Record<PhoneState['name'], PlainKey>>> = {
  none: 'kyc.phone.none',
  refused: 'kyc.phone.refused',
  over: 'kyc.phone.over',
  done: 'kyc.phone.done',
}

/**
 * Sends photos to an application that is open on a computer. There is no session here, and nothing can be read back.
 */
function KycPhoneView() {
  const { t } = useMessages()
  const phone = usePhone()
  const { state } = phone
  const end = ends[state.name]
  return (
    <LoginFrame heading={t('kyc.phone.heading')} lead={end ? undefined : t('kyc.phone.lead')}>
      <div role="status">
        {end && (
          <Message kind={state.name === 'done' ? 'good' : 'note'}>
            <p>{t(end)}</p>
          </Message>
        )}
      </div>
      {state.name === 'opening' && <Loading label={t('forms.loading')} />}
      {state.name === 'failed' && (
        <LoadFailed title={t('kyc.phone.failed')} failure={state.failure} retry={phone.retry} />
      )}
      {state.name === 'open' && <Sending phone={phone} room={state.room} received={state.received} />}
    </LoginFrame>
  )
}

function Sending({ phone, room, received }: { phone: UsedPhone; room: number; received: number }) {
  const { t } = useMessages()
  // Photos sent before a reload count toward the limit but are not shown, because this page cannot read them.
  const max = Math.max(0, room - received)
  const photos = usePhotos(phone.place, max)
  const { isBusy, error, run } = useAction()
  const isSending = photos.isReading || photos.list.some(({ upload }) => upload.state === 'sending')
  const sent = received + photos.list.filter(({ upload }) => upload.state === 'stored').length

  return (
    <>
      <Message kind="note">
        <p>{t('kyc.phone.warning')}</p>
      </Message>
      {max > 0 && <PhotoField photos={photos} max={max} isErrorDue={false} onTouched={() => {}} />}
      <p role="status">{sent > 0 && t('kyc.phone.sent', { count: sent })}</p>
      <Button busy={isBusy} disabled={isSending || sent === 0} onClick={() => void run(phone.done)}>
        {t('kyc.phone.finish')}
      </Button>
      <FormStatus error={error} />
    </>
  )
}

export default page({ View: KycPhoneView })
