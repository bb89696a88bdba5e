import type { ApiToken, TokenLevels, TokenRefusal, TokenState } from '#contract/api-tokens.ts'
import { levels, type Level } from '#contract/endpoint.ts'
import type { PlainKey } from '../../i18n/message-key.ts'
import type { UsedWords } from '../../i18n/words.tsx'
import type { TagColour } from '../../ui/tag.tsx'

export const stateWords = {
  active: { words: 'tokens.state.active', colour: 'green' },
  ending: { words: 'tokens.state.ending', colour: 'yellow' },
  expired: { words: 'tokens.state.expired', colour: 'quiet' },
  revoked: { words: 'tokens.state.revoked', colour: 'red' },
  dead: { words: 'tokens.state.dead', colour: 'quiet' },
} as const satisfies Record<TokenState, { words: PlainKey; colour: TagColour }>

export const levelNames = {
  news: 'tokens.level.news',
  employee: 'tokens.level.employee',
  finance: 'tokens.level.finance',
  coins: 'tokens.level.coins',
} as const satisfies Record<Level, PlainKey>

const levelValues = { 1: 'tokens.level.1', 2: 'tokens.level.2' } as const satisfies Record<1 | 2, PlainKey>

export const levelChoices = {
  0: 'tokens.choice.0',
  1: 'tokens.choice.1',
  2: 'tokens.choice.2',
} as const satisfies Record<0 | 1 | 2, PlainKey>

export const refusalReasons = {
  expired: 'tokens.refused.expired',
  revoked: 'tokens.refused.revoked',
  address: 'tokens.refused.address',
  maker: 'tokens.refused.maker',
} as const satisfies Record<TokenRefusal, PlainKey>

/**
 * It was sent from an address that is not on its list, since it has its secret: somebody else may have it. A new secret, or its end, answers
 * that.
 */
export const isSuspected = ({ lastRefused, rotatedAt, createdAt, revoked }: ApiToken): boolean =>
  lastRefused?.why === 'address' && revoked === null && lastRefused.at > (rotatedAt ?? createdAt)

export const isAlive = ({ state }: ApiToken): boolean => state === 'active' || state === 'ending'

export const hasAnyLevel = (given: TokenLevels): boolean => levels.some((level) => given[level] > 0)

/** “News: read”, for each level that there is. */
export const levelTexts = (t: UsedWords['t'], given: TokenLevels): string[] =>
  levels.flatMap((level) => {
    const value = given[level]
    return value === 0
      ? []
      : [t('tokens.level.of', { level: t(levelNames[level]), value: t(levelValues[value]) })]
  })
