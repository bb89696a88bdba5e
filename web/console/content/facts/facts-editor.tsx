import { useMemo } from 'react'
import { getContentShape } from '#contract/content-shapes.ts'
import type { ContentProblem } from '#contract/content-rules.ts'
import { NotLoaded } from '../../../actions/not-loaded.tsx'
import { useLoaded } from '../../../actions/use-loaded.ts'
import { call } from '../../../call/call.ts'
import { useMessages } from '../../../i18n/messages.tsx'
import { messagesByPlace } from '../item-address.ts'
import { WHOLE, type Draft } from '../use-draft.ts'
import { useShownPlace } from '../show-place.ts'
import styles from './facts.module.css'
import { FormProvider, type FormState } from './form-state.ts'
import { ShapeField } from './shape-form.tsx'

/** A form for a data file or for the brand, built from its shape in the content rules. */
export function FactsEditor({
  draft,
  problems,
  mayWrite,
  at,
}: {
  draft: Draft
  problems: readonly ContentProblem[]
  mayWrite: boolean
  at: string | null
}) {
  const { t, language } = useMessages()
  const { piece } = draft.piece
  const loaded = useLoaded(`shape ${piece}`, () => call(getContentShape, { query: { piece } }))
  useShownPlace(at, loaded.state === 'ready')
  const state = useMemo((): FormState => {
    const messages = messagesByPlace(problems, piece, language)
    return {
      problemAt: (place) => messages.get(place),
      wrongWithin: (place) =>
        [...messages.keys()].filter((each) => `${each}.`.startsWith(`${place}.`)).length,
      mayWrite,
    }
  }, [problems, language, piece, mayWrite])
  if (loaded.state !== 'ready') return <NotLoaded of={loaded} title={t('consoleContent.loadFailed')} />
  return (
    <div className={styles.form}>
      <FormProvider value={state}>
        <ShapeField
          shape={loaded.data.shape}
          name=""
          place=""
          value={draft.valueAt(WHOLE)}
          onValue={(value) => draft.set(WHOLE, value)}
        />
      </FormProvider>
    </div>
  )
}
