import { useEffect, useState } from 'react'
import { useMessages } from '../../i18n/messages.tsx'
import type { ColorScheme } from '../../layout/color-scheme.ts'
import { useStore } from '../../state/create-store.ts'
import { pendingStepUp } from './ask-step-up.ts'
import { loadStepUpDialog } from './step-up-dialog.tsx'

type Loaded = Awaited<ReturnType<typeof loadStepUpDialog>>

/** Renders the step-up dialog once its messages have loaded. */
export function StepUpDialogMount({ ground }: { ground: ColorScheme }) {
  const { language } = useMessages()
  const asked = useStore(pendingStepUp)
  const [dialog, setDialog] = useState<Loaded>()
  const isWanted = asked !== null
  useEffect(() => {
    if (!isWanted) return undefined
    let isCurrent = true
    loadStepUpDialog(language).then(
      (loaded) => isCurrent && setDialog(loaded),
      () => isCurrent && pendingStepUp.get()?.answer(false),
    )
    return () => {
      isCurrent = false
    }
  }, [isWanted, language])
  if (!asked || !dialog) return null
  const { StepUpDialog, messages } = dialog
  return (
    <div data-ground={ground}>
      <StepUpDialog language={language} messages={messages} onAnswer={asked.answer} />
    </div>
  )
}
