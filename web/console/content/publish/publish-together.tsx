import { useState } from 'react'
import {
  getContentPiece,
  piecesAtOnceMax,
  type ContentPiece,
  type ContentPieceWhole,
} from '#contract/console-content.ts'
import type { ContentProblem } from '#contract/content-rules.ts'
import { checkContentDrafts } from '#contract/console-content.ts'
import { useAction } from '../../../actions/use-action.ts'
import { call } from '../../../call/call.ts'
import { useWords } from '../../../i18n/words.tsx'
import { showNotice } from '../../../notices/notices.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/field.tsx'
import { FormStatus } from '../../../ui/form-status.tsx'
import styles from '../content.module.css'
import { pathToPiece } from '../piece-address.ts'
import { PieceState } from '../piece-state.tsx'
import { usePieceName } from '../piece-words.ts'
import { ProblemList } from '../problem-list.tsx'
import { PublishDialog } from './publish-dialog.tsx'
import { doneWords } from './release-words.ts'

/** Drafts that nobody has published yet: several are published together or not at all, such as a manual and its PDF. */
export function PublishTogether({
  drafts,
  mayWrite,
  onReleased,
}: {
  drafts: readonly ContentPiece[]
  mayWrite: boolean
  onReleased: () => void
}) {
  const { t, formatDateTime } = useWords()
  const nameOfPiece = usePieceName()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [publishing, setPublishing] = useState<readonly ContentPieceWhole[]>()
  const [problems, setProblems] = useState<readonly ContentProblem[]>([])
  const { isBusy, error, run } = useAction()
  const names = drafts.map(({ piece }) => piece).filter((piece) => chosen.has(piece))
  const publish = () =>
    void run(async () => {
      const { problems: found } = await call(checkContentDrafts, { body: { pieces: names } })
      setProblems(found)
      if (found.length > 0) return
      setPublishing(await Promise.all(names.map((piece) => call(getContentPiece, { query: { piece } }))))
    })
  const toggle = (piece: string, isChosen: boolean) => {
    const next = new Set(chosen)
    if (isChosen) next.add(piece)
    else next.delete(piece)
    setChosen(next)
    setProblems([])
  }
  return (
    <section className={styles.group} aria-labelledby="drafts">
      <h2 id="drafts">{t('consoleContent.drafts')}</h2>
      <ul className={styles.drafts}>
        {drafts.map((draft) => {
          const { piece, changedAt, changedBy } = draft
          const name = nameOfPiece(piece)
          return (
            <li key={piece}>
              {mayWrite && (
                <Checkbox
                  label={<span className={styles.choose}>{t('consoleContent.drafts.choose', { name })}</span>}
                  checked={chosen.has(piece)}
                  disabled={!chosen.has(piece) && names.length >= piecesAtOnceMax}
                  onChange={({ target }) => toggle(piece, target.checked)}
                />
              )}
              <a href={pathToPiece(piece)}>{name}</a>
              <PieceState piece={draft} />
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
        })}
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
            showNotice(t(doneWords(release)), 'success')
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
