import type { ReactNode } from 'react'
import type { SettingChange } from '#contract/settings.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { useMessages } from '../../i18n/messages.tsx'
import { ChangeList } from './change-list.tsx'

/** A review of the changes before saving. */
export function SaveDialog({
  title,
  label,
  changes,
  save,
  onClose,
  children,
}: {
  title: string
  label: string
  changes: readonly SettingChange[]
  save: () => Promise<unknown> | null
  onClose: () => void
  children?: ReactNode
}) {
  const { t } = useMessages()
  return (
    <ConfirmDialog
      title={title}
      label={label}
      dismissLabel={t('consoleSale.back')}
      step={save}
      onDone={() => {}}
      onClose={onClose}
    >
      <ChangeList changes={changes} />
      {children}
    </ConfirmDialog>
  )
}
