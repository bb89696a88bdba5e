import { lazy, Suspense, useRef, useState } from 'react'
import type { OwnAmbassador, ProfileVersion } from '#contract/people/ambassador-profiles.ts'
import { completeLanguages } from '#contract/platform/languages.ts'
import { htmlLanguage } from '../../kernel/i18n/language.ts'
import { SentenceSpace, useMessages } from '../../kernel/i18n/messages.tsx'
import { pathTo } from '../../kernel/routes/routes.ts'
import { Button } from '../../kernel/ui/button.tsx'
import { Facts } from '../../kernel/ui/description-list.tsx'
import { Loading } from '../../kernel/ui/loading.tsx'
import { PagePart } from '../../kernel/ui/page-head.tsx'
import { Tag, type TagColor } from '../../kernel/ui/tag.tsx'
import styles from './own-ambassador.module.css'
import { nameOfLanguage } from './spoken-languages.ts'

// Loaded on demand, because a profile is read more often than it is edited.
const ProfileForm = lazy(() => import('./profile-form.tsx').then((part) => ({ default: part.ProfileForm })))

type Ambassador = NonNullable<OwnAmbassador['ambassador']>

const colours: Record<ProfileVersion['state'], TagColor> = {
  draft: 'quiet',
  submitted: 'yellow',
  returned: 'red',
  approved: 'green',
}

export function OwnProfile({
  ambassador,
  onChanged,
  onStale,
}: {
  ambassador: Ambassador
  onChanged: (own: OwnAmbassador) => void
  onStale: () => void
}) {
  const { t } = useMessages()
  const { standing, approved, inWork } = ambassador
  const latest = inWork ?? approved
  const [isWriting, setWriting] = useState(latest === null)
  const top = useRef<HTMLDivElement>(null)
  // The form and its focus are removed.
  const stop = () => {
    setWriting(false)
    top.current?.focus()
  }
  return (
    <div ref={top} tabIndex={-1} className={styles.profile}>
      <PagePart id="profile" heading={t('ambassadorAccount.profile.heading')}>
        {isWriting && standing !== 'ended' ? (
          <Suspense fallback={<Loading label={t('forms.loading')} />}>
            <ProfileForm
              latest={latest}
              onSaved={(own) => {
                onChanged(own)
                stop()
              }}
              onCancel={latest ? stop : undefined}
              onStale={onStale}
            />
          </Suspense>
        ) : (
          latest && <Written ambassador={ambassador} latest={latest} onEdit={() => setWriting(true)} />
        )}
      </PagePart>
    </div>
  )
}

type WrittenProps = { ambassador: Ambassador; latest: ProfileVersion; onEdit: () => void }

/** The latest version, its state, and a button to edit it. */
function Written({ ambassador: { slug, standing, approved, inWork }, latest, onEdit }: WrittenProps) {
  const { t } = useMessages()
  const { state, reason } = latest
  return (
    <>
      <p className={styles.state}>
        {state === 'approved' && standing !== 'active' ? (
          t('ambassadorAccount.state.approved.notShown')
        ) : (
          <>
            <Tag colour={colours[state]}>{t(`ambassadorAccount.state.${state}`)}</Tag>{' '}
            {t(`ambassadorAccount.state.${state}.text`, { reason })}
          </>
        )}
        <SentenceSpace />
        {inWork && approved && standing === 'active' && t('ambassadorAccount.state.approved.beside')}
        <SentenceSpace />
        {slug && (
          <a href={pathTo('ambassador', { slug })} target="_blank" rel="noopener">
            {t('ambassadorAccount.page')}
          </a>
        )}
      </p>
      <ProfileTextsView version={latest} />
      {standing !== 'ended' && (
        <div>
          <Button kind={state === 'approved' || state === 'submitted' ? 'quiet' : 'primary'} onClick={onEdit}>
            {t('ambassadorAccount.edit')}
          </Button>
        </div>
      )}
    </>
  )
}

function ProfileTextsView({ version }: { version: ProfileVersion }) {
  const { t, language, joinNames } = useMessages()
  const empty = <span className={styles.quiet}>{t('ambassadorAccount.words.empty')}</span>
  const spoken = version.languages.map((code) => nameOfLanguage(code, language))
  return (
    <div className={styles.version}>
      {version.picture && (
        <img
          className={styles.picture}
          src={version.picture}
          alt={t('ambassadorAccount.form.picture.alt')}
          width={160}
          height={160}
        />
      )}
      <div className={styles.both}>
        {completeLanguages.map((each) => (
          <section key={each} aria-label={t(`ambassadorAccount.form.${each}`)}>
            <h3>{t(`ambassadorAccount.form.${each}`)}</h3>
            <Facts
              facts={(['name', 'place', 'sentence'] as const).map((field) => ({
                name: field,
                label: t(`ambassadorAccount.words.${field}`),
                value: version[each][field] ? (
                  <span lang={htmlLanguage[each]}>{version[each][field]}</span>
                ) : (
                  empty
                ),
              }))}
            />
          </section>
        ))}
      </div>
      <Facts
        facts={[
          { name: 'link', label: t('ambassadorAccount.words.link'), value: version.link || empty },
          {
            name: 'languages',
            label: t('ambassadorAccount.words.languages'),
            value: spoken.length > 0 ? joinNames(spoken) : empty,
          },
        ]}
      />
    </div>
  )
}
