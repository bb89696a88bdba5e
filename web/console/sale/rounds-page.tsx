import { levelOf } from '#contract/people/level-of.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { pathTo } from '../../kernel/routes/routes.ts'
import { ButtonLink } from '../../kernel/ui/button.tsx'
import { listPage } from '../list/list-page.tsx'
import { newRoundId } from './round-labels.ts'
import { roundsList } from './rounds-list.tsx'

function AddRound() {
  const { t } = useMessages()
  return (
    <ButtonLink kind="quiet" href={pathTo('console.saleRound', { id: newRoundId })}>
      {t('consoleRounds.add')}
    </ButtonLink>
  )
}

export default listPage({
  list: roundsList,
  lead: 'consoleRounds.lead',
  action: (reader) => levelOf(reader, 'coins') >= 2 && <AddRound />,
})
