import { useId, useState, type SubmitEvent } from 'react'
import {
  deleteConsoleView,
  renameConsoleView,
  saveConsoleView,
  viewName,
  type ConsoleView,
} from '#contract/console-views.ts'
import { useAction } from '../actions/use-action.ts'
import { call, CallFailed } from '../call/call.ts'
import { ConfirmDialog } from '../forms/confirm-dialog.tsx'
import { boundsOf } from '../forms/field-bounds.ts'
import { useMessages } from '../i18n/messages.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { FormStatus } from '../ui/form-status.tsx'

export type ViewDialogState = { step: 'save'; query: string } | { step: 'rename' | 'drop'; view: ConsoleView }

type Props = {
  dialog: ViewDialogState
  list: string
  views: readonly ConsoleView[]
  onChanged: (views: ConsoleView[]) => void
  onClose: () => void
}

/** Saves, renames or deletes a view. */
export function ViewDialog(props: Props) {
  const { dialog } = props
  return dialog.step === 'drop' ? (
    <DeleteViewDialog {...props} view={dialog.view} />
  ) : (
    <NameViewDialog {...props} />
  )
}

function DeleteViewDialog({ view, views, onChanged, onClose }: Props & { view: ConsoleView }) {
  const { t } = useMessages()
  return (
    <ConfirmDialog
      title={t('console.views.drop.title', { name: view.name })}
      label={t('console.views.drop.now')}
      kind="danger"
      step={() => call(deleteConsoleView, { params: { id: view.id } }).catch(ignoreGone)}
      onDone={() => onChanged(views.filter(({ id }) => id !== view.id))}
      onClose={onClose}
    >
      <p>{t('console.views.drop.help')}</p>
    </ConfirmDialog>
  )
}

/** The view was deleted in another window, which is the intended result. */
function ignoreGone(failure: unknown): void {
  if (!(failure instanceof CallFailed && failure.code === 'not_found')) throw failure
}

function NameViewDialog({ dialog, list, views, onChanged, onClose }: Props) {
  const { t } = useMessages()
  const form = useId()
  const renamed = 'view' in dialog ? dialog.view : undefined
  const [typed, setTyped] = useState(renamed?.name ?? '')
  const { isBusy, error, run } = useAction()
  const name = typed.trim()
  const same = views.find((view) => view.name === name && view.id !== renamed?.id)
  const isTaken = same !== undefined && renamed !== undefined
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (name === '' || isTaken) return
    await run(async () => {
      const saved = await ('view' in dialog
        ? call(renameConsoleView, { params: { id: dialog.view.id }, body: { name } })
        : call(saveConsoleView, { body: { list, name, query: dialog.query } }))
      const isKnown = views.some(({ id }) => id === saved.id)
      onClose()
      onChanged(isKnown ? views.map((view) => (view.id === saved.id ? saved : view)) : [...views, saved])
    })
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={
        renamed ? t('console.views.rename.title', { name: renamed.name }) : t('console.views.save.title')
      }
      actions={
        <>
          <Button kind="quiet" disabled={isBusy} onClick={onClose}>
            {t('forms.cancel')}
          </Button>
          <Button type="submit" form={form} busy={isBusy} disabled={name === '' || isTaken}>
            {t(renamed ? 'console.views.rename.now' : 'console.views.save.now')}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={(event) => void submit(event)}>
        <TextField
          label={t('console.views.name')}
          help={renamed ? undefined : t(same ? 'console.views.save.replaces' : 'console.views.save.help')}
          error={isTaken ? t('console.views.taken') : undefined}
          maxLength={boundsOf(viewName).maxLength}
          autoComplete="off"
          required
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </form>
      <FormStatus error={error} />
    </Dialog>
  )
}
