import type { MemberSubject } from '#contract/people/conversations.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { page, type PageProps } from '../kernel/routes/page.ts'
import { pathTo } from '../kernel/routes/routes.ts'
import { useSession } from '../kernel/session/session.ts'
import { BackLink } from '../kernel/ui/back-link.tsx'
import { PageHead } from '../kernel/ui/page-head.tsx'
import { ConversationPart, LoadedConversation } from '../conversations/conversation-part.tsx'
import { Inbox } from './inbox.tsx'

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
      <Inbox memberId={member.id} />
      <ConversationPart memberId={member.id} about="account" heading="conversations.about.account" />
    </>
  )
}

export default page({ View: MessagesView })
