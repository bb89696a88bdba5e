import { useEffect, useState } from 'react'
import {
  acceptConsents,
  listConsents,
  type Consent,
  dayOfVersion,
  type LegalDocument,
} from '#contract/people/consents.ts'
import { call } from '../kernel/call/call.ts'
import { useAction } from '../kernel/actions/use-action.ts'
import { MoreMessages } from '../kernel/content/more-messages.tsx'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { showNotice } from '../kernel/notices/notices.ts'
import { Button } from '../kernel/ui/button.tsx'
import { FormStatus } from '../kernel/ui/form-status.tsx'
import styles from './consent-request.module.css'
import type { KeyTaking } from '../kernel/i18n/message-key.ts'
import { NewTabLink } from '../kernel/layout/new-tab-link.tsx'
import { pathTo, type RouteName } from '../kernel/routes/routes.ts'

/** Asks once after sign-in, without blocking the page, if the current version of a text has not been accepted yet. */
export function ConsentRequest({ onSettled }: { onSettled: (isAccepted: boolean) => void }) {
  const [due, setDue] = useState<readonly Consent[]>()
  useEffect(() => {
    call(listConsents, {}).then(
      (state) => (state.due.length > 0 ? setDue(state.due) : onSettled(false)),
      () => {
        // The member is asked again on the next page.
      },
    )
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- runs once; the function changes at each render
  }, [])
  return (
    due && (
      <MoreMessages namespaces={['consents', 'forms']}>
        <Request due={due} onSettled={onSettled} />
      </MoreMessages>
    )
  )
}

function Request({ due, onSettled }: { due: readonly Consent[]; onSettled: (isAccepted: boolean) => void }) {
  const { t } = useMessages()
  const { isBusy: isSending, error, run } = useAction()
  const accept = () =>
    run(async () => {
      await call(acceptConsents, { body: { consents: [...due] } })
      showNotice(t('consents.done'), 'success')
      onSettled(true)
    })
  return (
    <section className={styles.request} aria-label={t('consents.label')}>
      <p className={styles.heading}>{t('consents.heading')}</p>
      <p>{t('consents.text')}</p>
      <ul>
        {due.map((consent) => (
          <li key={consent.document}>
            <ConsentName consent={consent} />
          </li>
        ))}
      </ul>
      <div className={styles.actions}>
        <Button busy={isSending} busyLabel={t('consents.busy')} onClick={() => void accept()}>
          {t('consents.accept')}
        </Button>
        <Button kind="quiet" disabled={isSending} onClick={() => onSettled(false)}>
          {t('consents.later')}
        </Button>
      </div>
      <FormStatus error={error} />
    </section>
  )
}

const documents: Record<LegalDocument, { words: KeyTaking<'date'>; route: RouteName }> = {
  terms: { words: 'consents.terms', route: 'legal.terms' },
  privacy: { words: 'consents.privacy', route: 'legal.privacy' },
}

/** A link to a legal text, with the date of its version. */
export function ConsentName({ consent }: { consent: Consent }) {
  const { t, formatDate } = useMessages()
  const { words, route } = documents[consent.document]
  const date = formatDate(dayOfVersion(consent.version))
  return <NewTabLink href={pathTo(route)}>{t(words, { date })}</NewTabLink>
}
