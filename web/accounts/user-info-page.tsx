import { lazy, Suspense, useRef, useState } from 'react'
import { readOwnMailbox } from '#contract/platform/mailboxes.ts'
import { hasAnyStaffRight } from '#contract/people/level-of.ts'
import { getMember, type User } from '#contract/people/members.ts'
import type { RetainedData } from '#contract/people/privacy.ts'
import { call } from '../kernel/call/call.ts'
import type { PlainKey } from '../kernel/i18n/message-key.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { clearNotices, showNotice } from '../kernel/notices/notices.ts'
import { page } from '../kernel/routes/page.ts'
import { pathTo } from '../kernel/routes/routes.ts'
import { LoadFailed } from '../kernel/actions/load-failed.tsx'
import { useLoaded } from '../kernel/actions/use-loaded.ts'
import { clearSession, updateMember as updateSession } from '../kernel/session/keep-session.ts'
import { useSession, type Member } from '../kernel/session/session.ts'
import { Button } from '../kernel/ui/button.tsx'
import { Message } from '../kernel/ui/form-status.tsx'
import { Loading } from '../kernel/ui/loading.tsx'
import { PageHead, PagePart } from '../kernel/ui/page-head.tsx'
import { ConsentList } from '../privacy/consent-list.tsx'
import { DownloadData } from '../privacy/download-data.tsx'
import { EraseAccount } from '../privacy/erase-account.tsx'
import { Erased } from '../privacy/erased.tsx'
import { AntiPhishingPart } from './anti-phishing-part.tsx'
import { ProfileView } from './profile/profile-view.tsx'
import styles from './profile/profile.module.css'

// Loaded on demand, because few members need it.
const PendingEmail = lazy(() =>
  import('./profile/pending-email.tsx').then((part) => ({ default: part.PendingEmail })),
)
const ProfileEditor = lazy(() =>
  import('./profile/profile-editor.tsx').then((part) => ({ default: part.ProfileEditor })),
)
const OwnNewsPart = lazy(() =>
  import('../kernel/news-choice/own-news-part.tsx').then((part) => ({ default: part.OwnNewsPart })),
)

function UserInfoView() {
  const { member } = useSession()
  const [retainedData, setRetainedData] = useState<RetainedData>()
  if (retainedData) return <Erased retainedData={retainedData} />
  if (!member) return null
  return (
    <>
      <Profile memberId={member.id} />
      {hasAnyStaffRight(member) && <ConsolePart opensConsole={member.opensConsole} />}
      <PrivacyParts
        member={member}
        onErased={(stays) => {
          setRetainedData(stays)
          // Notices for the erased member must not be shown to the next visitor.
          clearNotices()
          clearSession()
        }}
      />
    </>
  )
}

/** Loaded on demand, because few members are staff. */
const ConsoleStartPart = lazy(() =>
  import('./console-start-part.tsx').then((part) => ({ default: part.ConsoleStartPart })),
)

function ConsolePart({ opensConsole }: { opensConsole: boolean }) {
  const { t } = useMessages()
  return (
    <PagePart id="console" heading={t('account.console.heading')} lead={t('account.console.lead')}>
      <Suspense fallback={<Loading label={t('forms.loading')} />}>
        <ConsoleStartPart opensConsole={opensConsole} />
      </Suspense>
    </PagePart>
  )
}

