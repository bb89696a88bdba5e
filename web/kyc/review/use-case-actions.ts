import { useLayoutEffect, useRef, useState } from 'react'
import {
  assignKycCase,
  decideKycCase,
  getKycCase,
  type KycCase,
  type KycCaseDetail,
} from '#contract/people/kyc-review.ts'
import { useAction } from '../../kernel/actions/use-action.ts'
import { call, CallFailed } from '../../kernel/call/call.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import type { Done } from './decision/case-done.tsx'
import { explainConflict } from './decision/conflict.tsx'
import { noDraft, type Draft, type Outcome } from './decision/draft.ts'
import type { QueueSearch } from './review-address.ts'

export type CaseProps = {
  id: string
  queue: QueueSearch
  /** The case and its neighbors, if the queue has loaded them. */
  known: KycCase | undefined
  previous: KycCase | undefined
  next: KycCase | undefined
  nextToDecide: KycCase | undefined
  usualHours: number | null
  officerId: string
  mayDecide: boolean
  drafts: Map<string, Draft>
  onChanged: (changed: KycCase) => void
  /** Called when the case's status has changed, and therefore the queue's counts. */
  onStep: () => void
  onKeys: () => void
}

export type OpenCaseProps = CaseProps & {
  kycCase: KycCaseDetail
  setKycCase: (kycCase: KycCaseDetail) => void
}

function doneAs(outcome: Outcome, changed: KycCase): Done {
  if (outcome === 'final' && !changed.isFinal) return 'proposed'
  return outcome === 'approved' && changed.status !== 'approved' ? 'approval_proposed' : outcome
}

/** Shows the changes to a case, whether this reviewer or another one made them. */
function useCaseChanges({ id, officerId, kycCase, setKycCase, onChanged, onStep }: OpenCaseProps) {
  const words = useMessages()
  const [conflict, setConflict] = useState<string>()
  const [version, setVersion] = useState(0)
  /** Two responses can arrive together, so each is applied to the result of the other. */
  const latest = useRef(kycCase)
  useLayoutEffect(() => {
    latest.current = kycCase
  }, [kycCase])
  const put = (changed: Partial<KycCaseDetail>) => {
    latest.current = { ...latest.current, ...changed }
    setKycCase(latest.current)
  }
  const refreshEvents = () => setVersion((before) => before + 1)
  const applyChange = (changed: KycCase) => {
    put(changed)
    onChanged(changed)
    if (changed.status !== kycCase.status) onStep()
    refreshEvents()
  }
  return {
    applyChange,
    applyPhotoVerdict: (reviewed: KycCaseDetail['photos'][number]) => {
      put({ photos: latest.current.photos.map((each) => (each.n === reviewed.n ? reviewed : each)) })
      // The first photo verdict starts the review.
      applyChange({ ...latest.current, status: 'in_review' })
    },
    conflict,
    clearConflict: () => setConflict(undefined),
    /** If another reviewer acted first, the case is shown as they left it. */
    showConflict: async (cause: unknown) => {
      const isConflict = cause instanceof CallFailed && cause.code === 'conflict'
      const now = isConflict && (await call(getKycCase, { params: { id } }).catch(() => undefined))
      if (!now) throw cause
      setConflict(await explainConflict(words, now, kycCase, officerId))
      setKycCase(now)
      onChanged(now)
      refreshEvents()
    },
    /** Counts the changes, so that the history is loaded again. */
    version,
    refreshEvents,
  }
}

/** Everything that a reviewer can do with an open case, and what has come of it. */
export function useCaseActions(props: OpenCaseProps) {
  const { id, drafts, kycCase } = props
  const [draft, setDraft] = useState(() => drafts.get(id) ?? noDraft)
  const assigning = useAction()
  const deciding = useAction()
  const [done, setDone] = useState<Done>()
  const changes = useCaseChanges(props)
  const { applyChange, showConflict } = changes

  const begin = () => {
    assigning.reset()
    deciding.reset()
    changes.clearConflict()
  }
  return {
    ...changes,
    draft,
    keepDraft: (changed: Draft) => {
      drafts.set(id, changed)
      setDraft(changed)
    },
    error: assigning.error ?? deciding.error,
    isAssigning: assigning.isBusy,
    done,
    assign: (to: 'me' | 'nobody', takeOver: boolean) => {
      begin()
      const body = { to, takeOver }
      return assigning.run(() =>
        call(assignKycCase, { params: { id }, body }).then(applyChange, showConflict),
      )
    },
    decide: async (outcome: Outcome) => {
      begin()
      await deciding.run(() =>
        call(decideKycCase, { params: { id }, body: decisionOf(outcome, draft, kycCase) }).then((changed) => {
          drafts.delete(id)
          applyChange(changed)
          setDone(doneAs(outcome, changed))
        }, showConflict),
      )
    },
    applyPhotoVerdict: (reviewed: KycCaseDetail['photos'][number]) => {
      begin()
      changes.applyPhotoVerdict(reviewed)
    },
    failPhotoVerdict: async (cause: unknown) => void (await deciding.run(() => showConflict(cause))),
    /** Shows the outcome of an action that has its own form. */
    finish: (changed: KycCase, outcome: Done) => {
      begin()
      applyChange(changed)
      setDone(outcome)
    },
  }
}

function decisionOf(outcome: Outcome, { reason, note }: Draft, { round }: KycCase) {
  const isFinal = outcome === 'final'
  return {
    status: isFinal ? ('rejected' as const) : outcome,
    isFinal,
    round,
    reason: outcome === 'approved' ? '' : reason,
    ...(note !== undefined && { note }),
  }
}
