import type { Webhook, WebhookState } from '#contract/integrations/webhooks.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Tag, type TagColor } from '../../kernel/ui/tag.tsx'

const colours: Readonly<Record<WebhookState | 'failing', TagColor>> = {
  active: 'green',
  failing: 'yellow',
  paused: 'quiet',
  disabled: 'red',
}

/** A failing endpoint must not look healthy. */
export function WebhookStateTag({ webhook: { state, failingSince } }: { webhook: Webhook }) {
  const { t } = useMessages()
  const displayState = state === 'active' && failingSince !== null ? 'failing' : state
  return <Tag colour={colours[displayState]}>{t(`webhooks.state.${displayState}`)}</Tag>
}
