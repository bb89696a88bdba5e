import { notificationAreas, type NotificationArea } from '#contract/platform/notifications.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { page, type PageProps } from '../kernel/routes/page.ts'
import { pathTo } from '../kernel/routes/routes.ts'
import { useSession } from '../kernel/session/session.ts'
import { BackLink } from '../kernel/ui/back-link.tsx'
import { ButtonLink } from '../kernel/ui/button.tsx'
import { LinkTabs } from '../kernel/ui/link-tabs.tsx'
import { PageHead } from '../kernel/ui/page-head.tsx'
import { EmailSettings } from './email-settings.tsx'
import { NotificationList } from './notification-list.tsx'

const areaIn = (search: URLSearchParams): NotificationArea | undefined =>
  notificationAreas.find((area) => area === search.get('area'))

function NotificationsView({ search }: PageProps<unknown>) {
  const { t } = useMessages()
  const { member } = useSession()
  const home = pathTo('account.notifications')
  if (member && search.get('show') === 'emails')
    return (
      <>
        <BackLink href={home}>{t('notifications.emails.back')}</BackLink>
        <PageHead heading={t('notifications.emails.heading')} lead={t('notifications.emails.lead')} />
        <EmailSettings memberId={member.id} />
      </>
    )
  const chosen = areaIn(search)
  const tabs = [undefined, ...notificationAreas].map((area) => ({
    href: area ? `${home}?area=${area}` : home,
    label: t(`notifications.area.${area ?? 'all'}`),
    isCurrent: area === chosen,
  }))
  return (
    <>
      <PageHead
        heading={t('notifications.heading')}
        lead={t('notifications.lead')}
        action={
          member && (
            <ButtonLink kind="quiet" href={`${home}?show=emails`}>
              {t('notifications.settings')}
            </ButtonLink>
          )
        }
      />
      {member && (
        <>
          <LinkTabs kind="row" label={t('notifications.filter')} tabs={tabs} />
          <NotificationList key={chosen} memberId={member.id} area={chosen} />
        </>
      )}
    </>
  )
}

export default page({ View: NotificationsView })
