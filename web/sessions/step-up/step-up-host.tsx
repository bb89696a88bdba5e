import type { ColorScheme } from '../../kernel/layout/color-scheme.ts'
import { useStore } from '../../kernel/state/create-store.ts'
import { stepUpDialog } from './ask-step-up.ts'

/** Where the step-up dialog is rendered. Any request can open it. It is loaded on first use. */
export function StepUpHost({ ground }: { ground: ColorScheme }) {
  const shown = useStore(stepUpDialog)
  return shown && <shown.StepUpDialogMount ground={ground} />
}
