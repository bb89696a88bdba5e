import { useEffect, useId, useRef, useState } from 'react'
import {
  readSetup,
  skipSetupStep,
  type SetupStep,
  type SetupStepName,
} from '#contract/console/console-setup.ts'
import type { Rights } from '#contract/people/level-of.ts'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useAction } from '../../kernel/actions/use-action.ts'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call } from '../../kernel/call/call.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { TextButton } from '../../kernel/ui/button.tsx'
import { FormStatus } from '../../kernel/ui/form-status.tsx'
import { Tag } from '../../kernel/ui/tag.tsx'
import { lacksRight, placeOf } from './setup-steps.ts'
import styles from './setup-checklist.module.css'

const isOpen = ({ state }: SetupStep): boolean => state === 'open'

type Props = {
  rights: Rights
  /** Whether it is also shown when no step is open. */
  isAsked: boolean
}

/** The steps that a new administrator still has to do. Without `isAsked`, it appears only if a step is open. */
export function SetupChecklist({ rights, isAsked }: Props) {
  const { t } = useMessages()
  const loaded = useLoaded('setup', () => call(readSetup, {}))
  if (loaded.state !== 'ready') return <NotLoaded of={loaded} title={t('setup.failed')} />
  return isAsked || loaded.data.some(isOpen) ? <Checklist first={loaded.data} rights={rights} /> : null
}

/** It stays until the page is left, so that the last step that was marked as not needed can be restored. */
function Checklist({ first, rights }: { first: readonly SetupStep[]; rights: Rights }) {
  const { t } = useMessages()
  const [steps, setSteps] = useState(first)
  const [changed, setChanged] = useState<SetupStepName>()
  const { isBusy, error, run } = useAction()
  const done = steps.filter(({ state }) => state === 'done').length
  const total = steps.filter(({ state }) => state !== 'skipped').length
  const skip = (name: SetupStepName, isSkipped: boolean) =>
    void run(async () => {
      setSteps(await call(skipSetupStep, { params: { step: name }, body: { isSkipped } }))
      setChanged(name)
    })
  const common = { changed, isBusy, onSkip: skip }
  return (
    <section className={styles.setup} aria-labelledby="setup">
      <div className={styles.head}>
        <h2 id="setup">{t('setup.heading')}</h2>
        <p className={styles.progress}>
          <progress max={Math.max(1, total)} value={done} aria-labelledby="setup-progress" />
          <span id="setup-progress" role="status">
            {t('setup.progress', { done, total })}
          </span>
        </p>
        <p className={styles.lead}>{steps.some(isOpen) ? t('setup.lead') : t('setup.complete')}</p>
      </div>
      <FormStatus error={error} />
      {steps.some(isOpen) && (
        <ol className={styles.open}>
          {steps.filter(isOpen).map((step) => (
            <OpenStep key={step.name} step={step} rights={rights} {...common} />
          ))}
        </ol>
      )}
      {!steps.every(isOpen) && (
        <ul className={styles.closed}>
          {steps
            .filter((step) => !isOpen(step))
            .map((step) => (
              <ClosedStep key={step.name} step={step} {...common} />
            ))}
        </ul>
      )}
    </section>
  )
}

type StepProps = {
  step: SetupStep
  /** The step that was last marked or restored. */
  changed: SetupStepName | undefined
  isBusy: boolean
  onSkip: (name: SetupStepName, isSkipped: boolean) => void
}

/** Why the step matters, what the checks found, and where to do it. */
function OpenStep({ step, rights, ...common }: StepProps & { rights: Rights }) {
  const { t } = useMessages()
  const id = useId()
  const { name, problems, facts } = step
  const place = placeOf(name, rights)
  const advice = [
    ...problems.map((problem) => t(`setup.advice.${problem}`)),
    ...facts.map((fact) => t(`setup.fact.${fact.name}`, { value: fact.value })),
    ...(lacksRight(name, rights) ? [t('setup.sale.right')] : []),
    ...('guide' in place ? [t('setup.guide', { file: place.guide })] : []),
  ]
  return (
    <li>
      <h3 id={id}>{t(`setup.step.${name}`)}</h3>
      <p>{t(`setup.why.${name}`)}</p>
      {advice.map((each) => (
        <p key={each} className={styles.advice}>
          {each}
        </p>
      ))}
      <p className={styles.actions}>
        {'path' in place && <a href={place.path}>{t('setup.open', { page: t(place.page) })}</a>}
        <SkipButton titleId={id} step={step} {...common} />
      </p>
    </li>
  )
}

function ClosedStep({ step, ...common }: StepProps) {
  const { t } = useMessages()
  const id = useId()
  const { name, state } = step
  return (
    <li>
      <Tag colour={state === 'done' ? 'green' : 'quiet'}>
        {t(state === 'done' ? 'setup.state.done' : 'setup.state.skipped')}
      </Tag>
      <span id={id}>{t(`setup.step.${name}`)}</span>
      {state === 'skipped' && <SkipButton titleId={id} step={step} {...common} />}
    </li>
  )
}

/** Marking a step moves it to the other list, so the button that undoes it takes over the focus. */
function SkipButton({ titleId, step, changed, isBusy, onSkip }: StepProps & { titleId: string }) {
  const { t } = useMessages()
  const button = useRef<HTMLButtonElement>(null)
  const wasChanged = changed === step.name
  useEffect(() => {
    if (wasChanged) button.current?.focus()
  }, [wasChanged])
  return (
    <TextButton
      ref={button}
      className={styles.skip}
      aria-describedby={titleId}
      disabled={isBusy}
      onClick={() => onSkip(step.name, step.state === 'open')}
    >
      {t(step.state === 'open' ? 'setup.skip' : 'setup.restore')}
    </TextButton>
  )
}
