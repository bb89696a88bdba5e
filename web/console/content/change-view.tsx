import type { SettingChange } from '#contract/people/settings.ts'
import { TextDifferences } from '../../announcements/compare/text-differences.tsx'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { placeLabel } from './facts/field-labels.ts'

/** The changes of an item, before and after. */
export function ChangeView({
  piece,
  changes,
  before,
  after,
}: {
  piece: string
  changes: readonly SettingChange[]
  before?: string
  after?: string
}) {
  const { t } = useMessages()
  return (
    <TextDifferences
      before={{ name: before ?? t('consoleContent.before') }}
      after={{ name: after ?? t('consoleContent.after') }}
      differences={changes.map(({ path, from, to }) => ({
        key: path,
        label: placeLabel(t, piece, path),
        from,
        to,
      }))}
    />
  )
}
