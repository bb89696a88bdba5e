// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import { useCallback, useState } from 'react'
import { expect, test, vi } from 'vitest'
import { show } from '#tests/setup/show.tsx'
import { wordsOf } from '#tests/setup/words.ts'
import { wholeQueue, type QueueFilter as Filter } from '../review-address.ts'
import { QueueFilter } from './case-queue.tsx'

const t = wordsOf('en')
const select = (key: string) => screen.getByRole('combobox', { name: t(key) })
const search = () => screen.getByRole('searchbox', { name: t('review.search') })

/** Renders the filter in a page, whose address it changes. */
function open() {
  const onChange = vi.fn<(filter: Filter, isTyping?: boolean) => void>()
  function Page() {
    const [filter, setFilter] = useState<Filter>({ ...wholeQueue, q: 'Ada' })
    const change = useCallback((next: Filter, isTyping?: boolean) => {
      onChange(next, isTyping)
      setFilter(next)
    }, [])
    return (
      <>
        <button onClick={() => setFilter({ ...wholeQueue, q: 'Grace' })}>back</button>
        <QueueFilter filter={filter} onChange={change} searchRef={null} />
      </>
    )
  }
  return { ...show(<Page />), onChange }
}

test('state, officer, and age can be chosen and combined', async () => {
  const { user, onChange } = open()
  expect(screen.getByRole('search', { name: t('review.filter') })).toBeVisible()
  await user.selectOptions(select('review.status'), t('review.state.inReview'))
  await user.selectOptions(select('review.assignee'), t('review.assignee.nobody'))
  await user.selectOptions(select('review.flags'), t('review.flags.match'))
  const age = t('review.age.days', { count: 3 })
  await user.selectOptions(select('review.older'), t('review.older.than', { age }))
  expect(onChange).toHaveBeenLastCalledWith(
    { status: 'in_review', assignee: 'nobody', flag: 'possible_match', olderThanHours: 72, q: 'Ada' },
    undefined,
  )
  await user.selectOptions(select('review.older'), t('review.older.any'))
  expect(onChange).toHaveBeenLastCalledWith(expect.objectContaining({ olderThanHours: 0 }), undefined)
})

test('a search starts when typing pauses, as one trimmed change', async () => {
  const { user, onChange } = open()
  await user.clear(search())
  await user.type(search(), ' Ada Lovelace ')
  await waitFor(() => expect(onChange).toHaveBeenCalled())
  expect(onChange.mock.calls).toEqual([[{ ...wholeQueue, q: 'Ada Lovelace' }, true]])
})

test('back and forward restore the search of their address', async () => {
  const { user, onChange } = open()
  expect(search()).toHaveValue('Ada')
  await user.click(screen.getByRole('button', { name: 'back' }))
  expect(search()).toHaveValue('Grace')
  expect(onChange).not.toHaveBeenCalled()
})
