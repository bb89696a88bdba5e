import { decimalPattern } from '#contract/platform/fields.ts'
import { methodPath, percentBetween } from '#contract/money/flat-sale.ts'
import type { SettingChange, SettingVersion } from '#contract/people/settings.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { staffName } from '../../kernel/i18n/staff-name.ts'
import { inOrder, useSettingLabels, type LabelsOf } from './setting-labels.ts'
import styles from './sale.module.css'

/** Whether a change is worth showing. For a removed payment method, its address is enough, and for a round its name. */
const isWorthShowing = ({ path, from, to }: SettingChange): boolean =>
  to === null
    ? !path.includes('/') && [undefined, 'receivingAddress'].includes(methodPath(path)?.field)
    : from !== null || !['', '[]'].includes(to)

/** Addresses are shown in a monospaced font, so that they can be compared letter by letter. */
const isCode = (path: string, value: string | null): true | undefined =>
  value && methodPath(path)?.field === 'receivingAddress' ? true : undefined

/** The percentage by which a rate changes. */
function percentOf(path: string, from: string | null, to: string | null): string {
  if (methodPath(path)?.field !== 'rate' || from === null || to === null) return ''
  if (!decimalPattern.test(from) || !decimalPattern.test(to)) return ''
  const percent = percentBetween(from, to)
  return percent === null ? '' : formatPercent(percent)
}

/** Changes with the values before and after, one line per setting. */
export function ChangeList({ changes, ...of }: { changes: readonly SettingChange[] } & LabelsOf) {
  const { t, addNote } = useMessages()
  const noteOf = (percent: string) => percent && addNote('', percent)
  const { label, value } = useSettingLabels(of)
  if (changes.length === 0) return <p>{t('consoleSale.noChange')}</p>
  return (
    <dl className={styles.changes}>
      {inOrder(changes.filter(isWorthShowing)).map(({ path, from, to }) => (
        <div key={path}>
          <dt>{label(path)}</dt>
          {from !== null && (
            <dd>
              <span className={styles.sign}>{t('consoleSale.before')}</span>
              <span className={styles.was} data-code={isCode(path, from)}>
                {value(path, from)}
              </span>
            </dd>
          )}
          <dd>
            <span className={styles.sign}>{t('consoleSale.after')}</span>
            <span>
              <span data-code={isCode(path, to)}>{value(path, to)}</span>
              {noteOf(percentOf(path, from, to))}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

export function Who({ version: { by, confirmedBy } }: { version: SettingVersion }) {
  const { t, language } = useMessages()
  if (!by) return t('consoleSale.history.program')
  if (!confirmedBy) return staffName(by.name, language)
  return t('consoleSale.history.two', {
    first: staffName(by.name, language),
    second: staffName(confirmedBy.name, language),
  })
}

/** Signed, as in `+9900%`. */
export const formatPercent = (percent: string): string => `${percent.startsWith('-') ? '' : '+'}${percent}%`
