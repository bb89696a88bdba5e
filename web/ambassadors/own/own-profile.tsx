import { useRef, useState } from 'react'
import type { OwnAmbassador, ProfileVersion } from '#contract/ambassador-profiles.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { pathTo } from '../../routes/routes.ts'
import { Button } from '../../ui/button.tsx'
import { PagePart } from '../../ui/page-head.tsx'
import { Tag, type TagColor } from '../../ui/tag.tsx'
import type { KeyTaking, PlainKey } from '../../i18n/message-key.ts'
import styles from './own-ambassador.module.css'
import { ProfileForm } from './profile-form.tsx'
import { ProfileTextsView } from './profile-texts-view.tsx'

type Ambassador = NonNullable<OwnAmbassador['ambassador']>

const states: Record<
  ProfileVersion['state'],
  { colour: TagColor; words: PlainKey; text: KeyTaking<'reason'> }
> = {
  draft: {
    colour: 'quiet',
    words: 'ambassadorAccount.state.draft',
    text: 'ambassadorAccount.state.draft.text',
  },
  submitted: {
    colour: 'yellow',
    words: 'ambassadorAccount.state.submitted',
    text: 'ambassadorAccount.state.submitted.text',
  },
  returned: {
    colour: 'red',
    words: 'ambassadorAccount.state.returned',
    text: 'ambassadorAccount.state.returned.text',
  },
  approved: {
    colour: 'green',
    words: 'ambassadorAccount.state.approved',
    text: 'ambassadorAccount.state.approved.text',
  },
}

/** The published profile and the version in progress. */
export function OwnProfile({
  ambassador: { slug, standing, approved, inWork },
  onChanged,
  onStale,
}: {
  ambassador: Ambassador
  onChanged: (own: OwnAmbassador) => void
  onStale: () => void
}) {
  const { t } = useMessages()
  const latest = inWork ?? approved
  const [isWriting, setWriting] = useState(latest === null)
  const top = useRef<HTMLDivElement>(null)
  // The form and its focus are removed.
  const stop = () => {
    setWriting(false)
    top.current?.focus()
  }
  const page = slug && (
    <a href={pathTo('ambassador', { slug })} target="_blank" rel="noopener">
      {t('ambassadorAccount.page')}
    </a>
  )
  return (
    <div ref={top} tabIndex={-1} className={styles.profile}>
      <PagePart id="profile" heading={t('ambassadorAccount.profile.heading')}>
        {isWriting && standing !== 'ended' ? (
          <ProfileForm
            latest={latest}
            onSaved={(own) => {
              onChanged(own)
              stop()
            }}
            onCancel={latest ? stop : undefined}
            onStale={onStale}
          />
        ) : (
          latest && (
            <>
              <p className={styles.state}>
                {latest.state === 'approved' && standing !== 'active' ? (
                  t('ambassadorAccount.state.approved.notShown')
                ) : (
                  <>
                    <Tag colour={states[latest.state].colour}>{t(states[latest.state].words)}</Tag>{' '}
                    {t(states[latest.state].text, { reason: latest.reason })}
                  </>
                )}{' '}
                {inWork && approved && standing === 'active' && t('ambassadorAccount.state.approved.beside')}{' '}
                {page}
              </p>
              <ProfileTextsView version={latest} />
              {standing !== 'ended' && (
                <div>
                  <Button
                    kind={latest.state === 'approved' || latest.state === 'submitted' ? 'quiet' : 'primary'}
                    onClick={() => setWriting(true)}
                  >
                    {t('ambassadorAccount.edit')}
                  </Button>
                </div>
              )}
            </>
          )
        )}
      </PagePart>
    </div>
  )
}
