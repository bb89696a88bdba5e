import { compare } from 'bcryptjs'
import { answerQuestions } from './threads/answer-questions.ts'

answerQuestions(({ password, hash }: { password: string; hash: string }) => compare(password, hash))
