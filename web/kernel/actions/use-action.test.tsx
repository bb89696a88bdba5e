// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { expectAlert, show } from '#tests/setup/show.tsx'
import { wordsOf } from '#tests/setup/words.ts'
import { Button } from '../ui/button.tsx'
import { FormStatus } from '../ui/form-status.tsx'
import { useAction } from './use-action.ts'

const t = wordsOf('en')
let answers: PromiseWithResolvers<void>[]

function Part() {
  const { isBusy, isDone, error, run, reset } = useAction()
  const work = () => {
    const answer = Promise.withResolvers<void>()
    answers.push(answer)
    return answer.promise
  }
  return (
    <>
      <Button busy={isBusy} busyLabel="Busy" onClick={() => void run(work)}>
        Do
      </Button>
      <button type="button" onClick={() => void run(work)}>
        Again
      </button>
      <button type="button" onClick={reset}>
        Forget
      </button>
      <p role="status">{isDone && 'Done'}</p>
      <FormStatus error={error} />
    </>
  )
}

const begin = () => {
  answers = []
  return show(<Part />).user
}
const answer = (n: number, failure?: unknown) =>
  act(async () => {
    if (failure) answers[n]?.reject(failure)
    else answers[n]?.resolve()
    await answers[n]?.promise.catch(() => {})
  })
const isBusy = () => screen.queryByText('Busy') !== null
const isDone = () => screen.queryByText('Done') !== null

test('is busy while the work runs, then done', async () => {
  const user = begin()
  await user.click(screen.getByRole('button', { name: 'Do' }))
  expect([isBusy(), isDone()]).toEqual([true, false])
  await answer(0)
  expect([isBusy(), isDone()]).toEqual([false, true])
})

test('the focus that the disabled button lost returns to it, unless the reader moved it', async () => {
  const user = begin()
  const button = screen.getByRole('button', { name: 'Do' })
  await user.click(button)
  // Browsers do this to a button that is disabled.
  act(() => button.blur())
  await answer(0, new Error('canceled'))
  expect(button).toHaveFocus()
  await user.click(button)
  act(() => screen.getByRole('button', { name: 'Forget' }).focus())
  await answer(1)
  expect(screen.getByRole('button', { name: 'Forget' })).toHaveFocus()
})

test('a failure is shown as a message until the next run or until it is cleared', async () => {
  const user = begin()
  await user.click(screen.getByRole('button', { name: 'Do' }))
  await answer(0, new Error('broken'))
  await expectAlert(t('errors.unexpected'))
  expect([isBusy(), isDone()]).toEqual([false, false])
  await user.click(screen.getByRole('button', { name: 'Do' }))
  expect(screen.queryByText(t('errors.unexpected'))).toBeNull()
  await answer(1, new Error('broken'))
  await expectAlert(t('errors.unexpected'))
  await user.click(screen.getByRole('button', { name: 'Forget' }))
  expect(screen.queryByText(t('errors.unexpected'))).toBeNull()
})

test('reports only the last started of two overlapping runs', async () => {
  const user = begin()
  await user.click(screen.getByRole('button', { name: 'Do' }))
  await user.click(screen.getByRole('button', { name: 'Again' }))
  await answer(0, new Error('broken'))
  expect(screen.queryByText(t('errors.unexpected'))).toBeNull()
  expect(isBusy()).toBe(true)
  await answer(1)
  expect([isBusy(), isDone()]).toEqual([false, true])
})
