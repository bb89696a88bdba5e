import { useMessages } from '../i18n/messages.tsx'

export type WaitingFor = 'me' | undefined

/** Returns whether the URL limits a list to items that the reader can act on. */
export const waitingForOf = (search: URLSearchParams): WaitingFor =>
  search.get('waitingFor') === 'me' ? 'me' : undefined

/** States that a list is filtered, and links to the full list. */
export function WaitingForNote({ waitingFor, all }: { waitingFor: WaitingFor; all: string }) {
  const { t } = useMessages()
  if (!waitingFor) return null
  return (
    <p>
      {t('console.list.waitingFor.note')} <a href={all}>{t('console.list.waitingFor.all')}</a>
    </p>
  )
}
