import { useEffect, useState } from 'react'
import { useWords } from '../../i18n/words.tsx'
import type { Ground } from '../../layout/color-scheme.ts'
import { useStore } from '../../state/create-store.ts'
import { stepUpAsked } from './ask-step-up.ts'
import { loadStepUpDialog } from './step-up-dialog.tsx'

type Loaded = Awaited<ReturnType<typeof loadStepUpDialog>>

/** Renders the step-up dialog once its messages have loaded. */
export function StepUpShown({ ground }: { ground: Ground }) {
  const { language } = useWords()
  const asked = useStore(stepUpAsked)
  const [dialog, setDialog] = useState<Loaded>()
  const isWanted = asked !== null
  useEffect(() => {
    if (!isWanted) return undefined
    let isCurrent = true
    loadStepUpDialog(language).then(
      (loaded) => isCurrent && setDialog(loaded),
      () => isCurrent && stepUpAsked.get()?.answer(false),
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
