import { searchLengthMax } from '#contract/platform/patterns.ts'
import { useMessages } from '../i18n/messages.tsx'
import { navigate } from '../navigation/navigate.ts'
import { pathIn } from '../routes/routes.ts'
import { SearchRow } from '../ui/search-row.tsx'

/** The search field for the whole site. It opens the page with the results. */
export function SiteSearch({ q = '' }: { q?: string }) {
  const { t, language } = useMessages()
  const results = pathIn(language, 'search')
  return (
    <SearchRow
      action={results}
      label={t('layout.search')}
      submitLabel={t('layout.nav.search')}
      q={q}
      lengthMax={searchLengthMax}
      onSearch={(next) => void navigate(next ? `${results}?${new URLSearchParams({ q: next })}` : results)}
    />
  )
}
