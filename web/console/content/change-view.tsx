import type { SettingChange } from '#contract/settings.ts'
import { TextDifferences } from '../../announcements/compare/text-differences.tsx'
import { useWords } from '../../i18n/words.tsx'
import { placeWords } from './facts/field-words.ts'

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
  const { t } = useWords()
  return (
    <TextDifferences
      before={{ name: before ?? t('consoleContent.before') }}
      after={{ name: after ?? t('consoleContent.after') }}
      differences={changes.map(({ path, from, to }) => ({
        key: path,
        label: placeWords(t, piece, path),
        from,
        to,
      }))}
    />
  )
}
