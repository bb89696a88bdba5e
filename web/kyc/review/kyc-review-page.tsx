import { useEffect, useState } from 'react'
import { readKycStatistics, type KycCase } from '#contract/people/kyc-review.ts'
import { call } from '../../kernel/call/call.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { page, type PageProps } from '../../kernel/routes/page.ts'
import { ShortcutsDialog } from '../../kernel/shortcuts/shortcuts-dialog.tsx'
import { useShortcutSwitch } from '../../kernel/shortcuts/use-shortcuts.ts'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { useSession, type Member } from '../../kernel/session/session.ts'
import { TextButton } from '../../kernel/ui/button.tsx'
import { PageHead } from '../../kernel/ui/page-head.tsx'
import { CaseView } from './case-view.tsx'
import type { Draft } from './decision/draft.ts'
import { KeyHint } from './keys/key-hint.tsx'
import { keyGroups, reviewKeys } from './keys/review-keys.ts'
import { KeysContext, useKeys } from './keys/use-keys.ts'
import { CaseQueue } from './queue/case-queue.tsx'
import { useQueue } from './queue/use-queue.ts'
import { caseOf, filterOf } from './review-address.ts'
import { isWaiting } from './review-states.ts'

/** The review page: a queue, and one case at a time, selected by the address. */
function KycReviewView({ search }: PageProps<unknown>) {
  const { t } = useMessages()
  const { member } = useSession()
  const [hasKeys, switchKeys] = useShortcutSwitch()
  const [isShowingKeys, setIsShowingKeys] = useState(false)
  if (!member) return <PageHead heading={t('review.heading')} lead={t('review.lead')} />
  const groups = keyGroups.map(({ words, keys }) => ({
    heading: t(words),
    keys: [
      ...keys.map((name) => ({ key: reviewKeys[name].key, text: t(reviewKeys[name].words) })),
      ...(words === 'review.keys.group.photos' ? [{ key: '← ↑ → ↓', text: t('review.keys.move') }] : []),
    ],
  }))
  return (
    <KeysContext value={hasKeys}>
      <Desk member={member} search={search} onKeys={() => setIsShowingKeys(true)} />
      <ShortcutsDialog
        groups={groups}
        isOpen={isShowingKeys}
        onClose={() => setIsShowingKeys(false)}
        isOn={hasKeys}
        onSwitch={switchKeys}
      />
    </KeysContext>
  )
}

type DeskProps = { member: Member; search: URLSearchParams; onKeys: () => void }

function Desk({ member, search, onKeys }: DeskProps) {
  const { t } = useMessages()
  const filter = filterOf(search)
  const id = caseOf(search)
  const queue = useQueue(filter)
  const counted = useLoaded('counts', () => call(readKycStatistics, {}))
  const [drafts] = useState(() => new Map<string, Draft>())
  const [leftCase, setLeftCase] = useState<string | null>(null)
  useEffect(() => {
    if (id !== null) setLeftCase(id)
  }, [id])
  useKeys({ help: onKeys })

  const statistics = counted.state === 'ready' ? counted.data : undefined
  const { cases } = queue
  const at = cases.findIndex(({ _id }) => _id === id)
  if (id !== null)
    return (
      <CaseView
        key={id}
        id={id}
        filter={filter}
        known={cases[at]}
        previous={cases[at - 1]}
        // If the case is not in this queue, the first one of the queue comes next.
        next={cases[at + 1]}
        nextToDecide={nextToDecide(cases, at, member.id)}
        usualHours={statistics?.usualHours ?? null}
        officerId={member.id}
        mayDecide={member.manageFinance >= 2}
        drafts={drafts}
        onChanged={queue.update}
        onStep={() => counted.state === 'ready' && counted.reload()}
        onKeys={onKeys}
      />
    )
  return (
    <>
      <PageHead
        heading={t('review.heading')}
        lead={t('review.lead')}
        action={
          <TextButton onClick={onKeys}>
            {t('console.keys')}
            <KeyHint of="help" />
          </TextButton>
        }
      />
      <CaseQueue filter={filter} queue={queue} statistics={statistics} leftCase={leftCase} />
    </>
  )
}

/** Finds the next waiting case that is not assigned to another reviewer, from here on and then from the beginning. */
function nextToDecide(cases: readonly KycCase[], at: number, officerId: string): KycCase | undefined {
  const others = at === -1 ? cases : [...cases.slice(at + 1), ...cases.slice(0, at)]
  return others.find(
    ({ status, assignee, memberId }) =>
      isWaiting(status) && (assignee === null || assignee.id === officerId) && memberId !== officerId,
  )
}

export default page({ View: KycReviewView })
