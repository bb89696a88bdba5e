import type { MemberSubject } from '#contract/people/conversations.ts'
import { LoadFailed } from '../kernel/actions/load-failed.tsx'
import { useLoaded } from '../kernel/actions/use-loaded.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { page, type PageProps } from '../kernel/routes/page.ts'
import { pathTo } from '../kernel/routes/routes.ts'
import { useSession } from '../kernel/session/session.ts'
import { BackLink } from '../kernel/ui/back-link.tsx'
import { Loading } from '../kernel/ui/loading.tsx'
import { PageHead } from '../kernel/ui/page-head.tsx'
import { ConversationPart, LoadedConversation } from '../conversations/conversation-part.tsx'

const subjects: readonly string[] = ['order', 'identity'] satisfies MemberSubject[]

/** The conversation that the address selects. The one about the account is on the page itself. */
function selectedIn(search: URLSearchParams): { about: MemberSubject; of: string } | undefined {
  const [about, of] = [search.get('about'), search.get('of')]
  return about !== null && of !== null && subjects.includes(about)
    ? { about: about as MemberSubject, of }
    : undefined
}

function MessagesView({ search }: PageProps<unknown>) {
  const { t } = useMessages()
  const { member } = useSession()
  const selected = selectedIn(search)
  if (!member) return <PageHead heading={t('conversations.heading')} lead={t('conversations.lead')} />
  if (selected)
    return (
      <>
        <BackLink href={pathTo('account.messages')}>{t('conversations.back')}</BackLink>
        <PageHead
          heading={t(`conversations.about.${selected.about}`)}
          lead={t(`conversations.lead.${selected.about}`)}
        />
        <LoadedConversation key={selected.of} memberId={member.id} {...selected} />
      </>
    )
  return (
    <>
      <PageHead heading={t('conversations.heading')} lead={t('conversations.lead')} />
      <LoadedInbox memberId={member.id} />
      <ConversationPart memberId={member.id} about="account" heading="conversations.about.account" />
    </>
  )
}

function LoadedInbox({ memberId }: { memberId: string }) {
  const { t } = useMessages()
  const loaded = useLoaded('', () => import('./inbox.tsx'))
  if (loaded.state === 'loading') return <Loading label={t('forms.loading')} />
  if (loaded.state === 'failed')
    return <LoadFailed title={t('conversations.failed')} failure={loaded.failure} retry={loaded.retry} />
  const { Inbox } = loaded.data
  return <Inbox memberId={memberId} />
}

export default page({ View: MessagesView })
