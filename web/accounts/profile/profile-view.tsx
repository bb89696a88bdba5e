import type { User } from '#contract/people/members.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Address } from '../../kernel/ui/address.tsx'
import { Facts, type Fact } from '../../kernel/ui/description-list.tsx'
import { namesIn, profileFields, profileGroups, type ProfileGroup } from './profile-fields.ts'
import styles from './profile.module.css'

/** The saved profile. */
export function ProfileView({ user }: { user: User }) {
  const { t, formatDate } = useMessages()
  const yesNo = (value: boolean) => t(value ? 'account.profile.yes' : 'account.profile.no')
  const factsIn = (group: ProfileGroup): Fact[] =>
    namesIn(group).map((name) => {
      const { label, shortLabel = label } = profileFields[name]
      const value = user[name]
      const text = typeof value === 'boolean' ? yesNo(value) : value || t('account.profile.empty')
      return { name, label: t(shortLabel), value: name === 'email' ? <Address email={text} /> : text }
    })
  const ofTheAccount: Fact[] = [
    { name: 'id', label: t('account.profile.id'), value: <code>{user.id}</code> },
    { name: 'active', label: t('account.profile.active'), value: yesNo(user.active) },
    {
      name: 'isWriteAccessAdmin',
      label: t('account.profile.isWriteAccessAdmin'),
      value: user.waitingRights?.isWriteAccessAdmin
        ? t('account.profile.rightWaits')
        : yesNo(user.isWriteAccessAdmin),
    },
    {
      name: 'memberSince',
      label: t('account.profile.memberSince'),
      value: <time dateTime={user.memberSince}>{formatDate(user.memberSince)}</time>,
    },
    {
      name: 'lastUpdated',
      label: t('account.profile.lastUpdated'),
      value: <time dateTime={user.lastUpdated}>{formatDate(user.lastUpdated)}</time>,
    },
  ]
  return (
    <div className={styles.groups}>
      {Object.entries(profileGroups).map(([name, heading]) => {
        const group = name as ProfileGroup
        const facts = factsIn(group)
        return (
          <section key={group}>
            <h2>{t(heading)}</h2>
            <Facts facts={group === 'account' ? [...facts, ...ofTheAccount] : facts} />
          </section>
        )
      })}
    </div>
  )
}
