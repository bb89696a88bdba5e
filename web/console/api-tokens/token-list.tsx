import { listApiTokens, tokenStates, type ApiToken } from '#contract/api-tokens.ts'
import { levels } from '#contract/endpoint.ts'
import { Address } from '../list/address.tsx'
import type { ListSpec } from '../list/list-spec.ts'
import { ListTime } from '../list/list-time.tsx'
import { LastUse, TokenLevels, TokenName, TokenState } from './token-cells.tsx'
import { levelNames, stateWords } from './token-words.ts'

/** Administrators see the tokens of everybody, and whose each is. */
export const tokenList = (seesOthers: boolean): ListSpec<typeof listApiTokens, ApiToken> => ({
  name: 'tokens',
  route: 'console.apiTokens',
  endpoint: listApiTokens,
  rowsOf: (rows) => rows,
  caption: 'console.nav.apiTokens',
  rowKey: ({ id }) => id,
  nameOf: ({ name }) => name,
  defaultSort: '-created',
  none: { title: 'tokens.none', help: 'tokens.none.help' },
  columns: [
    { name: 'name', heading: 'tokens.name', cell: (token) => <TokenName token={token} /> },
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
  filters: [
    { name: 'q', label: seesOthers ? 'tokens.search.all' : 'tokens.search', kind: 'search' },
    {
      name: 'state',
      label: 'tokens.state',
      kind: 'choice',
      options: tokenStates.map((value) => ({ value, label: stateWords[value].words })),
    },
    {
      name: 'level',
      label: 'tokens.level',
      kind: 'choice',
      options: levels.map((value) => ({ value, label: levelNames[value] })),
    },
    ...(seesOthers
      ? [
          {
            name: 'whose',
            label: 'tokens.whose',
            kind: 'choice',
            options: [
              { value: 'mine', label: 'tokens.whose.mine' },
              { value: 'others', label: 'tokens.whose.others' },
            ],
          } as const,
        ]
      : []),
  ],
})
