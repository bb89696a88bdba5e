import { useWords } from '../i18n/words.tsx'

export type WaitingFor = 'me' | undefined

/** Whether the address narrows a list to what the reader can act on. */
export const waitingForOf = (search: URLSearchParams): WaitingFor =>
  search.get('waitingFor') === 'me' ? 'me' : undefined

/** States that a list is narrowed, and links to the whole of it. */
export function WaitingForNote({ waitingFor, all }: { waitingFor: WaitingFor; all: string }) {
  const { t } = useWords()
  if (!waitingFor) return null
  return (
    <p>
      {t('console.list.waitingFor.note')} <a href={all}>{t('console.list.waitingFor.all')}</a>
    </p>
  )
}
