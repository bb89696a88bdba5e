import type { ConsoleDelivery } from '#contract/money/console-deliveries.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { pathTo } from '../../kernel/routes/routes.ts'

/** The name of a round, linked to its deliveries. */
export function RoundLink({ of: { id, name } }: { of: NonNullable<ConsoleDelivery['round']> }) {
  const { language } = useMessages()
  return (
    <a href={`${pathTo('console.deliveries')}?${new URLSearchParams({ round: id })}`}>
      {language === 'cn' ? name.cn : name.en}
    </a>
  )
}
