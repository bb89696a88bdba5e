// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import reasons from '#content/facts/review-reasons.json'
import { aKycCase } from '#tests/setup/a-kyc-case.ts'
import { show } from '#tests/setup/show.tsx'
import { wordsOf } from '#tests/setup/words.ts'
import { PhotoVerdict } from './photo-verdict.tsx'

const t = wordsOf('en')
const photos = [0, 1].map((n) => ({ ...aKycCase().photos[0]!, n }))
const accept = () => screen.getByRole('button', { name: t('review.photo.accept') })
const refuse = () => screen.getByRole('button', { name: t('review.photo.refuse') })
const reason = () => screen.queryByRole('textbox', { name: t('review.photo.reason') })

function open({ mayReview = true, isSaved = true, isShown = true, isInView = true } = {}) {
  const onVerdict = vi.fn<(verdict: string, reason: string) => Promise<boolean>>().mockResolvedValue(isSaved)
  function Viewer() {
    const [n, setN] = useState(0)
    return (
      <>
        <button onClick={() => setN(1 - n)}>the other photo</button>
        <PhotoVerdict
          photo={photos[n]!}
          language="cn"
          mayReview={mayReview}
          isShown={isShown}
          bringIntoView={() => isInView}
          onVerdict={onVerdict}
        />
      </>
    )
  }
  const other = () => screen.getByRole('button', { name: 'the other photo' })
  return { ...show(<Viewer />), onVerdict, other }
}

test('a photo is accepted at once, without a reason', async () => {
  const { user, onVerdict } = open()
  await user.click(accept())
  expect(onVerdict.mock.calls).toEqual([['accepted', '']])
  await waitFor(() => expect(accept()).toBeEnabled())
})

test('a photo is refused only with a reason, whose field opens and gets the focus', async () => {
  const { user, onVerdict } = open()
  expect(refuse()).toHaveAttribute('aria-expanded', 'false')
  await user.click(refuse())
  expect(refuse()).toHaveAttribute('aria-expanded', 'true')
  await waitFor(() => expect(reason()).toHaveFocus())
  expect(reason()).toHaveAccessibleDescription(t('review.photo.needsReason'))
  await user.keyboard('   ')
  await user.click(refuse())
  await waitFor(() => expect(reason()).toHaveFocus())
  expect(onVerdict).not.toHaveBeenCalled()
  await user.clear(reason()!)
  await user.keyboard('Blurred.')
  await user.click(refuse())
  expect(onVerdict.mock.calls).toEqual([['refused', 'Blurred.']])
  expect(reason()).toBeNull()
})

test('a refusal that could not be saved keeps its reason', async () => {
  const { user, onVerdict } = open({ isSaved: false })
  await user.click(refuse())
  await user.keyboard('Blurred.')
  await user.click(refuse())
  expect(onVerdict).toHaveBeenCalledOnce()
  expect(reason()).toHaveValue('Blurred.')
  expect(refuse()).toBeEnabled()
})

test('a reason belongs to its photo, and is kept while another one is viewed', async () => {
  const { user, onVerdict, other } = open()
  await user.click(refuse())
  await user.keyboard('Blurred.')
  await user.click(other())
  expect(reason()).toBeNull()
  await user.click(refuse())
  expect(reason()).toHaveValue('')
  await user.click(other())
  await user.click(refuse())
  expect(reason()).toHaveValue('Blurred.')
  expect(onVerdict).not.toHaveBeenCalled()
})

test('a template is listed in the officer’s language, and its text is in the applicant’s', async () => {
  const { user } = open()
  await user.click(refuse())
  const template = reasons.find((each) => each.for.includes('photo'))!
  await user.selectOptions(
    screen.getByRole('combobox', { name: t('review.reason.template') }),
    template.en.label,
  )
  expect(reason()).toHaveValue(template.cn.text)
})

test('readers see the verdict without the buttons', () => {
  open({ mayReview: false })
  expect(screen.getByRole('status')).toHaveTextContent(t('review.photo.open'))
  expect(screen.getAllByRole('button')).toHaveLength(1)
})

test.each(['a', 'r'])(
  'the key %s reviews nothing while the picture is missing, and says why',
  async (key) => {
    const { user, onVerdict } = open({ isShown: false })
    await user.keyboard(key)
    expect(screen.getByRole('status')).toHaveTextContent(t('review.photo.notShown'))
    expect(onVerdict).not.toHaveBeenCalled()
    expect(reason()).toBeNull()
  },
)

test('neither do the buttons, which keep the focus', async () => {
  const { user, onVerdict } = open({ isShown: false })
  for (const button of [accept(), refuse()]) {
    expect(button).toHaveAttribute('aria-disabled', 'true')
    await user.click(button)
    expect(button).toHaveFocus()
  }
  expect(screen.getByRole('status')).toHaveTextContent(t('review.photo.notShown'))
  expect(onVerdict).not.toHaveBeenCalled()
})

test('a key reviews nothing while the picture is out of sight', async () => {
  const { user, onVerdict, other } = open({ isInView: false })
  await user.keyboard('a')
  expect(screen.getByRole('status')).toHaveTextContent(t('review.photo.away'))
  expect(onVerdict).not.toHaveBeenCalled()
  await user.click(other())
  expect(screen.getByRole('status')).not.toHaveTextContent(t('review.photo.away'))
  await user.click(accept())
  expect(onVerdict.mock.calls).toEqual([['accepted', '']])
})
