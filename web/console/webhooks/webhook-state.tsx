import type { Webhook, WebhookState } from '#contract/webhooks.ts'
import { useWords } from '../../i18n/words.tsx'
import { Tag, type TagColour } from '../../ui/tag.tsx'

const colours: Readonly<Record<WebhookState | 'failing', TagColour>> = {
  active: 'green',
  failing: 'yellow',
  paused: 'quiet',
  disabled: 'red',
}

/** A failing endpoint must not look healthy. */
export function WebhookStateTag({ webhook: { state, failingSince } }: { webhook: Webhook }) {
  const { t } = useWords()
  const shown = state === 'active' && failingSince !== null ? 'failing' : state
  return <Tag colour={colours[shown]}>{t(`webhooks.state.${shown}`)}</Tag>
}
