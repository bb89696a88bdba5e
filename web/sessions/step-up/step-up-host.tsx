import type { Ground } from '../../layout/ground.ts'
import { useStore } from '../../state/create-store.ts'
import { stepUpShown } from './ask-step-up.ts'

/** Where the step-up dialog stands, which any call may request. It is loaded with the first that does. */
export function StepUpHost({ ground }: { ground: Ground }) {
  const shown = useStore(stepUpShown)
  return shown && <shown.StepUpShown ground={ground} />
}
