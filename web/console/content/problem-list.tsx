import type { ContentProblem } from '#contract/publishing/content-rules.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { TextButton } from '../../kernel/ui/button.tsx'
import { Message } from '../../kernel/ui/form-status.tsx'
import styles from './content.module.css'
import { placeLabel } from './facts/field-labels.ts'
import { pathToItem, placeOf, problemMessageIn } from './item-address.ts'
import { useItemName } from './item-labels.ts'
import { showPlace } from './show-place.ts'

/** Problems with links to their places. */
export function ProblemList({ piece, problems }: { piece: string; problems: readonly ContentProblem[] }) {
  const { t, language, nameValue } = useMessages()
  const nameOfItem = useItemName()
  if (problems.length === 0) return null
  return (
    <Message kind="bad">
      <p>
        <strong>{t('consoleContent.problems.heading', { count: problems.length })}</strong>
      </p>
      <p>{t('consoleContent.problems.text')}</p>
      <ul className={styles.problems}>
        {problems.map((problem) => {
          const at = placeOf(problem)
          const isHere = at.piece === piece
          const words = placeLabel(t, at.piece, at.place)
          const label = isHere ? words : nameValue(nameOfItem(at.piece), words)
          return (
            <li key={`${problem.file} ${problem.place} ${problem.code}`}>
              {isHere ? (
                <TextButton onClick={() => showPlace(at.place)}>{label}</TextButton>
              ) : (
                <a href={pathToItem(at.piece, at.place)}>{label}</a>
              )}
              <span>{problemMessageIn(problem, language)}</span>
            </li>
          )
        })}
      </ul>
    </Message>
  )
}
