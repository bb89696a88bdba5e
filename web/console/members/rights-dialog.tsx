import { useState, type ReactNode } from 'react'
import { setMemberRights, type ConsoleMemberDetail } from '#contract/console-members.ts'
import type { Rights } from '#contract/level-of.ts'
import type { LevelValue } from '#contract/members.ts'
import { call } from '../../call/call.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { Checkbox, Select } from '../../ui/field.tsx'
import styles from './members.module.css'
import { MemberReasonDialog } from './member-reason-dialog.tsx'

const levelFields = {
  manageNews: 'consoleMembers.right.news',
  manageEmployee: 'consoleMembers.right.employee',
  manageFinance: 'consoleMembers.right.finance',
  manageCoins: 'consoleMembers.right.coins',
} as const
const fields = Object.keys(levelFields) as (keyof typeof levelFields)[]
const levels = [0, 1, 2] as const

type Props = {
  member: ConsoleMemberDetail
  name: string
  note: ReactNode
  attempt: (work: Promise<ConsoleMemberDetail>) => Promise<ConsoleMemberDetail>
  onDone: (member: ConsoleMemberDetail) => void
  onFailure: (failure: unknown) => boolean
  onClose: () => void
}

/** Grants and revokes the four levels and the administrator right together. Only changes are sent. */
export function RightsDialog({ member, name, attempt, ...rest }: Props) {
  const { t } = useMessages()
  const granted: Rights = member.waitingRights ?? member
  const [wanted, setWanted] = useState<Partial<Rights>>({})
  const [isSame, setSame] = useState(false)
  const value = { ...granted, ...wanted }
  const changed = Object.fromEntries(
    Object.entries(wanted).filter(([field, level]) => granted[field as keyof Rights] !== level),
  ) as Partial<Rights>
  const change = (field: Partial<Rights>) => setWanted({ ...wanted, ...field })
  return (
    <MemberReasonDialog
      {...rest}
      title={t('consoleMembers.rights.title', { name })}
      text={t('consoleMembers.rights.text')}
      label={t('consoleMembers.rights.label')}
      step={(reason) => {
        const hasChange = Object.keys(changed).length > 0
        setSame(!hasChange)
        if (!hasChange) return null
        const body = { ...changed, reason, lastUpdated: member.lastUpdated }
        return attempt(call(setMemberRights, { params: { id: member.id }, body }))
      }}
    >
      <div className={styles.levels}>
        {fields.map((field) => (
          <Select
            key={field}
            label={t(levelFields[field])}
            value={value[field]}
            onChange={({ target }) => change({ [field]: Number(target.value) as LevelValue })}
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
        error={isSame && Object.keys(changed).length === 0 ? t('consoleMembers.rights.same') : undefined}
        onChange={({ target }) => change({ isWriteAccessAdmin: target.checked })}
      />
    </MemberReasonDialog>
  )
}
