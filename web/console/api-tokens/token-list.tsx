import { apiTokens, tokenStates, type ApiToken } from '#contract/api-tokens.ts'
import { levels } from '#contract/endpoint.ts'
import { Address } from '../../ui/address.tsx'
import type { ListSpec } from '../list/list-spec.ts'
import { ListTime } from '../list/list-time.tsx'
import { LastUse, TokenLevels, TokenName, TokenState } from './token-cells.tsx'

/** Administrators see everyone's tokens with their owners. */
export const tokenList = (seesOthers: boolean): ListSpec<typeof apiTokens> => ({
  resource: apiTokens,
  route: 'console.apiTokens',
  caption: 'console.nav.apiTokens',
  nameOf: ({ name }) => name,
  none: { title: 'tokens.none', help: 'tokens.none.help' },
  columns: [
    { name: 'name', heading: 'tokens.name', isWide: true, cell: (token) => <TokenName token={token} /> },
    ...(seesOthers
      ? [
          {
            name: 'maker',
            heading: 'tokens.maker',
            isAddress: true,
            cell: ({ maker }: ApiToken) => <Address email={maker.name} />,
          } as const,
        ]
      : []),
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
    whose: seesOthers
      ? {
          label: 'tokens.whose',
          kind: 'choice',
          options: [
            { value: 'mine', label: 'tokens.whose.mine' },
            { value: 'others', label: 'tokens.whose.others' },
          ],
        }
      : null,
  },
})
