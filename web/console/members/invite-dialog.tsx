import { useState } from 'react'
import { languages, type Language } from '#contract/platform/languages.ts'
import type { Rights } from '#contract/people/level-of.ts'
import { hasAnyStaffRight } from '#contract/people/level-of.ts'
import { createStaffInvitation, type StaffInvitation } from '#contract/people/staff-invitations.ts'
import { call, CallFailed } from '../../kernel/call/call.ts'
import { ConfirmDialog } from '../../kernel/forms/confirm-dialog.tsx'
import { boundsOf } from '../../kernel/forms/field-bounds.ts'
import { languageLabel } from '../../kernel/i18n/language-label.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Select, TextField } from '../../kernel/ui/field.tsx'
import { RightFields } from './right-fields.tsx'

const none: Rights = {
  isWriteAccessAdmin: false,
  manageNews: 0,
  manageEmployee: 0,
  manageFinance: 0,
  manageCoins: 0,
}

/** The usual roles, which fill in the levels. They can be changed afterward. */
const roles = {
  support: { ...none, manageEmployee: 2 },
  finance: { ...none, manageEmployee: 1, manageFinance: 2 },
  sale: { ...none, manageFinance: 1, manageCoins: 2 },
  editor: { ...none, manageNews: 2 },
  administrator: { ...none, isWriteAccessAdmin: true },
} as const satisfies Record<string, Rights>
type Role = keyof typeof roles
const roleNames = Object.keys(roles) as Role[]

const isSame = (one: Rights, other: Rights) =>
  (Object.keys(none) as (keyof Rights)[]).every((right) => one[right] === other[right])

type Props = { onDone: (invited: StaffInvitation) => void; onClose: () => void }

/** Asks for the address of a colleague and the rights that the account gets. */
export function InviteDialog({ onDone, onClose }: Props) {
  const { t, language: own } = useMessages()
  const [email, setEmail] = useState('')
  const [language, setLanguage] = useState<Language>(own)
  const [rights, setRights] = useState<Rights>(none)
  const [problems, setProblems] = useState<{ email?: string | undefined; rights?: string | undefined }>({})
  const send = () => {
    const isEmpty = email.trim() === ''
    const lacksRight = !hasAnyStaffRight(rights)
    setProblems({
      email: isEmpty ? t('field.required') : undefined,
      rights: lacksRight ? t('consoleMembers.invite.noRight') : undefined,
    })
    if (isEmpty || lacksRight) return null
    return call(createStaffInvitation, { body: { email: email.trim(), language, ...rights } })
  }
  return (
    <ConfirmDialog
      title={t('consoleMembers.invite.title')}
      label={t('consoleMembers.invite.send')}
      step={send}
      onDone={onDone}
      onFailure={(failure) => {
        const wrong = failure instanceof CallFailed && failure.errors.find(({ path }) => path === 'email')
        if (!wrong) return false
        setProblems({ email: wrong.message })
        return true
      }}
      onClose={onClose}
    >
      <p>{t('consoleMembers.invite.text')}</p>
      <TextField
        type="email"
        label={t('consoleMembers.invitations.email')}
        autoComplete="off"
        maxLength={boundsOf(createStaffInvitation.body.shape.email).maxLength}
        error={problems.email}
        value={email}
        onChange={({ target }) => setEmail(target.value)}
      />
      <LanguageField value={language} onChange={setLanguage} />
      <RoleField rights={rights} onChange={setRights} />
      <RightFields
        value={rights}
        error={problems.rights}
        onChange={(changed) => setRights({ ...rights, ...changed })}
      />
    </ConfirmDialog>
  )
}

type LanguageFieldProps = { value: Language; onChange: (chosen: Language) => void }

/** The language of the email, and of the account until its owner changes it. */
function LanguageField({ value, onChange }: LanguageFieldProps) {
  const { t } = useMessages()
  return (
    <Select
      label={t('consoleMembers.invite.language')}
      value={value}
      onChange={({ target }) => onChange(target.value as Language)}
    >
      {languages.map((each) => (
        <option key={each} value={each}>
          {languageLabel(t, each)}
        </option>
      ))}
    </Select>
  )
}

type RoleFieldProps = { rights: Rights; onChange: (rights: Rights) => void }

/** Fills in the levels of a usual role. */
function RoleField({ rights, onChange }: RoleFieldProps) {
  const { t } = useMessages()
  const role = roleNames.find((name) => isSame(roles[name], rights)) ?? ''
  return (
    <Select
      label={t('consoleMembers.invite.role')}
      value={role}
      onChange={({ target }) => onChange(target.value === '' ? none : roles[target.value as Role])}
    >
      <option value="">{t('consoleMembers.invite.role.own')}</option>
      {roleNames.map((name) => (
        <option key={name} value={name}>
          {t(`consoleMembers.invite.role.${name}`)}
        </option>
      ))}
    </Select>
  )
}
