import { useState } from 'react'
import { getMember, type User } from '#contract/members.ts'
import { call } from '../call.ts'
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

function UserInfoView() {
  const { t } = useWords()
  const { member } = useSession()
  return (
    <>
      <PageHead heading={t('account.profile.heading')} lead={t('account.profile.lead')} />
      {member && <Profile memberId={member.id} />}
    </>
  )
}

function Profile({ memberId }: { memberId: string }) {
  const { t } = useWords()
  const notices = useNotices()
  const [isEditing, setIsEditing] = useState(false)
  const loaded = useLoaded(memberId, () => call(getMember, { params: { id: memberId } }))

  if (loaded.state === 'loading') return <Loading label={t('forms.loading')} />
  if (loaded.state === 'failed')
    return (
      <LoadFailed title={t('account.profile.loadFailed')} failure={loaded.failure} retry={loaded.retry} />
    )

  const user = loaded.data
  function keep(saved: User) {
    if (loaded.state === 'ready') loaded.setData(saved)
    updateSession({ displayName: saved.displayName, email: saved.email })
    setIsEditing(false)
  }
  if (isEditing)
    return (
      <ProfileForm
        user={user}
        onCancel={() => setIsEditing(false)}
        onSaved={(saved) => {
          keep(saved)
          notices.show(t('account.profile.saved'), 'success')
        }}
        onStale={() => {
          setIsEditing(false)
          loaded.reload()
        }}
      />
    )
  return (
    <>
      {user.pendingEmail && (
        <Message kind="note">
          <PendingEmail
            email={user.pendingEmail}
            onConfirmed={(saved) => {
              keep(saved)
              notices.show(t('account.pendingEmail.done'), 'success')
            }}
          />
        </Message>
      )}
      <ProfileView user={user} />
      <div>
        <Button onClick={() => setIsEditing(true)}>{t('account.profile.edit')}</Button>
      </div>
    </>
  )
}

export default page({ View: UserInfoView })
