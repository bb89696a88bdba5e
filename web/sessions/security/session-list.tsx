import { useState } from 'react'
import {
  listSessions,
  revokeOtherSessions,
  revokeSession,
  type SessionSeen,
} from '#contract/people/sessions.ts'
import { call } from '../../kernel/call/call.ts'
import { failureMessage } from '../../kernel/actions/failure-message.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { showNotice } from '../../kernel/notices/notices.ts'
import { LoadFailed } from '../../kernel/actions/load-failed.tsx'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { Button } from '../../kernel/ui/button.tsx'
import { Loading } from '../../kernel/ui/loading.tsx'
import { Tag } from '../../kernel/ui/tag.tsx'
import styles from './security.module.css'

/** The devices where the member is signed in. All except this one can be signed out here. */
export function SessionList() {
  const { t } = useMessages()
  const loaded = useLoaded('sessions', () => call(listSessions, {}))
  const [ending, setEnding] = useState<string>()

  if (loaded.state === 'loading') return <Loading label={t('forms.loading')} />
  if (loaded.state === 'failed')
    return (
      <LoadFailed title={t('security.sessions.loadFailed')} failure={loaded.failure} retry={loaded.retry} />
    )

  const { data: sessions, setData } = loaded
  async function end(session: SessionSeen) {
    setEnding(session.id)
    try {
      await call(revokeSession, { params: { id: session.id } })
      setData(sessions.filter((each) => each.id !== session.id))
      showNotice(t('security.sessions.ended'), 'success')
    } catch (failure) {
      showNotice(failureMessage(t, failure), 'error')
    } finally {
      setEnding(undefined)
    }
  }
  async function endOthers() {
    setEnding('others')
    try {
      await call(revokeOtherSessions, { body: {} })
      setData(sessions.filter(({ current }) => current))
      showNotice(t('security.sessions.othersEnded'), 'success')
    } catch (failure) {
      showNotice(failureMessage(t, failure), 'error')
    } finally {
      setEnding(undefined)
    }
  }
  return (
    <>
      <ul className={styles.list}>
        {sessions.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            isEnding={ending === session.id}
            onEnd={() => void end(session)}
          />
        ))}
      </ul>
      {sessions.length > 1 && (
        <Button kind="danger" busy={ending === 'others'} onClick={() => void endOthers()}>
          {t('security.sessions.endOthers')}
        </Button>
      )}
    </>
  )
}

function SessionRow({
  session,
  isEnding,
  onEnd,
}: {
  session: SessionSeen
  isEnding: boolean
  onEnd: () => void
}) {
  const { t, formatDateTime } = useMessages()
  const name = session.device || t('security.sessions.unknownDevice')
  return (
    <li>
      <div>
        <strong className={styles.device}>{name}</strong>{' '}
        {session.current && <Tag colour="verdigris">{t('security.sessions.this')}</Tag>}
        <p>
          {session.place && <>{t('security.sessions.place', { place: session.place })} · </>}
          {t('security.sessions.lastUsed', { time: formatDateTime(session.lastUsedAt) })} ·{' '}
          {t('security.sessions.since', { time: formatDateTime(session.createdAt) })}
        </p>
      </div>
      {!session.current && (
        <Button
          kind="quiet"
          busy={isEnding}
          aria-label={t('security.sessions.endNamed', { device: name })}
          onClick={onEnd}
        >
          {t('security.sessions.end')}
        </Button>
      )}
    </li>
  )
}
