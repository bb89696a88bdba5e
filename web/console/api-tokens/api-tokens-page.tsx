import { useState } from 'react'
import { apiTokens, tokenStates, type ApiToken } from '#contract/api-tokens.ts'
import { levels } from '#contract/endpoint.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { page, type PageProps } from '../../routes/page.ts'
import { useSession } from '../../session/session.ts'
import { Address } from '../../ui/address.tsx'
import { Button } from '../../ui/button.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { ConsoleList } from '../list/console-list.tsx'
import type { ListColumn, ListFilter, ListSpec } from '../list/list-spec.ts'
import { ListTime } from '../list/list-time.tsx'
import { MakeTokenDialog } from './make-token-dialog.tsx'
import { TokenActions } from './token-actions.tsx'
import { LastUse, TokenLevels, TokenName, TokenState } from './token-cells.tsx'
import { TokenSecret } from './token-secret.tsx'

const owner: ListColumn<ApiToken, never> = {
  name: 'maker',
  heading: 'tokens.maker',
  isAddress: true,
  cell: ({ maker }) => <Address email={maker.name} />,
}
const whose: ListFilter = {
  label: 'tokens.whose',
  kind: 'choice',
  options: [
    { value: 'mine', label: 'tokens.whose.mine' },
    { value: 'others', label: 'tokens.whose.others' },
  ],
}

/** Administrators see everyone's tokens with their owners. */
const tokenList = (seesOthers: boolean): ListSpec<typeof apiTokens> => ({
  resource: apiTokens,
  route: 'console.apiTokens',
  caption: 'console.nav.apiTokens',
  nameOf: ({ name }) => name,
  none: { title: 'tokens.none', help: 'tokens.none.help' },
  columns: [
    { name: 'name', heading: 'tokens.name', isWide: true, cell: (token) => <TokenName token={token} /> },
    ...(seesOthers ? [owner] : []),
    { name: 'state', heading: 'tokens.state', cell: (token) => <TokenState token={token} /> },
    { name: 'levels', heading: 'tokens.levels', cell: (token) => <TokenLevels token={token} /> },
    {
      name: 'expires',
      heading: 'tokens.expires',
      sort: 'expires',
      cell: ({ expiresAt }) => <ListTime at={expiresAt} />,
    },
    { name: 'used', heading: 'tokens.used', cell: (token) => <LastUse token={token} /> },
    {
      name: 'created',
      heading: 'tokens.created',
      sort: 'created',
      isExtra: true,
      cell: ({ createdAt }) => <ListTime at={createdAt} />,
    },
  ],
  filters: {
    q: { label: seesOthers ? 'tokens.search.all' : 'tokens.search', kind: 'search' },
    state: {
      label: 'tokens.state',
      kind: 'choice',
      options: tokenStates.map((value) => ({ value, label: `tokens.state.${value}` })),
    },
    level: {
      label: 'tokens.level',
      kind: 'choice',
      options: levels.map((value) => ({ value, label: `tokens.level.${value}` })),
    },
    whose: seesOthers ? whose : null,
  },
})

const ownTokens = tokenList(false)
const allTokens = tokenList(true)

function ApiTokensView({ search }: PageProps<unknown>) {
  const { t } = useMessages()
  const { member } = useSession()
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<{ name: string; secret: string }>()
  const [shown, setShown] = useState(0)
  return (
    <>
      <PageHead
        heading={t('console.nav.apiTokens')}
        lead={t('tokens.lead')}
        action={member && <Button onClick={() => setMaking(true)}>{t('tokens.make')}</Button>}
      />
      {member && (
        <ConsoleList
          // A new token reloads the list.
          key={shown}
          spec={member.isWriteAccessAdmin ? allTokens : ownTokens}
          search={search}
          rowActions={(token, reload) => <TokenActions token={token} reload={reload} />}
        />
      )}
      {member && isMaking && (
        <MakeTokenDialog maker={member} onDone={setMade} onClose={() => setMaking(false)} />
      )}
      {made && (
        <TokenSecret
          title={t('tokens.made', { name: made.name })}
          secret={made.secret}
          onClose={() => {
            setMade(undefined)
            setShown(shown + 1)
          }}
        />
      )}
    </>
  )
}

export default page({ View: ApiTokensView })
