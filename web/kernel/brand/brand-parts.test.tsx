// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { show, showAsServed } from '#tests/setup/show.tsx'
import { Avatar } from './avatar.tsx'
import { guilloche } from './guilloche.ts'
import { Mark } from './mark.tsx'
import { partnerFigure, PartnerMark } from './partner-mark.tsx'
import { Rosette, type RosetteFigure, rosetteFigures } from './rosette.tsx'

const parts = {
  Mark: (title?: string) => <Mark title={title} />,
  Rosette: (title?: string) => <Rosette title={title} />,
  Avatar: (title?: string) => <Avatar name="Sample" title={title} />,
  PartnerMark: (title?: string) => <PartnerMark seed={11} title={title} />,
}

describe.each(Object.entries(parts))('%s', (_, part) => {
  test('is decorative unless it has a title', () => {
    const { container } = show(part())
    expect(container.querySelector('[aria-hidden="true"]')).toBeVisible()
    expect(screen.queryByRole('img')).toBeNull()
    showAsServed(part('A title'))
    expect(screen.getByRole('img', { name: 'A title' })).toBeVisible()
    expect(document.querySelector('[aria-hidden]')).toBeNull()
  })

  test('has no inline style, which the content security policy would block', () => {
    expect(renderToStaticMarkup(part())).not.toContain('style=')
  })
})

test.each([
  ['dial', 12_000],
  ['coin', 12_000],
  ['light', 7_500],
  ['seal', 3_000],
] satisfies [RosetteFigure, number][])('the %s rosette is smaller than %i bytes', (figure, bytesMax) => {
  expect(renderToStaticMarkup(<Rosette figure={figure} />).length).toBeLessThan(bytesMax)
})

test('every rosette figure has a size limit above', () => {
  expect(Object.keys(rosetteFigures)).toEqual(['dial', 'coin', 'light', 'seal'])
})

test('partner marks differ between families, vary within one, and stay small', () => {
  const drawn = Array.from({ length: 10 }, (_, seed) => partnerFigure(seed).figures.map(guilloche).join(''))
  expect(new Set(drawn).size).toBe(10)
  for (const path of drawn) expect(path.length).toBeLessThan(5000)
  const cousins = [3, 13, 23, 33, 43, 53].map((seed) => JSON.stringify(partnerFigure(seed)))
  expect(new Set(cousins).size).toBeGreaterThan(1)
})
