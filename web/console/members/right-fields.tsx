import type { Rights } from '#contract/people/level-of.ts'
import type { LevelValue } from '#contract/people/members.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Checkbox, Select } from '../../kernel/ui/field.tsx'
import styles from './members.module.css'

const levelFields = {
  manageNews: 'consoleMembers.right.news',
  manageEmployee: 'consoleMembers.right.employee',
  manageFinance: 'consoleMembers.right.finance',
  manageCoins: 'consoleMembers.right.coins',
} as const
const fields = Object.keys(levelFields) as (keyof typeof levelFields)[]
const levels = [0, 1, 2] as const

type Props = { value: Rights; error?: string | undefined; onChange: (changed: Partial<Rights>) => void }

/** The four levels and the administrator right. */
export function RightFields({ value, error, onChange }: Props) {
  const { t } = useMessages()
  return (
    <>
      <div className={styles.levels}>
        {fields.map((field) => (
          <Select
            key={field}
            label={t(levelFields[field])}
            value={value[field]}
            onChange={({ target }) => onChange({ [field]: Number(target.value) as LevelValue })}
          >
            {levels.map((level) => (
              <option key={level} value={level}>
                {t(`consoleMembers.level.${level}`)}
              </option>
            ))}
          </Select>
        ))}
      </div>
      <Checkbox
        label={t('consoleMembers.rights.admin')}
        checked={value.isWriteAccessAdmin}
        error={error}
        onChange={({ target }) => onChange({ isWriteAccessAdmin: target.checked })}
      />
    </>
  )
}
