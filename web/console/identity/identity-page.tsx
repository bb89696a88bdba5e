import { useEffect, useMemo, useRef, useState } from 'react'
import { readKycStatistics, type KycCase } from '#contract/people/kyc-review.ts'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call } from '../../kernel/call/call.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { page, type PageProps } from '../../kernel/routes/page.ts'
import { useSession, type Member } from '../../kernel/session/session.ts'
import { ShortcutsDialog } from '../../kernel/shortcuts/shortcuts-dialog.tsx'
import { useShortcutSwitch } from '../../kernel/shortcuts/use-shortcuts.ts'
import { PageHead } from '../../kernel/ui/page-head.tsx'
import { CaseView } from '../../kyc/review/case-view.tsx'
import type { Draft } from '../../kyc/review/decision/draft.ts'
import { keyGroups, reviewKeys } from '../../kyc/review/keys/review-keys.ts'
import { KeysContext, useKeys } from '../../kyc/review/keys/use-keys.ts'
import { caseOf } from '../../kyc/review/review-address.ts'
import { isWaiting } from '../../kyc/review/review-states.ts'
import type { CaseProps } from '../../kyc/review/use-case-actions.ts'
import { KeptList } from '../list/console-list.tsx'
import { useList } from '../list/use-list.ts'
import { identityList, rowLinkId } from './identity-list.tsx'
import { QueueFigures } from './queue-figures.tsx'

/** The review page: a queue, and one case at a time, selected by the address. */
function IdentityView({ search }: PageProps<unknown>) {
  const { t } = useMessages()
  const { member } = useSession()
  if (!member) return <PageHead heading={t('review.heading')} lead={t('review.lead')} />
  return <Desk member={member} search={search} />
}

/** Keeps the queue while a case is open, so that its order and position are the same afterward. */
function Desk({ member, search }: { member: Member; search: URLSearchParams }) {
  const { t } = useMessages()
  const id = caseOf(search)
  const counted = useLoaded('counts', () => call(readKycStatistics, {}))
  const statistics = counted.state === 'ready' ? counted.data : undefined
  const usualHours = statistics?.usualHours ?? null
  const spec = useMemo(() => identityList({ t, search, usualHours }), [t, search, usualHours])
  const frame = useRef<HTMLDivElement>(null)
  const list = useList(spec, search)
  const [drafts] = useState(() => new Map<string, Draft>())
  useFocusOnReturn(id)
  const recount = () => counted.state === 'ready' && counted.reload()
  const reload = () => {
    list.reload()
    recount()
  }
  const { rows } = list
  const at = rows.findIndex((row) => row.id === id)
  if (id !== null)
    return (
      <CaseDesk
        key={id}
        id={id}
        queue={search}
        known={rows[at]}
        previous={rows[at - 1]}
        // If the case is not in this queue, the first one of the queue comes next.
        next={rows[at + 1]}
        nextToDecide={nextToDecide(rows, at, member.id)}
        usualHours={usualHours}
        officerId={member.id}
        mayDecide={member.manageFinance >= 2}
        drafts={drafts}
        onChanged={(changed) => list.update({ ...changed, id: changed._id })}
        onStep={recount}
      />
    )
  return (
    <>
      <PageHead heading={t('review.heading')} lead={t('review.lead')} />
      {statistics && <QueueFigures statistics={statistics} />}
      <KeptList spec={spec} list={{ ...list, reload }} frame={frame} />
    </>
  )
}

/** Moves the focus to the row of the case that was left. */
function useFocusOnReturn(id: string | null): void {
  const [left, setLeft] = useState(id)
  useEffect(() => {
    if (id !== null) setLeft(id)
    else if (left !== null) document.getElementById(rowLinkId(left))?.focus()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only when a case is opened or left
  }, [id])
}

/** A case with its shortcuts, which differ from those of the queue. */
function CaseDesk(props: Omit<CaseProps, 'onKeys'>) {
  const { t } = useMessages()
  const [hasKeys, switchKeys] = useShortcutSwitch()
  const [isShowingKeys, setIsShowingKeys] = useState(false)
  const groups = keyGroups.map(({ words, keys }) => ({
    heading: t(words),
    keys: [
      ...keys.map((name) => ({ key: reviewKeys[name].key, text: t(reviewKeys[name].words) })),
      ...(words === 'review.keys.group.photos' ? [{ key: '← ↑ → ↓', text: t('review.keys.move') }] : []),
    ],
  }))
  const showKeys = () => setIsShowingKeys(true)
  return (
    <KeysContext value={hasKeys}>
      <CaseHelp onKeys={showKeys} />
      <CaseView {...props} onKeys={showKeys} />
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

/** Inside the context that says whether shortcuts are on. */
function CaseHelp({ onKeys }: { onKeys: () => void }) {
  useKeys({ help: onKeys })
  return null
}

/** Finds the next waiting case that is not assigned to another reviewer, from here on and then from the beginning. */
function nextToDecide(cases: readonly KycCase[], at: number, officerId: string): KycCase | undefined {
  const others = at === -1 ? cases : [...cases.slice(at + 1), ...cases.slice(0, at)]
  return others.find(
    ({ status, assignee, memberId }) =>
      isWaiting(status) && (assignee === null || assignee.id === officerId) && memberId !== officerId,
  )
}

export default page({ View: IdentityView })