function Profile({ memberId }: { memberId: string }) {
  const { t } = useMessages()
  const [isEditing, setIsEditing] = useState(false)
  const loaded = useLoaded(memberId, () => call(getMember, { params: { id: memberId } }))
  const top = useRef<HTMLDivElement>(null)

  function show(latest: User) {
    if (loaded.state === 'ready') loaded.setData(latest)
    updateSession({ displayName: latest.displayName, email: latest.email })
  }
  function keep(saved: User, said: PlainKey) {
    show(saved)
    showNotice(t(said), 'success')
    stopEditing()
  }
  // The form and its focus are removed, so the focus moves to the start of the profile.
  function stopEditing() {
    setIsEditing(false)
    top.current?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }
  const canEdit = loaded.state === 'ready' && !isEditing
  return (
    <div className={styles.profile} ref={top} tabIndex={-1}>
      <PageHead
        heading={t('account.profile.heading')}
        lead={t('account.profile.lead')}
        action={canEdit && <Button onClick={() => setIsEditing(true)}>{t('account.profile.edit')}</Button>}
      />
      {loaded.state === 'loading' && <Loading label={t('forms.loading')} />}
      {loaded.state === 'failed' && (
        <LoadFailed title={t('account.profile.loadFailed')} failure={loaded.failure} retry={loaded.retry} />
      )}
      {loaded.state === 'ready' && isEditing && (
        <Suspense fallback={<Loading label={t('forms.loading')} />}>
          <ProfileEditor
            user={loaded.data}
            onCancel={(latest) => {
              show(latest)
              stopEditing()
            }}
            onSaved={(saved) => keep(saved, 'account.profile.saved')}
          />
        </Suspense>
      )}
      {loaded.state === 'ready' && !isEditing && <UndeliveredNote email={loaded.data.email} />}
      {loaded.state === 'ready' && !isEditing && loaded.data.pendingEmail && (
        <Message kind="note">
          <Suspense fallback={<Loading label={t('forms.loading')} />}>
            <PendingEmail
              user={loaded.data}
              email={loaded.data.pendingEmail}
              onConfirmed={(saved) => keep(saved, 'account.pendingEmail.done')}
              onWithdrawn={(saved) => keep(saved, 'account.pendingEmail.withdrawn')}
            />
          </Suspense>
        </Message>
      )}
      {loaded.state === 'ready' && !isEditing && <ProfileView user={loaded.data} />}
    </div>
  )
}

function PrivacyParts({
  member,
  onErased,
}: {
  member: Member
  onErased: (retainedData: RetainedData) => void
}) {
  const { t } = useMessages()
  return (
    <>
      <PagePart id="phrase" heading={t('account.phrase.heading')} lead={t('account.phrase.lead')}>
        <AntiPhishingPart />
      </PagePart>
      <PagePart id="news" heading={t('newsletter.heading')}>
        <Suspense fallback={<Loading label={t('forms.loading')} />}>
          <OwnNewsPart />
        </Suspense>
      </PagePart>
      <PagePart id="data" heading={t('account.data.heading')} lead={t('account.data.lead')}>
        <DownloadData />
      </PagePart>
      <PagePart id="consents" heading={t('account.consents.heading')}>
        <ConsentList />
      </PagePart>
      <PagePart id="ambassador" heading={t('account.ambassador.heading')} lead={t('account.ambassador.lead')}>
        <a href={pathTo('account.ambassador')}>{t('account.ambassador.go')}</a>
      </PagePart>
      <PagePart id="erase" heading={t('account.erase.heading')} lead={t('account.erase.lead')}>
        <EraseAccount email={member.email} onErased={onErased} />
      </PagePart>
    </>
  )
}

/** Loaded on demand, because few members need it. */
const MailboxPart = lazy(() =>
  import('../kernel/mailbox/mailbox-part.tsx').then((part) => ({ default: part.MailboxPart })),
)

/** Shown if emails are not sent to the member: why, which ones are still sent, and how to resolve it. */
export function UndeliveredNote({ email }: { email: string }) {
  const { t, formatDateTime } = useMessages()
  const loaded = useLoaded(email, () => call(readOwnMailbox, {}))
  if (loaded.state !== 'ready' || !loaded.data.refusal) return null
  const { refusedAt, code, trouble } = loaded.data.refusal
  const time = formatDateTime(refusedAt)
  const isSpam = trouble === 'complaint'
  return (
    <Message kind="bad">
      <p>
        <strong>{t(isSpam ? 'account.mailbox.spam.heading' : 'account.mailbox.heading')}</strong>
      </p>
      <p>
        {isSpam
          ? t('account.mailbox.spam.text', { email, time })
          : t('account.mailbox.refused', { email, time, code })}
      </p>
      <p>{t(isSpam ? 'account.mailbox.spam.still' : 'account.mailbox.still')}</p>
      <p>{t(isSpam ? 'account.mailbox.spam.do' : 'account.mailbox.do')}</p>
      <Suspense fallback={<Loading label={t('forms.loading')} />}>
        <MailboxPart email={email} hasFactor={false} onVerified={() => loaded.setData({ refusal: null })} />
      </Suspense>
    </Message>
  )
}

export default page({ View: UserInfoView })
