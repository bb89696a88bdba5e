import type { Language } from '#contract/platform/languages.ts'
import type { SiteContent } from '../site-content/site-content.ts'
import { fill } from '../text/fill.ts'
import { formatTime } from '../text/format-time.ts'
import type { KnownMaintenance } from './known-maintenance.ts'

type Needed = { maintenance: Pick<KnownMaintenance, 'current'>; content: Pick<SiteContent, 'words'> }

/** The sentence on every page while maintenance is on. */
export function maintenanceNotice({ maintenance, content }: Needed, language: Language): string | undefined {
  const found = maintenance.current()
  if (!found) return undefined
  const words = content.words(language, 'errors') ?? {}
  const { until } = found
  return until && until.getTime() > Date.now()
    ? fill(words['errors.maintenance_page_until'] ?? '', { time: formatTime(until) })
    : words['errors.maintenance_page']
}
