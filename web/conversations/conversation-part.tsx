import type { MemberSubject } from '#contract/people/conversations.ts'
import { LoadFailed } from '../kernel/actions/load-failed.tsx'
import { useLoaded } from '../kernel/actions/use-loaded.ts'
import type { PlainKey } from '../kernel/i18n/message-key.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { Loading } from '../kernel/ui/loading.tsx'
import { PagePart } from '../kernel/ui/page-head.tsx'

type Props = {
  memberId: string
  about: MemberSubject
  of?: string
  /** Called on loading and after each message, with whether the member should read and answer. */
  onWaiting?: (isWaiting: boolean) => void
}

/** The section of a member page with the conversation about what the page shows. Its code is loaded with the section. */
export function ConversationPart({
  heading = 'conversations.heading',
  ...props
}: Props & { heading?: PlainKey }) {
  const { t } = useMessages()
  return (
    <PagePart id="messages" heading={t(heading)} lead={t(`conversations.lead.${props.about}`)}>
      <LoadedConversation {...props} />
    </PagePart>
  )
}

export function LoadedConversation(props: Props) {
  const { t } = useMessages()
  const loaded = useLoaded('', () => import('./conversation.tsx'))
  if (loaded.state === 'loading') return <Loading label={t('forms.loading')} />
  if (loaded.state === 'failed')
    return <LoadFailed title={t('conversations.failed')} failure={loaded.failure} retry={loaded.retry} />
  const { Conversation } = loaded.data
  return <Conversation key={`${props.about} ${props.of}`} {...props} />
}
