import { useRef, useState } from 'react'
import { getMember, type User } from '#contract/members.ts'
import { call } from '../call.ts'
import type { MessageKey } from '../i18n/message-key.ts'
import { useWords } from '../i18n/words.tsx'
import { useNotices } from '../layout/notices.tsx'
import { page } from '../layout/page.ts'
import { LoadFailed } from '../loaded/load-failed.tsx'
import { useLoaded } from '../loaded/use-loaded.ts'
import { updateMember as updateSession, useSession } from '../session.ts'
import { Button } from '../ui/button.tsx'
import { Message } from '../ui/form-status.tsx'
import { Loading } from '../ui/loading.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { PendingEmail } from './profile/pending-email.tsx'
import { ProfileForm } from './profile/profile-form.tsx'
import { ProfileView } from './profile/profile-view.tsx'
import styles from './profile/profile.module.css'

function UserInfoView() {
  const { member } = useSession()
  return member && <Profile memberId={member.id} />
}

function Profile({ memberId }: { memberId: string }) {
  const { t } = useWords()
  const notices = useNotices()
  const [isEditing, setIsEditing] = useState(false)
  const loaded = useLoaded(memberId, () => call(getMember, { params: { id: memberId } }))
  const top = useRef<HTMLDivElement>(null)

  function keep(saved: User, said: MessageKey) {
    if (loaded.state === 'ready') loaded.setData(saved)
    updateSession({ displayName: saved.displayName, email: saved.email })
    notices.show(t(said), 'success')
    stopEditing()
  }
  // The form goes, and the focus with it: the reader is brought back to where the profile begins.
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
        <ProfileForm
          user={loaded.data}
          onCancel={stopEditing}
          onSaved={(saved) => keep(saved, 'account.profile.saved')}
          onStale={() => {
            stopEditing()
            loaded.reload()
          }}
        />
      )}
      {loaded.state === 'ready' && !isEditing && loaded.data.pendingEmail && (
        <Message kind="note">
          <PendingEmail
            email={loaded.data.pendingEmail}
            onConfirmed={(saved) => keep(saved, 'account.pendingEmail.done')}
          />
        </Message>
      )}
      {loaded.state === 'ready' && !isEditing && <ProfileView user={loaded.data} />}
    </div>
  )
}

export default page({ View: UserInfoView })
