import type { KeyTaking } from '../../i18n/message-key.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { Button } from '../../ui/button.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { hasRoom } from '../photos.ts'
import type { Photos } from '../use-photos.ts'
import styles from './handoff-panel.module.css'
import { useHandoff, type PhoneLink, type UsedHandoff } from './use-handoff.ts'

/** The panel for continuing on a phone: a QR code, whether it was opened, and a button to end the link. */
export function HandoffPanel({ photos }: { photos: Photos }) {
  const { t } = useMessages()
  const handoff = useHandoff(photos)
  const { shown, link, arrived, error } = handoff
  const state = stateOf(handoff)
  return (
    <section className={styles.panel} data-state={state} aria-label={t('kyc.handoff.label')}>
      {state === 'waiting' && link && <Waiting link={link} until={shown?.expiresAt ?? ''} />}
      <div role="status" className={styles.said}>
        {state === 'open' && <Open openedAt={shown?.openedAt ?? ''} device={shown?.device ?? ''} />}
        {state === 'ended' && <p>{t(endWords(shown?.openedAt, arrived), { count: arrived })}</p>}
      </div>
      <div>
        <LinkButton handoff={handoff} isFull={!hasRoom(photos.list)} />
      </div>
      <div role="alert" className={styles.failure}>
        {error}
      </div>
    </section>
  )
}

/** After a reload, the code of a link that was not opened is no longer known. */
function stateOf({ shown, link }: UsedHandoff) {
  return shown && (shown.state !== 'waiting' || link) ? shown.state : 'none'
}

/** Creates a link, or ends the current one. */
function LinkButton({ handoff, isFull }: { handoff: UsedHandoff; isFull: boolean }) {
  const { t } = useMessages()
  const { isMaking, make, end } = handoff
  const state = stateOf(handoff)
  return state === 'waiting' || state === 'open' ? (
    <Button kind="quiet" busy={isMaking} onClick={() => void end()}>
      {t(state === 'open' ? 'kyc.handoff.end' : 'kyc.handoff.cancel')}
    </Button>
  ) : (
    <Button kind="quiet" busy={isMaking} disabled={isFull} onClick={() => void make()}>
      {t(state === 'ended' ? 'kyc.handoff.again' : 'kyc.handoff.begin')}
    </Button>
  )
}

function endWords(openedAt: string | null | undefined, arrived: number): KeyTaking<'count'> {
  if (!openedAt) return 'kyc.handoff.unused'
  return arrived > 0 ? 'kyc.handoff.endedWith' : 'kyc.handoff.ended'
}

function Waiting({ link: { address, qr }, until }: { link: PhoneLink; until: string }) {
  const { t, formatDateTime } = useMessages()
  return (
    <div className={styles.waiting}>
      <QrCode qr={qr} label={t('kyc.handoff.qr')} />
      <div className={styles.how}>
        <ol>
          <li>{t('kyc.handoff.step1')}</li>
          <li>{t('kyc.handoff.step2')}</li>
          <li>{t('kyc.handoff.step3')}</li>
        </ol>
        <p>{t('kyc.handoff.once', { time: formatDateTime(until) })}</p>
        <p>{t('kyc.handoff.address')}</p>
        <code>{address}</code>
      </div>
    </div>
  )
}

/** The time and device tell members whether someone else opened the link. */
function Open({ openedAt, device }: { openedAt: string; device: string }) {
  const { t, formatDateTime } = useMessages()
  const time = formatDateTime(openedAt)
  return (
    <>
      <p>
        <strong>
          {device ? t('kyc.handoff.openedOn', { time, device }) : t('kyc.handoff.opened', { time })}
        </strong>
      </p>
      <p>{t('kyc.handoff.openHelp')}</p>
    </>
  )
}
