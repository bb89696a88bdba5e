import type { User } from '#contract/members.ts'
import { useWords } from '../../i18n/words.tsx'
import { Facts } from '../../ui/facts.tsx'
import styles from './profile.module.css'

/** The profile as it is saved. */
export function ProfileView({ user }: { user: User }) {
  const { t, formatDate } = useWords()
  const said = (value: string) => value || t('account.profile.empty')
  const yesNo = (value: boolean) => t(value ? 'account.profile.yes' : 'account.profile.no')
  return (
    <div className={styles.groups}>
      <section>
        <h2>{t('account.profile.group.name')}</h2>
        <Facts
          facts={[
            {
              name: 'displayName',
              label: t('account.profile.displayName'),
              value: said(user.displayName),
            },
            { name: 'firstName', label: t('account.profile.firstName'), value: said(user.firstName) },
            { name: 'midName', label: t('account.profile.midName'), value: said(user.midName) },
            { name: 'lastName', label: t('account.profile.lastName'), value: said(user.lastName) },
          ]}
        />
      </section>
      <section>
        <h2>{t('account.profile.group.contact')}</h2>
        <Facts
          facts={[
            { name: 'email', label: t('forms.email.label'), value: user.email },
            { name: 'mobile', label: t('account.profile.mobile'), value: said(user.mobile) },
            { name: 'homePhone', label: t('account.profile.homePhone'), value: said(user.homePhone) },
            { name: 'workPhone', label: t('account.profile.workPhone'), value: said(user.workPhone) },
            { name: 'workEmail', label: t('account.profile.workEmail'), value: said(user.workEmail) },
          ]}
        />
      </section>
      <section>
        <h2>{t('account.profile.group.account')}</h2>
        <Facts
          facts={[
            {
              name: 'personalMember',
              label: t('account.profile.personalMember.short'),
              value: yesNo(user.personalMember),
            },
            { name: 'id', label: t('account.profile.id'), value: <code>{user.id}</code> },
            { name: 'active', label: t('account.profile.active'), value: yesNo(user.active) },
            {
              name: 'isWriteAccessAdmin',
              label: t('account.profile.isWriteAccessAdmin'),
              value: yesNo(user.isWriteAccessAdmin),
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
          ]}
        />
      </section>
    </div>
  )
}
