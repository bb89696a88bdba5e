import { useState } from 'react'
import {
  getContentItem,
  itemsAtOnceMax,
  type ContentItem,
  type ContentItemDetail,
} from '#contract/publishing/console-content.ts'
import type { ContentProblem } from '#contract/publishing/content-rules.ts'
import { checkContentDrafts } from '#contract/publishing/console-content.ts'
import { useAction } from '../../../kernel/actions/use-action.ts'
import { call } from '../../../kernel/call/call.ts'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { showNotice } from '../../../kernel/notices/notices.ts'
import { Button } from '../../../kernel/ui/button.tsx'
import { Checkbox } from '../../../kernel/ui/field.tsx'
import { FormStatus } from '../../../kernel/ui/form-status.tsx'
import styles from '../content.module.css'
import { pathToItem } from '../item-address.ts'
import { ItemStatus } from '../item-status.tsx'
import { useItemName } from '../item-labels.ts'
import { ProblemList } from '../problem-list.tsx'
import { PublishDialog } from './publish-dialog.tsx'
import { doneMessage } from './release-labels.ts'

type Props = { drafts: readonly ContentItem[]; mayWrite: boolean; onReleased: () => void }

/** Drafts. Several can be published together or not at all, such as a manual and its PDF. */
export function PublishTogether({ drafts, mayWrite, onReleased }: Props) {
  const { t } = useMessages()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [publishing, setPublishing] = useState<readonly ContentItemDetail[]>()
  const [problems, setProblems] = useState<readonly ContentProblem[]>([])
  const { isBusy, error, run } = useAction()
  const names = drafts.map(({ piece }) => piece).filter((piece) => chosen.has(piece))
  const publish = () =>
    void run(async () => {
      const { problems: found } = await call(checkContentDrafts, { body: { pieces: names } })
      setProblems(found)
      if (found.length > 0) return
      setPublishing(await Promise.all(names.map((piece) => call(getContentItem, { query: { piece } }))))
    })
  const toggle = (piece: string) => {
    setChosen(
      chosen.has(piece) ? new Set([...chosen].filter((each) => each !== piece)) : new Set([...chosen, piece]),
    )
    setProblems([])
  }
  return (
    <section className={styles.group} aria-labelledby="drafts">
      <h2 id="drafts">{t('consoleContent.drafts')}</h2>
      <ul className={styles.drafts}>
        {drafts.map((draft) => (
          <Draft
            key={draft.piece}
            draft={draft}
            isChosen={chosen.has(draft.piece)}
            isFull={names.length >= itemsAtOnceMax}
            onToggle={mayWrite ? () => toggle(draft.piece) : undefined}
          />
        ))}
      </ul>
      <ProblemList piece="" problems={problems} />
      {mayWrite && (
        <div>
          <Button kind="quiet" busy={isBusy} disabled={names.length === 0} onClick={publish}>
            {t('consoleContent.drafts.publish')}
          </Button>
          <FormStatus error={error} />
        </div>
      )}
      {publishing && (
        <PublishDialog
          pieces={publishing}
          onDone={(release) => {
            showNotice(t(doneMessage(release)), 'success')
            setChosen(new Set())
            onReleased()
          }}
          onBroken={setProblems}
          onClose={() => setPublishing(undefined)}
        />
      )}
    </section>
  )
}

function Draft({
  draft,
  isChosen,
  isFull,
  onToggle,
}: {
  draft: ContentItem
  isChosen: boolean
  /** No further draft can be selected. */
  isFull: boolean
  onToggle: (() => void) | undefined
}) {
  const { t, formatDateTime } = useMessages()
  const name = useItemName()(draft.piece)
  const { piece, changedAt, changedBy } = draft
  return (
    <li>
      {onToggle && (
        <Checkbox
          label={<span className={styles.choose}>{t('consoleContent.drafts.choose', { name })}</span>}
          checked={isChosen}
          disabled={!isChosen && isFull}
          onChange={onToggle}
        />
      )}
      <a href={pathToItem(piece)}>{name}</a>
      <ItemStatus piece={draft} />
      {changedAt && (
        <span className={styles.sign}>
          {t('consoleContent.changed', {
            name: changedBy?.name || t('consoleContent.somebody'),
            time: formatDateTime(changedAt),
          })}
        </span>
      )}
    </li>
  )
}
