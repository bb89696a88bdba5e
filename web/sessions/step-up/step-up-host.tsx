import { useEffect, useState } from 'react'
import { useWords } from '../../i18n/words.tsx'
import type { Ground } from '../../layout/ground.ts'
import { useStore } from '../../state/create-store.ts'
import { stepUpAsked } from './ask-step-up.ts'
import type { loadStepUpDialog } from './step-up-dialog.tsx'

type Loaded = Awaited<ReturnType<typeof loadStepUpDialog>>

/** Where the dialog stands that any call can ask for. It and its words come when it is first wanted. */
export function StepUpHost({ ground }: { ground: Ground }) {
  const { language } = useWords()
  const asked = useStore(stepUpAsked)
  const [dialog, setDialog] = useState<Loaded>()
  const isWanted = asked !== null
  useEffect(() => {
    if (!isWanted) return undefined
    let isCurrent = true
    import('./step-up-dialog.tsx')
      .then(({ loadStepUpDialog }) => loadStepUpDialog(language))
      .then(
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
